#!/bin/bash
# board.sh NAME ARCH BUILD: boots ARCH with the psuite of the folder BUILD as ./run is asked by the environment (KERNEL CPU SMP
# MEM ROOT), and runs applets.sh there (PMU WITHOUT RUNS LAST are its). NAME is the test's. What each applet did and cost is left in
# RESULTS/NAME.cells. /usr/bin/psuite; /test: applets.sh, checks.sh, config, work
set -u
name=$1 arch=$2 build=$3
guest=$(cd "$(dirname "$0")" && pwd)
. "$guest/stage.sh"
stage_begin "$name" "$arch" "$build"
mkdir -p "$stage/test/work"
cp "$guest/checks.sh" "$guest/applets.sh" "$stage/test/"
cp "$build/work/prof/prof_basic" "$build/work/prof/prof_basic-so" "$stage/test/work/"
cp "${PSUITE_GUEST_CACHE:-$HOME/.cache/psuite-guest}/$arch/guest${KERNEL:+-$KERNEL}/config" "$stage/test/"
[ -n "${ROOT:-}" ] || cp -L "$build/work/prof/libpsprof.so.1" "$stage/test/work/" # the image has its own
# As in test.sh. The image boots as it is.
[ "$arch" != arm64 ] || [ -n "${ROOT:-}" ] || export APPEND="${APPEND:-} kpti=off"
run_in_guest "$arch" "PMU=${PMU:-} WITHOUT=${WITHOUT:-} RUNS=${RUNS:-1} LAST=${LAST:-} V=${V:-} sh /test/applets.sh"
