#!/bin/bash
# sym: 100,000 addresses of one program, and the kernel's table.
# Random addresses of the text of libc (its debug file where installed) and of psuite, symbols alone, against addr2line -f
# and llvm-symbolizer; then one question to the kernel's symbols, which reads all of them. CPU seconds and peak memory.
set -u
: "${PSUITE:?}"
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
strip -g "$PSUITE" -o "$scratch/plain" 2>/dev/null || cp "$PSUITE" "$scratch/plain"
nm -n --defined-only "$scratch/plain" 2>/dev/null | grep -i ' t ' > "$scratch/symbols"
if [ ! -s "$scratch/symbols" ]; then
  echo 'int main(void) { return 0; }' > "$scratch/a.c"; gcc "$scratch/a.c" -o "$scratch/plain"
  nm -n "$scratch/plain" | grep -i ' t ' > "$scratch/symbols"
fi
first=$(head -1 "$scratch/symbols" | cut -d' ' -f1) last=$(tail -1 "$scratch/symbols" | cut -d' ' -f1)
awk -v a=$((16#$first)) -v b=$((16#$last)) 'BEGIN { srand(1); for (i = 0; i < 100000; i++) printf "0x%x\n", a + int(rand() * (b - a)) }' > "$scratch/asked"

# run NAME COMMAND...
run() {
  local name=$1; shift
  command -v "$1" >/dev/null || { echo "$name: not here"; return; }
  for i in 1 2 3; do /usr/bin/time -f '%e %U %S %M' -o "$scratch/time.$i" "$@" < "$scratch/asked" > "$scratch/out.txt" 2>/dev/null; done
  sort -n "$scratch"/time.[123] | sed -n 2p | awk -v name="$name" '{ printf "%-34s %6.2f s wall %6.2f s CPU %7.1f MB\n", name, $1, $2 + $3, $4 / 1024 }'
}
run 'sym' "$PSUITE" sym "$scratch/plain"
run 'sym --style=gnu -f' "$PSUITE" sym --style=gnu -f "$scratch/plain"
run 'addr2line -f' addr2line -f -e "$scratch/plain"
run 'sym --style=llvm' "$PSUITE" sym --style=llvm "$scratch/plain"
run 'llvm-symbolizer' llvm-symbolizer -e "$scratch/plain"
echo 0xffffffff81000000 > "$scratch/asked"
run "sym -k ($(wc -l < /proc/kallsyms) symbols)" "$PSUITE" sym -k
awk '{ print; sub(/^ffffffff8/, "ffffffff9"); sub(/ . /, "&x_"); print }' /proc/kallsyms > "$scratch/map"
run "sym -k --system-map ($(wc -l < "$scratch/map"))" "$PSUITE" sym -k --system-map "$scratch/map"
