# iostats by fuse on this machine: a workload that knows its messages; what the command is and leaves; killed at any moment.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
: "${WORK:=$TESTS/../build/work}"
[ "$(id -u)" = 0 ] || { skip 'iostats by fuse' 'not root'; finish; }
"$PSUITE" iostats -b fuse true >/dev/null 2>"$scratch/err" || { skip 'iostats by fuse' "$(head -1 "$scratch/err")"; finish; }
i() { timeout -k 5 400 "$PSUITE" iostats -b fuse "$@"; }
# Ours: their commands name the scratch folder.
ours() { pgrep -f "^$PSUITE iostats .*$scratch"; }
servers() { ours | wc -l; }
gone() { local _; for _ in $(seq 100); do [ "$(servers)" = 0 ] && return; sleep 0.2; done; ours | xargs ps -f -p; return 1; }

# --- exactly the messages that the workload knows of
# messages REPORT: `MESSAGE COUNT', a line each
messages() { awk '/^Message/ { on = 1; next } on && !NF { exit } on { print $1, $2 }' "$1"; }
mkdir "$scratch/files"
status 'the exec alone' 0 i "$WORK/iomessages"
messages "$scratch/err" > "$scratch/before"
status 'the workload' 0 i "$WORK/iomessages" "$scratch/files" "$scratch/expected"
cp "$scratch/err" "$scratch/report"
text 'each file its opens, reads, writes and bytes' "$(grep / "$scratch/expected" | sort)" "$(grep -F " $scratch/files/" "$scratch/report" | sort)"
# The file of the expectations is itself made, written to and closed: once, at the end.
for m in create open clunk remove wstat; do
  want=$(awk -v m=$m '$1 == m { print $2 }' "$scratch/expected")
  [ $m != create ] && [ $m != clunk ] || want=$((want + 1))
  got=$(messages "$scratch/report" | cat "$scratch/before" - | awk -v m=$m '$1 == m { n = $2 - n } END { print n + 0 }')
  text "all of $m" "$want" "$got"
done
tail -3 "$scratch/report" > "$scratch/last"
has 'the last line tells the way and what it cannot see' '^messages counted by fuse; not counted: .*inherited descriptors, copies of standard ones above 2$' "$scratch/last"

# --- the command is as without us
status 'its exit status' 3 i sh -c 'exit 3'
status 'its signal' 143 i sh -c 'kill -TERM $$'
status 'not found' 127 i psuite-no-such-program
status 'not executable' 126 i /etc/passwd
here=$(cd "$scratch" && i sh -c 'pwd; id -u; ls /proc/self/fd | wc -l' 3</dev/null 2>/dev/null)
text 'directory, user, descriptors' "$(cd "$scratch" && sh -c 'pwd; id -u; ls /proc/self/fd | wc -l' 3</dev/null)" "$here"
text 'a pipe on its standard streams' 'abc' "$(echo abc | i cat 2>/dev/null)"
text 'a descriptor given along' 'from 5' "$(echo 'from 5' | { exec 5<&0; i sh -c 'cat <&5' 2>/dev/null </dev/null; })"
status 'another user is refused as ever' 1 i setpriv --reuid 65534 --regid 65534 --clear-groups cat /etc/shadow
mkdir -m 700 "$scratch/private" && echo secret > "$scratch/private/file" && chmod 755 "$scratch" && chmod 644 "$scratch/private/file"
status 'also behind a directory that root has just read' 1 i sh -c "cat '$scratch/private/file' && setpriv --reuid 65534 --regid 65534 --clear-groups cat '$scratch/private/file'"
as_nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
mkdir -m 755 "$scratch/suid" "$scratch/nosuid" && install -m 4755 "$(command -v id)" "$scratch/suid/id" && mknod "$scratch/null" c 1 3
text 'a set-user-id program has its effect' 0 "$(i $as_nobody "$scratch/suid/id" -u 2>/dev/null)"
text 'but not where its mount ignores it' 65534 "$(export PSUITE scratch; unshare -m sh -c 'mount -t tmpfs -o nosuid,mode=755 t "$scratch/nosuid" && cp -p "$scratch/suid/id" "$scratch/nosuid/" && exec timeout 60 "$PSUITE" iostats -b fuse '"$as_nobody"' "$scratch/nosuid/id" -u' 2>/dev/null)"
status 'a chown to nobody changes the time of change' 0 i sh -c 'touch "$1"; was=$(stat -c %z "$1"); sleep 0.05; chown : "$1"; [ "$was" != "$(stat -c %z "$1")" ]' sh "$scratch/touched"
status 'a device outside /dev is nobody'"'"'s' 1 i cat "$scratch/null"
text 'no mount of it outside' '' "$(grep '^psuite / ' /proc/mounts)"

