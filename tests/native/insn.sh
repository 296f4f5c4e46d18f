# Instructions against objdump's: along the sweep of programs, and at every byte of libc's code. `./dev soak probes' has larger ones.
. lib/check.sh
check=$(dirname "$PSUITE")/tests/insncheck
[ "$(uname -m)" = x86_64 ] || { skip 'x86-64 instructions' 'the programs of this machine have none'; finish; exit; }
libc=$(ldd "$(command -v perl)" | awk '/libc.so.6/ { print $3 }')

# sweep FILE UNKNOWN: so many instructions are not known, at most
sweep() {
  local name=${1##*/} all unknown
  status "instructions of $name" 0 "$check" < <(objdump -d -w --insn-width=16 "$1")
  read -r all _ unknown _ < <(tail -n 1 "$scratch/out")
  text "enough of them, $name" yes "$([ "$all" -gt 30000 ] && echo yes)"
  text "known, $name" yes "$([ "$unknown" -le "$2" ] && echo yes || echo "$unknown unknown")"
}
for file in "$libc" "$(command -v perl)" "$(command -v sqlite3)"; do
  [ -e "$file" ] || continue
  sweep "$(readlink -f "$file")" 20 # XBEGIN, XABORT, RDPKRU and WRPKRU of libc
done

# arm64: where instructions lead to; the cross compiler's libc.
arm64=/usr/aarch64-linux-gnu/lib/libc.so.6
if [ -e $arm64 ]; then
  status 'instructions of arm64' 0 "$check" < <(aarch64-linux-gnu-objdump -d $arm64)
  text 'enough of them, arm64' yes "$([ "$(awk 'END { print $1 }' "$scratch/out")" -gt 200000 ] && echo yes)"
else
  skip 'instructions of arm64' 'no libc for arm64'
fi

# 32-bit ARM: the sweep, and what begins at any even byte, or at any fourth; the cross compiler's libc.
arm=$(dirname "$PSUITE")/tests/armcheck
armhf=/usr/arm-linux-gnueabihf/lib/libc.so.6
if [ -e $armhf ]; then
  status 'instructions of 32-bit ARM' 0 "$arm" < <(arm-linux-gnueabihf-objdump -d $armhf)
  text 'enough of them are known' yes "$(awk 'END { print ($1 > 200000 && 500 * $3 < $1 ? "yes" : $0) }' "$scratch/out")"
  status 'instructions at every even byte' 0 "$arm" $armhf "$scratch/t32"
  arm-linux-gnueabihf-objdump -D -b binary -m arm -M force-thumb "$scratch/t32" > "$scratch/dump"
  status 'T32 as objdump has it' 0 "$arm" < "$scratch/dump"
  text 'all of them' yes "$([ "$(awk 'END { print $1 }' "$scratch/out")" -gt 400000 ] && echo yes)"
  status 'words at every fourth byte' 0 "$arm" -a $armhf "$scratch/a32"
  arm-linux-gnueabihf-objdump -D -b binary -m arm "$scratch/a32" > "$scratch/dump"
  status 'A32 as objdump has it' 0 "$arm" < "$scratch/dump"
else
  skip 'instructions of 32-bit ARM' 'no libc for armhf'
fi

# All that may begin at any byte, once each: a prefix alone, of objdump's, is no instruction.
status 'instructions at every byte' 0 "$check" "$libc" "$scratch/all"
objdump -D -w --insn-width=16 -b binary -m i386:x86-64 "$scratch/all" > "$scratch/dump"
status 'as objdump has them' 0 "$check" < "$scratch/dump"
text 'all of them' yes "$([ "$(awk '{ print $1; exit }' "$scratch/out")" -gt 100000 ] && echo yes)"
finish
