#!/bin/bash
# The cost of reading a directory of this machine over 9P, compared with diod: diod's clients (diodcat, diodls) read from each server
# in turn over TCP.
#   PSUITE  the executable (build-release)      ROUNDS (5)
# file: BIG (256) MB in messages of 64 KB; list: `ls -l' of FILES (5000) files, a walk, getattr and clunk each. Medians; ratios are of
# the same round. server: the server's own CPU time, user and system. The kernel's client is tested only in the guests.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${PSUITE:=$here/../../build-release/psuite}" "${ROUNDS:=5}" "${BIG:=256}" "${FILES:=5000}"
. "$here/../lib/need.sh"
need diod || exit 1
dir=$(mktemp -d); trap 'kill $servers 2>/dev/null; wait 2>/dev/null; rm -rf "$dir"' EXIT
mkdir -p "$dir/tree/many" && head -c "${BIG}M" /dev/urandom > "$dir/tree/big"
(cd "$dir/tree/many" && seq -f f%g "$FILES" | xargs touch)

"$PSUITE" export -r "$dir/tree" 'tcp!localhost!0' 2> "$dir/said" & ours=$!
diod -f -n -N -l 127.0.0.1:5651 -e "$dir/tree" 2> /dev/null & diods=$!
servers="$ours $diods"
for _ in $(seq 100); do grep -q serving "$dir/said" && break; sleep 0.05; done
port=$(sed -n 's/.*[:!]//p' "$dir/said")

ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }
TIMEFORMAT=%R
# run NAME PID COMMAND...: seconds and the server's ticks, a line a round
run() {
  local name=$1 pid=$2 before; shift 2
  before=$(ticks "$pid")
  { time "$@" > "$dir/out.$name"; } 2> "$dir/time"
  echo "$(cat "$dir/time") $(($(ticks "$pid") - before))" >> "$dir/$name"
}
for ((i = 0; i < ROUNDS; i++)); do
  run file.psuite "$ours" diodcat -s "127.0.0.1:$port" -a / big
  run file.diod "$diods" diodcat -s 127.0.0.1:5651 -a "$dir/tree" big
  run list.psuite "$ours" diodls -l -s "127.0.0.1:$port" -a / many
  run list.diod "$diods" diodls -l -s 127.0.0.1:5651 -a "$dir/tree" many
done
for work in file list; do cmp <(sort "$dir/out.$work.psuite") <(sort "$dir/out.$work.diod") || { echo "$work: not the same"; exit 1; }; done

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
echo "Load $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) CPUs, $BIG MB, $FILES files."
echo
echo '| work | psuite s | diod s | ratio | server: psuite s | server: diod s |'; echo '|---|---|---|---|---|---|'
for work in file list; do
  printf '| %s | %s | %s | %.2f | %.2f | %.2f |\n' $work "$(cut -d' ' -f1 "$dir/$work.psuite" | median)" "$(cut -d' ' -f1 "$dir/$work.diod" | median)" \
    "$(paste -d' ' "$dir/$work.psuite" "$dir/$work.diod" | awk '{ print $1 / $3 }' | median)" \
    "$(cut -d' ' -f2 "$dir/$work.psuite" | median | awk '{ print $1 / 100 }')" "$(cut -d' ' -f2 "$dir/$work.diod" | median | awk '{ print $1 / 100 }')"
done