# --- who may not open /dev/fuse is traced
open=$(mktemp -d /tmp/iostats.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
chmod 755 "$open"; install -m 755 "$PSUITE" "$open/psuite"
user='setpriv --reuid 65534 --regid 65534 --clear-groups'
if $user test -r /dev/fuse; then
  skip 'refused by fuse' 'everybody may open /dev/fuse'
else
  status 'refused by fuse: traced, and interrupted' 130 timeout --preserve-status -s INT 1 $user "$open/psuite" iostats sh -c 'trap "exit 130" INT; while :; do sleep 0.1; done'
  has 'the report says why' '^calls counted by ptrace.*, not by 9p \(mount -t 9p: [^)]*\), fuse \(/dev/fuse: (Permission denied|No such file or directory)\); not counted: ' "$scratch/err"
fi

# --- what it leaves running goes on, and the server with it
rm -f "$scratch/late"
status 'a daemon is not waited for' 0 i sh -c "(sleep 1; echo late > '$scratch/late') >/dev/null 2>&1 </dev/null &"
sleep 2
text 'and can still write' 'late' "$(cat "$scratch/late")"
ok 'then the server ends' gone

# --- killed, twenty times, at any moment
for after in 0.00 0.01 0.02 0.03 0.05 0.07 0.1 0.13 0.17 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.55 0.6 0.7 0.8; do
  IOSTATS_TEST=$scratch "$PSUITE" iostats -b fuse sh -c 'for i in 1 2 3 4 5 6; do cat /etc/passwd; sleep 0.1; done' "$scratch" >/dev/null 2>&1 &
  sleep $after; kill -9 $!
  wait $! 2>/dev/null
done
ok 'killed: nothing is left' gone
marked() { local p; for p in /proc/[0-9]*; do grep -qsz "^IOSTATS_TEST=$scratch$" "$p/environ" && grep -qs '^psuite / ' "$p/mounts" && echo "$p"; done; }
text 'nor a process in such a root' '' "$(marked)"
"$PSUITE" iostats sh -c 'trap "" HUP; for i in 1 2 3 4 5 6 7 8 9; do cat /etc/passwd; sleep 0.1; done' "$scratch" >/dev/null 2>&1 &
sleep 0.4
kill -9 $(ours)
wait $! 2>/dev/null; sleep 1.5
text 'its server killed as well: no process hangs' '' "$(ps -eo stat,args | grep '^D.*etc/passwd')"

"$PSUITE" iostats sleep 20 2> "$scratch/err" & sleep 0.5; kill -TERM $!; wait $!
text 'an interrupt ends it' 143 $?
has 'and reports' '^open +[0-9]+' "$scratch/err"

# --- CPUs are kept from sleeping deeply only while much is asked
ours_hold() { local p; for p in $(ours); do readlink /proc/"$p"/fd/*; done 2>/dev/null | grep -qx /dev/cpu_dma_latency; }
ours_do_not() { ! ours_hold; }
seen() { local _; for _ in $(seq 200); do "$@" && return; sleep 0.05; done; return 1; }
for_a_second() { local _; for _ in $(seq 20); do "$@" || return; sleep 0.05; done; }
# asking SECONDS: archives until there is $scratch/enough, then sleeps
asking() { exec "$PSUITE" iostats -b fuse sh -c 'while [ ! -e "$1/enough" ]; do tar cf "$1/t.tar" -C /usr/include linux; done; touch "$1/asleep"; exec sleep "$2"' sh "$scratch" "$1" >/dev/null 2>&1; }
if ! (: > /dev/cpu_dma_latency) 2>/dev/null; then
  skip 'CPUs are kept awake' '/dev/cpu_dma_latency cannot be opened'
else
  asking 30 & awake=$!
  ok 'CPUs are kept awake while much is asked' seen ours_hold
  touch "$scratch/enough"; seen test -e "$scratch/asleep"
  ok 'not any more when the command sleeps' seen for_a_second ours_do_not
  kill -TERM $awake; wait $awake
  rm "$scratch/enough"
  asking 1 & awake=$!
  ok 'and again' seen ours_hold
  kill -9 $awake; wait $awake 2>/dev/null
  ok 'killed: its server goes on' ours
  ok 'and lets them sleep, though much is asked' seen for_a_second ours_do_not
  touch "$scratch/enough"
  ok 'and it ends with the command' gone
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
status '100,000 files' 0 i find "$scratch/many" -type f -newermt 2000-01-01
touch "$scratch/found"; wait $watcher; read -r fds rss < "$scratch/most"
holds "$fds descriptors of the server, by directories" "$fds > 5 && $fds < 300"
holds "$rss KB of memory, by files" "$rss > 1000 && $rss < 40000"
text 'each is found' 100000 "$(wc -l < "$scratch/out")"
holds 'each was looked up and asked' "$(messages "$scratch/err" | awk '$1 == "stat" { print $2 }') >= 100000"
mkdir -p "$scratch/deep" && (cd "$scratch/deep" && for d in $(seq 300); do mkdir -p "$d/a/b/c" && echo "$d" > "$d/a/b/c/file"; done)
text 'directories, more than descriptors' 300 "$(ulimit -n 200; i sh -c "cat '$scratch'/deep/*/a/b/c/file; cat '$scratch'/deep/*/a/b/c/file" 2>/dev/null | sort -u | wc -l)"

# --- names that are missing: kept for a second where nobody is likely to make them, and never against what the command makes
mkdir -m 755 "$scratch/still" "$scratch/lively" && mkdir "$scratch/open" && chmod 1777 "$scratch/open"
touch -d '2 hours ago' "$scratch/still" "$scratch/open"
missed() { # missed FOLDER: how many of 600 failed walks there were messages
  i --json sh -c 'n=0; while [ $n -lt 300 ]; do [ -e "$1/a" ]; [ -e "$1/b" ]; n=$((n + 1)); done' sh "$1" 2>&1 >/dev/null | grep -oE '"walk","count":[0-9]+,"errors":[0-9]+' | sed 's/.*://'
}
holds 'those of a directory that is still: few are asked' "$(missed "$scratch/still") < 300"
holds 'of one that has just changed: all' "$(missed "$scratch/lively") >= 600"
holds 'of one that is open to others: all' "$(missed "$scratch/open") >= 600"
status 'what the command makes is there at once' 0 i sh -c 'cd "$1"; for n in 1 2 3 4 5; do [ ! -e n$n ] && echo >n$n && [ -s n$n ] && [ ! -e m$n ] && mv n$n m$n && [ ! -e n$n ] && [ -s m$n ] || exit 1; done; rm m*; [ ! -e m1 ]' sh "$scratch/still"
touch -d '2 hours ago' "$scratch/still"
(sleep 0.7; touch "$scratch/still/late" "$scratch/lively/late") & # both are asked for before that
status 'what others make is there, after a second if it was missed' 0 i sh -c '[ ! -e "$1/late" ] && [ ! -e "$2/late" ] && sleep 1 && [ -e "$2/late" ] && sleep 1 && [ -e "$1/late" ]' sh "$scratch/still" "$scratch/lively"
wait

# --- the log
status 'a log' 0 i -f "$scratch/log" cat /etc/passwd
has 'has a line a message' '^[0-9.]+ +[0-9.]+ us open +12 +24 /etc/passwd$' "$scratch/log"
text 'as many as were counted' "$(sed -n 's/^rpc *\([0-9]*\) count/\1/p' "$scratch/err")" "$(wc -l < "$scratch/log")"

# --- Chrome's trace, by both ways
need python3 || finish
for way in fuse ptrace; do
  status "by $way: a trace" 0 timeout 60 "$PSUITE" iostats -b $way --json --trace "$scratch/$way.trace" tar cf "$scratch/t.tar" -C /usr/include linux
  text "by $way: it agrees with the report" '' "$(python3 "$TESTS/lib/iochrome.py" "$scratch/$way.trace" "$scratch/err" 2>&1)"
  holds "by $way: of thousands" "$(wc -l < "$scratch/$way.trace") > 2000"
done
status 'a trace of what is not found' 127 i --trace "$scratch/none" psuite-no-such-program
text 'is empty' 1 "$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))))' "$scratch/none")"
finish
