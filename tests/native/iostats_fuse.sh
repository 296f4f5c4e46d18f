# iostats by fuse on this machine: what the command is and leaves; killed at any moment.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
: "${WORK:=$TESTS/../build/work}"
[ "$(id -u)" = 0 ] || { skip 'iostats by fuse' 'not root'; finish; }
"$PSUITE" iostats -b fuse true >/dev/null 2>"$scratch/err" || { skip 'iostats by fuse' "$(head -1 "$scratch/err")"; finish; }
i() { timeout -k 5 400 "$PSUITE" iostats -b fuse "$@"; }
# Ours: their commands name the scratch folder.
ours() { pgrep -f "^$PSUITE iostats .*$scratch"; }
servers() { ours | wc -l; }
gone() { local _; for _ in $(seq 600); do [ "$(servers)" = 0 ] && return; sleep 0.2; done; ours | xargs ps -f -p; return 1; }

# --- the command is as without us
status 'iostats -b fuse: exit status of the command' 3 i sh -c 'exit 3'
status 'iostats -b fuse: status of a command that a signal ends' 143 i sh -c 'kill -TERM $$'
status 'iostats -b fuse: status 127 if the command is not found' 127 i psuite-no-such-program
status 'iostats -b fuse: status 126 if the file is not executable' 126 i /etc/passwd
here=$(cd "$scratch" && i sh -c 'pwd; id -u; ls /proc/self/fd | wc -l' 3</dev/null 2>/dev/null)
text 'iostats -b fuse: the command has its directory, user and descriptors' "$(cd "$scratch" && sh -c 'pwd; id -u; ls /proc/self/fd | wc -l' 3</dev/null)" "$here"
text 'iostats -b fuse passes standard input from a pipe' 'abc' "$(echo abc | i cat 2>/dev/null)"
text 'iostats -b fuse passes descriptor 5' 'from 5' "$(echo 'from 5' | { exec 5<&0; i sh -c 'cat <&5' 2>/dev/null </dev/null; })"
status "iostats -b fuse by root: another user may not read root's file" 1 i setpriv --reuid 65534 --regid 65534 --clear-groups cat /etc/shadow
mkdir -m 700 "$scratch/private" && echo secret > "$scratch/private/file" && chmod 755 "$scratch" && chmod 644 "$scratch/private/file"
status 'iostats -b fuse by root: another user may not read below a directory of mode 700 that root has just read' 1 i sh -c "cat '$scratch/private/file' && setpriv --reuid 65534 --regid 65534 --clear-groups cat '$scratch/private/file'"
as_nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
mkdir -m 755 "$scratch/suid" "$scratch/nosuid" && install -m 4755 "$(command -v id)" "$scratch/suid/id" && mknod "$scratch/null" c 1 3
text 'iostats -b fuse: a set-user-id program has its effect' 0 "$(i $as_nobody "$scratch/suid/id" -u 2>/dev/null)"
text 'iostats -b fuse: a set-user-id program has no effect on a nosuid mount' 65534 "$(export PSUITE scratch; unshare -m sh -c 'mount -t tmpfs -o nosuid,mode=755 t "$scratch/nosuid" && cp -p "$scratch/suid/id" "$scratch/nosuid/" && exec timeout 60 "$PSUITE" iostats -b fuse '"$as_nobody"' "$scratch/nosuid/id" -u' 2>/dev/null)"
status 'iostats -b fuse: a chown without a user changes the ctime' 0 i sh -c 'touch "$1"; was=$(stat -c %z "$1"); sleep 0.05; chown : "$1"; [ "$was" != "$(stat -c %z "$1")" ]' sh "$scratch/touched"
status 'a device outside /dev is nobody'"'"'s' 1 i cat "$scratch/null"
text 'iostats -b fuse: its mount is not visible outside' '' "$(grep '^psuite / ' /proc/mounts)"

