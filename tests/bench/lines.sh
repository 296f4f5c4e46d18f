#!/bin/bash
# Functions and lines of 100,000 random addresses, with inlined functions: sym --style=llvm compared with llvm-symbolizer, in turn,
# ROUNDS (5) times. CPU seconds are medians. `same' is the share of answers in which every function, file, line and column is equal.
# Debian's libraries are stripped; their debug files (libc6-dbg) are found by build-id. Names are compared as they are in the file:
# demangled C++ names differ between libiberty and LLVM (`[clone .isra.0]' for `(.isra.0)', `{lambda(...)#1}' for `'lambda'(...)',
# `operator< <' for `operator<<'), in most answers about templates. RSS is the peak, with the touched pages of the file.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${ROUNDS:=5}" "${COUNT:=100000}" "${UNITS:=6}"
dump=("${PSUITE:-$here/../../build/psuite}" sym --style=llvm --no-demangle)
command -v llvm-symbolizer >/dev/null || { echo 'llvm-symbolizer is missing: apt-get install llvm'; exit 0; }
[ -x /usr/bin/time ] || { echo 'time is missing: apt-get install time'; exit 0; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT

# templates COMPILER OUT: the program of templates, by that compiler; or as it is in the folder BUILT
templates() {
  [ ! -x "${BUILT:-}/$2" ] || { ln -s "$BUILT/$2" "$dir/$2"; return; }
  local cc; command -v "$1" >/dev/null || { echo "| $2 | $1 is missing |" >&2; return 1; }
  [ -d "$dir/src" ] || "$here/templates" "$dir/src" "$UNITS"
  mkdir -p "$dir/$1"
  for cc in "$dir"/src/*.cc; do echo "$cc"; done |
    xargs -P2 -I{} sh -c 'nice "$0" -O2 -g -w -Wno-psabi -c "$1" -o "$2/$(basename "$1").o"' "$1" {} "$dir/$1" &&
    "$1" -O2 -g "$dir/$1"/*.o -o "$dir/$2"
}
addresses() { # COUNT random ones of the text, the same every time
  readelf -SW "$1" | sed -n 's/.* \.text *PROGBITS *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/\1 \2/p' | { read -r start size
    awk -v start=$((16#$start)) -v size=$((16#$size)) -v n="$COUNT" \
      'BEGIN { srand(1); for (i = 0; i < n; i++) printf "0x%x\n", start + int(rand() * size) }'; }
}
section() { readelf -SW "$1" | sed -n "s/.* \\.$2 *[A-Z0-9_]* *[0-9a-f]* [0-9a-f]* \\([0-9a-f]*\\) .*/\\1/p" | { read -r x; awk -v n=$((16#${x:-0})) 'BEGIN { printf "%.1f", n / 1e6 }'; }; }
run() { # run OUT COMMAND...: appends `cpu rss' to OUT.cost
  local out=$1; shift
  /usr/bin/time -o "$dir/cost" -f '%U %S %M' "$@" < "$dir/addresses" > /dev/null 2>&1
  awk '{ print $1 + $2, $3 / 1024 }' "$dir/cost" >> "$out.cost"
}
median() { awk -v c="$2" '{ print $c }' "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

same() { # same A B: percent of equal answers, rounded down
  awk 'BEGIN { RS = "" } FILENAME == ARGV[1] { a[FNR] = $0; n = FNR; next } { equal += a[FNR] == $0 }
    END { printf "%.2f%%", n ? int(10000 * equal / n) / 100 : 0 }' "$1" "$2"
}
# The file with the debug information of FILE: its own, or Debian's, by build-id.
informed() {
  local id; id=$(readelf -nW "$1" 2>/dev/null | sed -n 's/.*Build ID: //p')
  local debug=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
  if [ -n "$id" ] && [ -e "$debug" ]; then echo "$debug"; else echo "$1"; fi
}
row() { # row NAME FILE
  [ -e "$2" ] || { echo "| $1 | is missing |"; return; }
  addresses "$2" > "$dir/addresses"
  rm -f "$dir"/*.cost
  local llvm=(llvm-symbolizer --no-demangle --output-style=LLVM -e "$2")
  for ((i = 0; i < ROUNDS; i++)); do
    run "$dir/ours" "${dump[@]}" "$2"
    run "$dir/llvm" "${llvm[@]}"
  done
  "${dump[@]}" "$2" < "$dir/addresses" > "$dir/ours" 2>/dev/null
  "${llvm[@]}" < "$dir/addresses" > "$dir/llvm"
  awk -v name="$1" -v info="$(section "$(informed "$2")" debug_info)" -v o="$(median "$dir/ours.cost" 1)" -v l="$(median "$dir/llvm.cost" 1)" \
    -v om="$(median "$dir/ours.cost" 2)" -v lm="$(median "$dir/llvm.cost" 2)" -v s="$(same "$dir/llvm" "$dir/ours")" \
    'BEGIN { printf "| %s | %s | %.2f | %.2f | %.2f | %.0f | %.0f | %s |\n", name, info, o, l, o / l, om, lm, s }'
}

echo '| program | .debug_info MB | CPU s | llvm CPU s | ratio | RSS MB | llvm RSS MB | same |'
echo '|---|---|---|---|---|---|---|---|'
templates g++ templates && row 'templates, g++' "$dir/templates"
templates clang++ templates-clang && row 'templates, clang++' "$dir/templates-clang"
row psuite "${SELF:-$here/../../build/psuite}"
for library in libc.so.6 libm.so.6; do
  row "Debian's $library" "$(ldconfig -p | awk -v l="$library" '$1 == l { print $NF; exit }')"
done
[ -z "${LARGE:-}" ] || row "$(basename "$LARGE")" "$LARGE"
templates arm-linux-gnueabihf-g++ templates-armhf && row 'templates, armhf' "$dir/templates-armhf"
templates aarch64-linux-gnu-g++ templates-arm64 && row 'templates, arm64' "$dir/templates-arm64"
