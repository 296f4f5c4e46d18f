#!/bin/bash
# test.sh ARCH BUILD: boots ARCH with the psuite of the folder BUILD, its workloads and unit tests, and runs inside.sh there.
#   /usr/bin/psuite   /test/inside.sh /test/inside.d   /test/work, /test/unit, /test/sampledump, /test/unwindself: BUILD/work, BUILD/tests
set -u
arch=$1 build=$2
guest=$(cd "$(dirname "$0")" && pwd)
tests=$(dirname "$guest")
skip() { echo "skipped: $1"; exit 77; }
[ -x "$build/psuite" ] || skip "no $build/psuite"
[ -e "${PSUITE_GUEST_CACHE:-$HOME/.cache/psuite-guest}/$arch/done" ] || skip "no guest for $arch: tests/guest/prepare $arch"

stage=$(mktemp -d); trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/usr/bin" "$stage/test/work" "$stage/test/unit" "$stage$tests"
cp "$build/psuite" "$stage/usr/bin/"
cp -r "$guest/inside.sh" "$guest/inside.d" "$stage/test/"
cp "$build"/work/* "$stage/test/work/"
cp "$build"/tests/unit_* "$stage/test/unit/"
cp "$build/tests/sampledump" "$build/tests/unwindself" "$stage/test/"
cp -r "$tests/." "$stage$tests/" # where the unit tests look for their data
"$guest/run" "$arch" "ARCH=$arch sh /test/inside.sh" "$stage"/*