# --- who may not open /dev/fuse is traced
open=$(mktemp -d /tmp/iostats.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
chmod 755 "$open"; install -m 755 "$PSUITE" "$open/psuite"
user='setpriv --reuid 65534 --regid 65534 --clear-groups'
if $user test -r /dev/fuse; then
  skip 'iostats by a user who may not open /dev/fuse' 'everybody may open /dev/fuse'
else
  interrupted ready "$scratch/traced" $user "$open/psuite" iostats sh -c 'trap "exit 130" INT; echo ready; while :; do sleep 0.1; done'
  text 'iostats by a user who may not open /dev/fuse uses ptrace; interrupted' 130 $?
  has 'iostats by a user who may not open /dev/fuse: the report says why it uses ptrace' '^calls counted by ptrace.*, not by 9p \(mount -t 9p: [^)]*\), fuse \(/dev/fuse: (Permission denied|No such file or directory)\); not counted: ' "$scratch/traced"
fi

# --- what it leaves running goes on, and the server with it
rm -f "$scratch/late"
status 'iostats -b fuse does not wait for a daemon' 0 i sh -c "(sleep 1; echo late > '$scratch/late') >/dev/null 2>&1 </dev/null &"
until_ok grep -q late "$scratch/late"
text 'iostats -b fuse: a daemon can still write after the command has ended' 'late' "$(cat "$scratch/late")"
ok 'iostats -b fuse: the server ends after the daemon' gone

# --- killed, twenty times, at any moment
for after in 0.00 0.01 0.02 0.03 0.05 0.07 0.1 0.13 0.17 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.55 0.6 0.7 0.8; do
  IOSTATS_TEST=$scratch "$PSUITE" iostats -b fuse sh -c 'for i in 1 2 3 4 5 6; do cat /etc/passwd; sleep 0.1; done' "$scratch" >/dev/null 2>&1 &
  sleep $after; kill -9 $!
  wait $! 2>/dev/null
done
ok 'iostats -b fuse, killed 20 times: no process of it is left' gone
marked() { local p; for p in /proc/[0-9]*; do grep -qsz "^IOSTATS_TEST=$scratch$" "$p/environ" && grep -qs '^psuite / ' "$p/mounts" && echo "$p"; done; }
none_is_marked() { [ -z "$(marked)" ]; }
until_ok none_is_marked
text 'iostats -b fuse, killed 20 times: no process is left in its root' '' "$(marked)"
cp /etc/passwd "$scratch/hangs" # other tests may read other files now
"$PSUITE" iostats sh -c 'trap "" HUP; for i in 1 2 3 4 5 6 7 8 9; do cat "$0/hangs"; sleep 0.1; done' "$scratch" >/dev/null 2>&1 &
sleep 0.4
kill -9 $(ours)
wait $! 2>/dev/null; sleep 1.5
hanging() { ps -eo stat,args | grep "^D.*$scratch/hangs"; }
none_hangs() { ! hanging; }
until_ok none_hangs > /dev/null # a disk may be waited for, too
text 'iostats and its server killed: no process hangs' '' "$(hanging)"

rm -f "$scratch/began"
"$PSUITE" iostats sh -c ": > '$scratch/began'; exec sleep 90" 2> "$scratch/err" & iostats=$!
ok 'iostats: its command asks' until_ok test -e "$scratch/began"; kill -TERM $iostats; wait $iostats
text 'iostats: SIGTERM ends it with status 143' 143 $?
has 'iostats: a report after SIGTERM' '^open +[0-9]+' "$scratch/err"

# --- CPUs are kept from sleeping deeply only while much is asked
ours_hold() { local p; for p in $(ours); do readlink /proc/"$p"/fd/*; done 2>/dev/null | grep -qx /dev/cpu_dma_latency; }
ours_do_not() { ! ours_hold; }
for_a_second() { local _; for _ in $(seq 20); do "$@" || return; sleep 0.05; done; }
# asking SECONDS: archives until there is $scratch/enough, then sleeps
asking() { exec "$PSUITE" iostats -b fuse sh -c 'while [ ! -e "$1/enough" ]; do tar cf "$1/t.tar" -C /usr/include linux; done; touch "$1/asleep"; exec sleep "$2"' sh "$scratch" "$1" >/dev/null 2>&1; }
if ! (: > /dev/cpu_dma_latency) 2>/dev/null; then
  skip 'iostats -b fuse keeps CPUs awake' '/dev/cpu_dma_latency cannot be opened'
else
  asking 600 & awake=$!
  ok 'iostats -b fuse keeps CPUs awake while the command sends many requests' until_ok ours_hold
  touch "$scratch/enough"; until_ok test -e "$scratch/asleep"
  ok 'iostats -b fuse lets CPUs sleep when the command sleeps' until_ok for_a_second ours_do_not
  kill -TERM $awake; wait $awake
  rm "$scratch/enough"
  asking 1 & awake=$!
  ok 'iostats -b fuse keeps CPUs awake in a second run' until_ok ours_hold
  kill -9 $awake; wait $awake 2>/dev/null
  ok 'iostats -b fuse killed: its server runs on' ours
  ok 'iostats -b fuse killed: its server lets CPUs sleep, though the command sends many requests' until_ok for_a_second ours_do_not
  touch "$scratch/enough"
  ok 'iostats -b fuse killed: its server ends with the command' gone
fi

# --- many files: memory and descriptors do not grow with them
mkdir "$scratch/many"
(cd "$scratch/many" && for d in $(seq 100); do mkdir "$d" && (cd "$d" && seq -f f%g 1000 | xargs touch); done)
# The server's descriptors and memory, the most of both that were seen.
most() {
  local pid fds rss top_fds=0 top_rss=0
  while [ ! -e "$scratch/found" ]; do
    for pid in $(ours); do
      fds=$(ls "/proc/$pid/fd" 2>/dev/null | wc -l) rss=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null)
      [ "$fds" -le $top_fds ] || top_fds=$fds
      [ "${rss:-0}" -le $top_rss ] || top_rss=$rss
    done
    sleep 0.1
  done
  echo "$top_fds $top_rss"
}
most > "$scratch/most" & watcher=$!
status 'iostats -b fuse of find over 100,000 files' 0 i find "$scratch/many" -type f -newermt 2000-01-01
touch "$scratch/found"; wait $watcher; read -r fds rss < "$scratch/most"
holds "100,000 files: the server has $fds descriptors" "$fds > 5 && $fds < 300"
holds "100,000 files: the server has $rss KB of memory" "$rss > 1000 && $rss < 40000"
text '100,000 files: each is found' 100000 "$(wc -l < "$scratch/out")"
holds '100,000 files: each has a stat message' "$(awk '/^Message/ { on = 1 } on && $1 == "stat" { print $2; exit }' "$scratch/err") >= 100000"
mkdir -p "$scratch/deep" && (cd "$scratch/deep" && for d in $(seq 300); do mkdir -p "$d/a/b/c" && echo "$d" > "$d/a/b/c/file"; done)
text 'iostats -b fuse of more directories than the limit of descriptors' 300 "$(ulimit -n 200; i sh -c "cat '$scratch'/deep/*/a/b/c/file; cat '$scratch'/deep/*/a/b/c/file" 2>/dev/null | sort -u | wc -l)"

# --- names that are missing: kept for a second where nobody is likely to make them, and never against what the command makes
mkdir -m 755 "$scratch/still" "$scratch/lively" && mkdir "$scratch/open" && chmod 1777 "$scratch/open"
touch -d '2 hours ago' "$scratch/still" "$scratch/open"
missed() { # missed FOLDER: how many of 600 failed walks there were messages
  i --json sh -c 'n=0; while [ $n -lt 300 ]; do [ -e "$1/a" ]; [ -e "$1/b" ]; n=$((n + 1)); done' sh "$1" 2>&1 >/dev/null | grep -oE '"walk","count":[0-9]+,"errors":[0-9]+' | sed 's/.*://'
}
holds 'missing names of a directory that nobody changes: fewer than half are asked' "$(missed "$scratch/still") < 300"
holds 'missing names of a directory that has just changed: all are asked' "$(missed "$scratch/lively") >= 600"
holds 'missing names of a directory that others may write to: all are asked' "$(missed "$scratch/open") >= 600"
status 'missing names: a file that the command makes is there at once' 0 i sh -c 'cd "$1"; for n in 1 2 3 4 5; do [ ! -e n$n ] && echo >n$n && [ -s n$n ] && [ ! -e m$n ] && mv n$n m$n && [ ! -e n$n ] && [ -s m$n ] || exit 1; done; rm m*; [ ! -e m1 ]' sh "$scratch/still"
touch -d '2 hours ago' "$scratch/still"
asked=$scratch/lively/asked
(until_ok test -e "$asked"; touch "$scratch/still/late" "$scratch/lively/late") &
status 'missing names: a file that others make is there, after a second if it was missed' 0 i sh -c '[ ! -e "$1/late" ] && [ ! -e "$2/late" ] && echo > "$2/asked" && for _ in $(seq 300); do [ ! -e "$2/late" ] || break; sleep 0.1; done && [ -e "$2/late" ] && sleep 1 && [ -e "$1/late" ]' sh "$scratch/still" "$scratch/lively"
wait

# --- the log
status 'iostats -b fuse -f: a log' 0 i -f "$scratch/log" cat /etc/passwd
has 'iostats -f: the log has one line per message' '^[0-9.]+ +[0-9.]+ us open +12 +24 /etc/passwd$' "$scratch/log"
text 'iostats -f: the log has as many lines as the report counts' "$(sed -n 's/^rpc *\([0-9]*\) count/\1/p' "$scratch/err")" "$(wc -l < "$scratch/log")"

# --- Chrome's trace, by both ways
need python3 || finish
for way in fuse ptrace; do
  status "iostats -b $way --trace" 0 timeout 400 "$PSUITE" iostats -b $way --json --trace "$scratch/$way.trace" tar cf "$scratch/t.tar" -C /usr/include linux
  text "iostats -b $way --trace: the trace agrees with the report" '' "$(python3 "$TESTS/lib/iochrome.py" "$scratch/$way.trace" "$scratch/err" 2>&1)"
  holds "iostats -b $way --trace: over 2000 lines" "$(wc -l < "$scratch/$way.trace") > 2000"
done
status 'iostats --trace: status 127 if the command is not found' 127 i --trace "$scratch/none" psuite-no-such-program
text 'iostats --trace: an empty trace if the command is not found' 1 "$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))))' "$scratch/none")"
finish
