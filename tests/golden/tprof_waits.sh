# tprof -w on the fake platform: threads that sleep, that want a CPU, that sleep throughout; records that are lost; every
# view, live and out of its recording; what it is refused for.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/golden/tprof_waits system=$TESTS/golden/tprof_system

fake() { PSUITE_FAKE=$system/waits.scenario "$PSUITE_FAKE_BIN" tprof "$@"; }

view() { # view NAME ARGUMENT...: what it prints is NAME.out
  local name=$1; shift
  status "$name" 0 fake "$@"
  sed "s|$system|GOLDEN|g" "$scratch/out" > "$scratch/text"
  same "$name: the report" "$own/$name.out" "$scratch/text"
}
view flat -w 7
view rows -w --rows 1 7
view threads -w --threads 7
view all -w -a --by-process -t 2
view json -w --json 7
view chains -wg 7
view tree -wg --tree --threads 7
view callers -wg --callers 7
view around -wg --around foo 7
view chains.json -wg --json 7
ok 'the JSON is JSON' sh -c "'$PSUITE_FAKE_BIN' --version >/dev/null; python3 -m json.tool < '$own/json.out' && python3 -m json.tool < '$own/chains.json.out'"

# --- written formats
status 'folded' 0 fake -wg -q -o folded:- 7
cp "$scratch/out" "$scratch/folded"
same 'folded stacks' "$own/folded.out" "$scratch/folded"
status 'the flame graph' 0 fake -wg -q -o flame:"$scratch/svg" 7
has 'has waits in their own colour' '<rect class="w( edge)?"[^>]*><title>\(asleep\)' "$scratch/svg"
has 'has those for a CPU, too' '<rect class="w( edge)?"[^>]*><title>\(preempted\)' "$scratch/svg"
has 'which its legend tells' 'class="w".*<text[^>]*>waiting [0-9.]+%' "$scratch/svg"
for format in pprof speedscope firefox callgrind; do
  status "as $format" 0 fake -wg -q -o "$format:$scratch/$format" 7
done

# --- recorded
for how in '' -g; do
  status "recording -w $how" 0 fake -w $how -q -fo "$scratch/none" --record "$scratch/recording" -f 7
  for as in '' --threads --json; do
    fake -w $how $as 7 > "$scratch/live"
    status "recorded: -w $how $as" 0 "$PSUITE" tprof --sysroot "$system/root" $how $as "$scratch/recording"
    same 'says the same' "$scratch/live" "$scratch/out"
  done
done

# --- without -w nothing of it is there
status 'without -w' 0 fake 7
hasnt 'no wait is told' 'wait|asleep|running' "$scratch/out"
status 'waits by the thread'\''s own clock' 0 fake -w -e task-clock 7

# --- refused
status 'waits by events' 1 fake -w -e page-faults 7
text 'cannot be added' 'tprof: -w: waits are time, but page-faults does not count time' "$(head -1 "$scratch/err")"
finish
