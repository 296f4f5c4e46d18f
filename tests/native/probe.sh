# Plans of real programs: nearly all of their functions can be patched.
. lib/check.sh

# arm64, by the cross compiler's libc: one instruction is enough.
arm64=/usr/aarch64-linux-gnu/lib/libc.so.6
if [ -e $arm64 ]; then
  status 'a plan for arm64' 0 "$PSUITE" prof --dry-run $arm64
  has 'of all functions' ': arm64, ([0-9]+) of \1 functions can be patched \(100.00%\)$' "$scratch/out"
else
  skip 'a plan for arm64' 'no libc for arm64'
fi

# 32-bit ARM, the same
armhf=/usr/arm-linux-gnueabihf/lib/libc.so.6
if [ -e $armhf ]; then
  status 'a plan for 32-bit ARM' 0 "$PSUITE" prof --dry-run --json $armhf
  text 'of at least 95 %' yes "$(python3 -c '
import json, sys
m = json.load(open(sys.argv[1]))["modules"][0]
print("yes" if m["patchable"] >= 0.95 * m["entries"] > 2000 else m)' "$scratch/out")"
else
  skip 'a plan for 32-bit ARM' 'no libc for armhf'
fi

# Debian's own programs: most functions can be patched.
libc=$(ldd "$(command -v perl)" | awk '/libc.so.6/ { print $3 }')
status 'plans' 0 "$PSUITE" prof --dry-run --json "$libc" "$(command -v perl)" "$(command -v git)" "$(command -v gdb)"
text 'at least 98 % of each' 4 "$(python3 -c '
import json, sys
print(sum(m["patchable"] >= 0.98 * m["entries"] > 1000 for m in json.load(open(sys.argv[1]))["modules"]))' "$scratch/out")"
finish
