# SIGKILL at random instants, to any process that psuite has started of itself: no mount, tracing instance, probe, stopped process
# or child is left, at once and not when psuite is started again. KILLS: how often each (3); SEED: which instants;
# CASES: these alone, a line each.
. lib/check.sh
. lib/tracefs.sh
: "${KILLS:=3}" "${SEED:=1}"
psuite=$(readlink -f "$PSUITE")
cd "$scratch" || exit
RANDOM=$SEED
mkdir here
sh -c 'while :; do sleep 0.02; cat /etc/passwd > /dev/null; done' & target=$!
unbind() { while timeout 10 "$PSUITE" unbind -l here 2> /dev/null; do :; done; }
trap 'kill $target 2> /dev/null; grep -lsz "^KILLS_MARK=$$-" /proc/[0-9]*/environ | cut -d/ -f3 | xargs -r kill -KILL; unbind' EXIT
short='cat /etc/passwd > /dev/null; sleep 0.1; cat /etc/group > /dev/null'
export KILLS_MARK=

# %T is the target, which must run on, SHORT and NS are what is run.
cases=('time sh -c SHORT' 'time -n 20 sh -c SHORT' 'tprof -g --record recording -f -x sh -c SHORT' 'tprof -a -t 1' 'tprof -t 1 %T'
  'tprof -E ptrace -t 1 %T' 'tprof -E ptrace -x sh -c SHORT' 'kprof -t 1' 'kprof -x sh -c SHORT' 'trace -f -o events -x sh -c SHORT' 'trace -s 1' 'trace -s 1 %T'
  'stats -T 0.1 --samples 9' 'stats --web tcp!localhost!0' 'iostats -b ptrace sh -c SHORT' 'iostats -b fuse sh -c SHORT' 'iostats -b 9p sh -c SHORT'
  'iostats -p %T' 'ns -c NS' 'bind #c here' 'bind -f #c here' 'bind -a #c here' 'bind -f / here' 'export unix!socket')

# marked: the processes of this round
marked() { grep -lsz "^KILLS_MARK=$1\$" /proc/[0-9]*/environ | sed 's|/proc/||; s|/environ||'; }
ours() { local p; for p in $(marked "$1"); do [ "$(readlink /proc/$p/exe)" != "$psuite" ] || echo $p; done; }
mounts() { grep -E "$scratch|psuite-bind" /proc/self/mountinfo; ls -d /run/psuite-* /tmp/psuite-bind* 2> /dev/null; }
tracing() {
  local of
  for of in $(instance_pids); do [ -e /proc/$of ] || echo "instance of $of"; done
  in_tracefs sh -c 'cd "$0" && for f in kprobe_events uprobe_events dynamic_events current_tracer tracing_on; do echo "$f: $(cat $f 2> /dev/null)"; done' $tracefs
}
stopped() { sed -n 's/^State:\t\([tT].*\)/\1/p; s/^TracerPid:\t\([1-9].*\)/traced by \1/p' /proc/$target/status; }
# left: all that must be nothing, or as before
left() { marked "$1" | sed 's/^/process /'; mounts; [ "$(id -u)" != 0 ] || tracing; stopped; ls here; }
left none > before

