#!/bin/bash
# What iostats by fuse costs a command, beside bindfs and strace; a Markdown table of the slow-down, medians of wall time.
#   PSUITE  the executable (build-release)      ROUNDS (5)
# tar: some 1,500 small files through a pipe; git: a clone of this repository; cc: COMPILES (40) compiles of a file of it. All take turns,
# a round after the other, so that what else the machine does meets them alike; `plain' is measured twice: their ratio is noise.
# bindfs and bindfs-many serve the folder of the files alone; bindfs-root (multithreaded) all, programs and libraries too, as iostats does.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${PSUITE:=$here/../../build-release/psuite}" "${ROUNDS:=5}"
export COMPILES=${COMPILES:-40}
PSUITE=$(realpath "$PSUITE") top=$(realpath "$here/../..")
. "$here/../lib/need.sh"
need bindfs strace git gcc || exit 1
[ "$(id -u)" = 0 ] || { echo 'bindfs beside it needs root'; exit 0; }
dir=$(mktemp -d)
# Never a removal through what is still mounted: it is the machine's root.
clean() { umount "$dir/root/dev" "$dir/root/proc" 2>/dev/null; umount "$dir/one" "$dir/many" "$dir/root" 2>/dev/null; rmdir "$dir/root" && rm -rf --one-file-system "$dir"; }
trap clean EXIT
mkdir "$dir/root" "$dir/one" "$dir/many" "$dir/tree" "$dir/out"
mkdir "$dir/tree/files" && cp -r /usr/include/linux /usr/include/c++ "$dir/tree/files/"
git -C "$top" rev-parse --show-toplevel >/dev/null && git clone -q --bare "$top" "$dir/tree/repository"
cp -rp "$top/include" "$top/src" "$dir/tree/"
bindfs --no-allow-other "$dir/tree" "$dir/one" && bindfs --multithreaded --no-allow-other "$dir/tree" "$dir/many" || exit 1
bindfs --multithreaded --no-allow-other -o dev / "$dir/root" && mount --bind /dev "$dir/root/dev" && mount --bind /proc "$dir/root/proc" || exit 1

tar_() { tar cf - -C "$1" files | cat > /dev/null; }
git_() { rm -rf "$1/clone"; git clone -q "$1/repository" "$1/clone"; }
cc_() { local i; for ((i = 0; i < COMPILES; i++)); do gcc -O1 -I"$1/include" -c "$1/src/core/buf.c" -o "$1/buf.o"; done; }
export -f tar_ git_ cc_

TIMEFORMAT=%R
run() { # run NAME WORK FOLDER COMMAND...
  local name=$1 work=$2 folder=$3; shift 3
  { time "$@" bash -c "$work $folder" >/dev/null 2>&1; } 2>> "$dir/out/$name.$work"
}
median() { sort -n "$dir/out/$1.$2" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
for ((i = 0; i < ROUNDS; i++)); do
  for work in tar_ git_ cc_; do
    run plain $work "$dir/tree" env
    run iostats $work "$dir/tree" "$PSUITE" iostats -b fuse
    run bindfs $work "$dir/one" env
    run bindfs-many $work "$dir/many" env
    run bindfs-root $work "$dir/tree" chroot "$dir/root"
    run plain-again $work "$dir/tree" env
    run strace $work "$dir/tree" strace -c -f -o /dev/null
  done
done
echo "load $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) CPUs, medians of $ROUNDS"
echo "| slow-down | tar | git clone | $COMPILES compiles |"; echo '|---|---|---|---|'
for name in plain plain-again iostats bindfs bindfs-many bindfs-root strace; do
  printf '| %s |' $name
  for work in tar_ git_ cc_; do awk -v a="$(median $name $work)" -v b="$(median plain $work)" 'BEGIN { printf " %.2f |", a / b }'; done
  echo
done
