# iostats by fuse: its server's threads at once on the same files, in one build watched by the thread sanitizer.
. "$(dirname "$0")/../lib/check.sh"
[ "$(id -u)" = 0 ] || { skip 'races of the server' 'not root'; finish; }
"$PSUITE" iostats -b fuse true >/dev/null 2>"$scratch/err" || { skip 'races of the server' "$(head -1 "$scratch/err")"; finish; }
export TSAN_OPTIONS="${TSAN_OPTIONS:-} log_path=$scratch/race"
i() { timeout -k 5 400 "$PSUITE" iostats -b fuse "$@"; }
# Four processes at once, with $1 and their number in $2.
at_once() { i sh -c 'for n in 1 2 3 4; do (eval "$2") & done; wait' sh "$scratch/work" "$1"; }

mkdir "$scratch/work"
status 'one open file' 0 i sh -c 'exec 3<>"$1/file"; for n in 1 2 3 4; do dd if=/dev/zero bs=700 count=2000 >&3 & done; wait' sh "$scratch/work"
text 'all of it' 5600000 "$(stat -c %s "$scratch/work/file")"
status 'one name' 0 at_once 'for k in 1 2 3 4 5 6 7 8 9; do echo $n > "$1/name"; cat "$1/name"; chmod 60$n "$1/name"; mv "$1/name" "$1/other"; rm -f "$1/other"; done; true'
status 'one directory' 0 at_once 'for k in 1 2 3 4 5 6 7 8 9; do mkdir -p "$1/dir/$n/$k"; ls -lR "$1/dir"; rm -r "$1/dir/$n"; done; true'
status 'one lock' 0 at_once 'for k in 1 2 3 4 5 6 7 8 9; do flock "$1/lock" true; done'
status 'a log of it' 0 i -f "$scratch/log" --trace "$scratch/trace" sh -c 'for n in 1 2 3 4; do tar cf /dev/null -C /usr/include linux & done; wait'
text 'no race' '' "$(cat "$scratch"/race.* 2>/dev/null | grep SUMMARY | sort | uniq -c)"
finish
