# probes TOP WORK CACHE: what probes rely on, by small programs; large programs' instructions against objdump's, and how many of
# their functions can be patched.
#   CACHE   ARCH/modules/ in it has the programs: `tests/guest/prepare modules'
set -euo pipefail
top=$1 work=$2 cache=$3
here=$top/tests/soak/probes tools=$top/build/tests
mkdir -p "$work"
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# --- what the design relies on
gcc -O1 -Wall -Wextra -o "$work/claims_x86" "$here/claims_x86.c"
aarch64-linux-gnu-gcc -O1 -static -Wall -Wextra -o "$work/claims_arm64" "$here/claims_arm64.c"
[ "$(uname -m)" != x86_64 ] || "$work/claims_x86"
qemu-aarch64 -cpu max "$work/claims_arm64"

# --- large programs: instructions, targets and lengths as objdump has them
modules_of() { # modules_of ARCH: those of CACHE, without second names of one
  local name
  for name in lib/*/libc.so.6 usr/lib/*/{libLLVM-14.so.1,libpython3.11.so.1.0,libsqlite3.so.0,libstdc++.so.6} usr/bin/{gdb,git,perl,python3.11}; do
    readlink -f "$cache/$1/modules/"$name
  done
}
show() { # show NAME: what was compared; disagreements are in the log
  local counts; counts=$(tail -n 1 "$work/sweep.$1")
  printf '%-24s %s\n' "$1" "$counts"
  case $counts in *' 0 disagreements') ;; *) fail "instructions of $1"; head -n 20 "$work/sweep.$1" ;; esac
}
sweep() { # sweep FILE OBJDUMP CHECK [OPTION]
  nice "$2" -d -w ${4:+"$4"} "$1" | nice "$3" > "$work/sweep.${1##*/}" || true
  show "${1##*/}"
}
# objdump looks for a mapping symbol at each instruction, among all symbols, which of libLLVM takes hours: its code alone, as T32.
# objdump then knows the instructions of all profiles; A has no CLRM, VSCCLRM and TTAT.
sweep_t32() { # sweep_t32 FILE
  local start; start=$(readelf -SW "$1" | awk '{ for (i = 1; i < NF; i++) if ($i == ".text") print $(i + 2) }')
  arm-linux-gnueabihf-objcopy -O binary -j .text "$1" "$work/text"
  nice arm-linux-gnueabihf-objdump -D -b binary -m arm -M force-thumb --adjust-vma="0x$start" "$work/text" | grep -vE '\s(clrm|vscclrm|tta?t?)\s' |
    nice "$tools/armcheck" > "$work/sweep.${1##*/}" || true
  show "${1##*/}"
}
echo 'x86-64:'; for file in $(modules_of amd64); do sweep "$file" objdump "$tools/insncheck" --insn-width=16; done
echo 'arm64:'; for file in $(modules_of arm64); do sweep "$file" aarch64-linux-gnu-objdump "$tools/insncheck"; done
echo '32-bit ARM:'; for file in $(modules_of armhf); do
  case $file in *libLLVM*) sweep_t32 "$file" ;; *) sweep "$file" arm-linux-gnueabihf-objdump "$tools/armcheck" ;; esac
done

# --- plans
for arch in amd64 arm64 armhf; do
  mapfile -t files < <(modules_of $arch)
  "$top/build/psuite" prof --dry-run --json "${files[@]}" > "$work/plans.$arch"
  python3 "$here/plans.py" "$work/plans.$arch" || fail "plans of $arch"
done
TIMEFORMAT='%U'
llvm=$(modules_of amd64 | grep libLLVM)
seconds=$(for _ in 1 2 3 4 5; do { time "$top/build/psuite" prof --dry-run "$llvm" > "$work/llvm"; } 2>&1; done | sort -n | head -n 1)
echo "libLLVM of x86-64: $seconds s of CPU time, the least of five"
awk "BEGIN { exit !($seconds < 1) }" || fail 'a plan of libLLVM in less than a second'
python3 "$here/cold.py" "$tools/plandump" "$cache/amd64/modules" || fail 'cold parts of functions'

exit $failed
