#!/bin/bash
# test.sh ARCH BUILD [PART...]: boots ARCH with the psuite of the folder BUILD, and its workloads, and runs inside.sh there, of
# inside.d only these PARTs if any is named (tprof, functions). Without any, arm64 has what depends on the processor, and 32-bit ARM, which
# differs most from a PC, all but what the kernel's 9P client does with export and bind; the image's boot (applets.sh) runs every applet
# on both. WHOLE=1: all parts, with more of the loads (./dev soak guests).
#   /usr/bin/psuite   /test/inside.sh /test/inside.d   /test/work, /test/sampledump, /test/unwindself, /test/profdump, /test/profkill, /test/iotracedump, /test/mountprivate: BUILD/work, BUILD/tests
# What inside.d/APPLET.sh leaves in /host/APPLET is looked at afterwards by desk.d/APPLET.sh, on this machine, with this
# machine's psuite ($PSUITE, else build/psuite).
set -u
arch=$1 build=$2 parts=${*:3} whole=${WHOLE:-}
by_processor='sample iotrace prof_runtime time tprof prof kprof topo sym doctor prof_device functions'
case $arch$parts$whole in
  arm64) parts=$by_processor ;;
  armhf) parts="$by_processor stats iostats trace snap ns" ;;
esac
guest=$(cd "$(dirname "$0")" && pwd)
tests=$(dirname "$guest")
. "$guest/stage.sh"
# Debian's usual kernel for armhf changes a domain at each entry, each exit and each access to user memory (CPU_SW_DOMAIN_PAN), and the
# emulated processor forgets its TLB then, too: system calls take six times as long as by the kernel for large memory. The image's boot
# has the usual one.
[ "$arch" != armhf ] || export KERNEL=${KERNEL-lpae}
[ -z "${RESULTS:-}" ] || rm -f "$RESULTS"/desk.d_*
stage_begin "guest_$arch" "$arch" "$build"
mkdir -p "$stage/test/work" "$stage/test/data/golden"
cp -r "$guest/inside.sh" "$guest/checks.sh" "$guest/inside.d" "$stage/test/"
cp -r "$build"/work/* "$stage/test/work/"
cp "$build/tests/sampledump" "$build/tests/unwindself" "$build/tests/profdump" "$build/tests/profkill" "$build/tests/iotracedump" "$build/tests/mountprivate" "$stage/test/"
cp -r "$tests/lib" "$stage/test/data/"
cp -r "$tests/golden/trace" "$stage/test/data/golden/"
# Page table isolation makes an emulated processor forget its TLB at every system call, which then takes fourteen times as long.
# The image's boot (board.sh) has it.
[ "$arch" != arm64 ] || export APPEND="${APPEND:-} kpti=off"
export TMO=${TMO:-1500} SHARE=$share
run_in_guest "$arch" "ARCH=$arch V=${V:-} KILLS=${KILLS:-} WHOLE=$whole PARTS='$parts' sh /test/inside.sh"
status=$?

export TESTS=$tests GUEST_ARCH=$arch GUEST_STAGE=$stage PSUITE=${PSUITE:-$tests/../build/psuite}
[ -x "$PSUITE" ] || { echo "skipped the desk: no $PSUITE"; exit $status; }
for script in "$guest"/desk.d/*.sh; do
  part=$(basename "$script" .sh)
  [ -z "$parts" ] || case " $parts " in *" $part "*) ;; *) continue ;; esac
  bash "$script" || status=1
done
[ "$results" = /dev/null ] || cat "$RESULTS"/desk.d_* >> "$results"
exit $status
