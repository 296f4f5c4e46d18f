# probes TOP WORK: what probes rely on, by small programs; and relocated code of both ARMs, compared with the original by qemu-user.
#   CASES   of each (1000000); SEED
set -euo pipefail
top=$1 work=$2
here=$top/tests/soak/probes
mkdir -p "$work"
gcc -O1 -Wall -Wextra -o "$work/claims_x86" "$here/claims_x86.c"
aarch64-linux-gnu-gcc -O1 -static -Wall -Wextra -o "$work/claims_arm64" "$here/claims_arm64.c"
[ "$(uname -m)" != x86_64 ] || "$work/claims_x86"
qemu-aarch64 -cpu max "$work/claims_arm64"

# The unit test of a processor alone, static
sources=(src/core/probe/{trampoline,x86_relocate,arm64_relocate,arm_relocate,arm_writer}.c src/core/insn/*.c)
build_test() { # build_test COMPILER NAME SOURCE...
  local cc=$1 name=$2; shift 2
  (cd "$top" && $cc -std=c11 -D_GNU_SOURCE -DPSUITE_TESTS_DIR='"."' -O2 -static -Iinclude -Isrc -Itests/unit -o "$work/$name" \
    "tests/unit/test_$name.c" tests/unit/unit.c "$@")
}
build_test aarch64-linux-gnu-gcc probe_arm64_run "${sources[@]}"
build_test 'arm-linux-gnueabihf-gcc -mfpu=neon' probe_arm_run "${sources[@]}"
export CASES=${CASES:-1000000} SEED=${SEED:-1}
qemu-aarch64 "$work/probe_arm64_run"
qemu-arm "$work/probe_arm_run"
