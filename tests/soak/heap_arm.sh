# heap_arm.sh TOP ARCH...: prof --heap in guests of ARM, of Debian's stripped programs, against valgrind of the same Debian there:
# calls, frees and bytes, bytes and blocks at the end by memcheck, the peak by massif; and of tests/work/heap.c, whose threads,
# realloc and other calls of the family are compared by memcheck alone, as a peak depends on the order of threads.
# TOP/build-ARCH/psuite is measured. Prints the sums, and what the runs took, in a line for each program.
. "$(dirname "$0")/../lib/check.sh"
top=$1; shift
field() { awk -v key="$3" -v n="${4:-1}" -v name="$1" -v tool="$2" '$1 == name && $2 == tool { for (i = 3; i <= NF; i++) if ($i == key) print $(i + n) }' "$scratch/said"; }
seconds() { awk -v name="$1" -v tool="$2" '$1 == name && $2 == "ms" && $3 == tool { printf "%.1f", $4 / 1000 }' "$scratch/said"; }
sums() { echo "$(field "$1" "$2" calls) calls, $(field "$1" "$2" frees) frees, $(field "$1" "$2" bytes) bytes, at the end $(field "$1" "$2" end) in $(field "$1" "$2" end 2)"; }

for arch; do
  root=$scratch/$arch
  mkdir "$root"
  cp -a "$PSUITE_GUEST_CACHE/$arch/heap/." "$root/"
  cp "$top/build-$arch/psuite" "$top/build-$arch/work/heap" "$root/usr/bin/"
  cp "$TESTS/soak/heap_arm.inside" "$root/inside"
  [ -e "$root/bin/sh" ] || ln -s dash "$root/bin/sh"
  mkdir -p "$root"/{proc,sys,dev,tmp}
  TMO=${TMO:-3000} SHARE=$root bash "$TESTS/guest/run" "$arch" 'for m in proc sys dev; do mount --bind /$m /host/$m; done
    mount -t tmpfs tmp /host/tmp && chroot /host /bin/sh /inside' > "$scratch/said" 2>&1
  text "$arch: the guest" 0 $?
  for name in heap gtbl bzip2 ls xz sqlite3; do
    text "$arch $name: calls, frees, bytes, and what is left, as memcheck" "$(sums $name memcheck)" "$(sums $name ours)"
    [ $name = heap ] || text "$arch $name: the peak, as massif" "$(field $name massif peak)" "$(field $name ours peak)"
    holds "$arch $name: there are sums" "$(field $name ours calls) > 10"
    hasnt "$arch $name: nothing is lost" "^$name ours .*lost" "$scratch/said"
    echo "$arch $name: $(sums $name ours), peak $(field $name ours peak); $(seconds $name native) s, psuite $(seconds $name psuite), memcheck $(seconds $name memcheck), massif $(seconds $name massif)"
  done
  [ -z "${V:-}" ] || sed 's/^/    /' "$scratch/said"
done
finish