# start CASE ROUND: in the background
start() {
  local words=() word
  for word in $1; do
    case $word in SHORT) word=$short ;; NS) word='write #K/kpctl startclr; cat #c/sysstat; sleep 0.1' ;; %T) word=$target ;; esac
    words+=("$word")
  done
  KILLS_MARK=$2 setsid "$PSUITE" "${words[@]}" > out 2> err < /dev/null &
}
# clean CASE ROUND: until all is as before, a minute at most. Servers that were not hit, or have only just come, are asked to end.
clean() {
  local p end=$((SECONDS + 60))
  while [ $SECONDS -lt $end ]; do
    case $1 in bind* | export* | stats\ --web* | iostats\ -p*) for p in $(ours "$2"); do kill -TERM $p 2> /dev/null; done ;; esac
    left "$2" > after
    ! cmp -s before after || return 0
    sleep 0.05
  done
  return 1
}
# What the command reads may have ended with what was killed; all that it started ends then, too.
strike() {
  local round=$$-$2-$3 pids
  start "$1" $round
  sleep 0.$(printf %03d $((RANDOM % 160)))
  mapfile -t pids < <(ours $round)
  [ ${#pids[@]} = 0 ] || { kill -KILL ${pids[RANDOM % ${#pids[@]}]} 2> /dev/null && struck=$((struck + 1)); }
  clean "$1" $round && return
  fail "$1: round $3" "$(diff before after | head)" "$(head -3 err)"
  marked $round | xargs -r kill -KILL; unbind; rm -rf here/*
  left none > before
  return 1
}
[ -z "${CASES:-}" ] || mapfile -t cases <<< "$CASES"
for ((c = 0; c < ${#cases[@]}; c++)); do
  wrong=0 struck=0
  for ((i = 0; i < KILLS; i++)); do
    strike "${cases[c]}" $c $i || wrong=$((wrong + 1))
  done
  if [ $struck = 0 ]; then skip "${cases[c]}" "never killed: $(head -1 err)"
  else text "${cases[c]}: $struck of $KILLS kills hit; something is left after" 0 $wrong; fi
done

# An instant that chance rarely meets: the system call after the one that makes the directory to mount at. A first run finds its name and
# its number among the calls of that name; as that may differ from run to run, the kill is repeated until it has met that call.
bind_traced() { timeout 60 setsid strace -qq -o trace "$@" "$PSUITE" bind -a '#c' here > out 2> err < /dev/null; }
next_call() { awk '{ sub(/[(].*/, ""); seen[$0]++ } made { print $0, seen[$0]; exit } { made = $0 ~ /^mkdir/ }' trace; }
killed_at_directory() {
  local call number
  for _ in {1..20}; do
    bind_traced; unbind
    read -r call number <<< "$(next_call)"
    KILLS_MARK=$$-directory bind_traced -e "inject=$call:signal=KILL:when=$number"
    tail -3 trace | grep -q '^mkdir.*/psuite-bind.* = 0' && return
    unbind
  done
  return 1
}
if [ -z "${CASES:-}" ] && [ "$(id -u)" = 0 ]; then
  left none > before
  if killed_at_directory; then
    if clean 'bind -a #c here' $$-directory; then pass 'bind, killed when it has made a directory'; else fail 'bind, killed when it has made a directory' "$(diff before after)"; fi
  else skip 'bind, killed when it has made a directory' "strace did not meet that instant: $(head -1 err)"; fi
fi
# Asked to end before it has run an instruction of its own, what guards a mount stays.
first_child() { local p; for p in $(ours $$-guard); do grep -q "^PPid:.$1\$" /proc/$p/status && echo $p && return; done; return 1; }
is_traced() { bound=$(ours $$-guard | head -1) && guard=$(first_child "$bound"); }
is_bound() { grep -q " $scratch/here " /proc/self/mountinfo && ! [ -e /proc/$bound ]; }
if [ -z "${CASES:-}" ] && [ "$(id -u)" = 0 ] && command -v strace > /dev/null; then
  left none > before
  KILLS_MARK=$$-guard setsid strace -f -qq -o trace -e trace=setsid -e inject=setsid:delay_enter=700000 "$PSUITE" bind '#c' here > out 2> err < /dev/null &
  if until_ok is_traced; then
    kill -TERM "$guard"
    until_ok is_bound
    text 'bind, its guardian asked to end at its begin: it and the server run' 2 "$(ours $$-guard | wc -l)"
    unbind
    if clean bind $$-guard; then pass 'and end with it'; else fail 'and end with it' "$(diff before after)"; fi
  else skip 'bind, its guardian asked to end' "strace: $(head -1 err)"; fi
fi
# The helper of ordinary users mounts when psuite has been killed already, and its guardian has found nothing.
is_waiting() { [ -e helper_waits ]; }
if [ -z "${CASES:-}" ] && [ "$(id -u)" != 0 ] && helper=$(command -v fusermount3) && (: <> /dev/fuse) 2> /dev/null; then
  mkdir -p bin
  cat > bin/fusermount3 << E
#!/bin/sh
case \$* in *psuite*) : > '$scratch/helper_waits'; sleep 0.5 ;; esac
exec '$helper' "\$@"
E
  chmod +x bin/fusermount3
  left none > before
  KILLS_MARK=$$-late PATH=$scratch/bin:$PATH setsid "$PSUITE" bind '#c' here > out 2> err < /dev/null &
  if until_ok is_waiting; then
    kill -KILL $!
    sleep 1
    if clean bind $$-late; then pass 'bind, killed before its helper mounts'; else fail 'bind, killed before its helper mounts' "$(diff before after)"; unbind; fi
  else fail 'bind, killed before its helper mounts' "$(head -3 err)"; fi
fi
kill $target; wait $target 2> /dev/null
finish
