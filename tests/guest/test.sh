#!/bin/bash
# test.sh ARCH BUILD: boots ARCH with the psuite of the folder BUILD, its workloads and unit tests, and runs inside.sh there.
#   /usr/bin/psuite   /test/inside.sh /test/inside.d   /test/work, /test/unit, /test/sampledump, /test/unwindself, /test/profdump, /test/profkill, /test/iotracedump, /test/mountprivate: BUILD/work, BUILD/tests
# What inside.d/APPLET.sh leaves in /host/APPLET is looked at afterwards by desk.d/APPLET.sh, on this machine, with this
# machine's psuite ($PSUITE, else build/psuite).
set -u
arch=$1 build=$2
guest=$(cd "$(dirname "$0")" && pwd)
tests=$(dirname "$guest")
# What ./dev reads: what was skipped, and the numbers
results=/dev/null
[ -z "${RESULTS:-}" ] || { mkdir -p "$RESULTS"; rm -f "$RESULTS"/desk.d_*; results=$RESULTS/guest_$arch; }
skip() { echo "skipped: $1"; printf 'skipped all: %s\n0 passed, 0 failed, 1 skipped\n' "$1" > "$results"; exit 77; }
[ -x "$build/psuite" ] || skip "no $build/psuite"
[ -e "${PSUITE_GUEST_CACHE:-$HOME/.cache/psuite-guest}/$arch/guest/done" ] || skip "no guest for $arch: tests/guest/prepare guest $arch"

stage=$(mktemp -d) share=$(mktemp -d); trap 'rm -rf "$stage" "$share"' EXIT
mkdir -p "$stage/usr/bin" "$stage/test/work" "$stage/test/data"
cp "$build/psuite" "$stage/usr/bin/"
cp -r "$guest/inside.sh" "$guest/inside.d" "$stage/test/"
cp -r "$build"/work/* "$stage/test/work/"
cp "$build/tests/unit" "$build/tests/sampledump" "$build/tests/unwindself" "$build/tests/profdump" "$build/tests/profkill" "$build/tests/iotracedump" "$build/tests/mountprivate" "$stage/test/"
cp -r "$tests/." "$stage/test/data/"
TMO=${TMO:-1500} SHARE=$share "$guest/run" "$arch" "ARCH=$arch V=${V:-} sh /test/inside.sh" "$stage"/* | tee "$stage/said"
status=${PIPESTATUS[0]}
grep -E '^skipped |^[0-9]+ passed, ' "$stage/said" > "$results"

export TESTS=$tests SHARE=$share GUEST_ARCH=$arch GUEST_STAGE=$stage PSUITE=${PSUITE:-$tests/../build/psuite}
[ -x "$PSUITE" ] || { echo "skipped the desk: no $PSUITE"; exit $status; }
for script in "$guest"/desk.d/*.sh; do bash "$script" || status=1; done
[ "$results" = /dev/null ] || cat "$RESULTS"/desk.d_* >> "$results"
exit $status
