# A command that psuite starts has the signals that psuite was started with: ignored, blocked, caught; and its
# oom_score_adj, although psuite's own is raised meanwhile. Generated: what starts commands, in each state that a shell or a
# service leaves.
. lib/check.sh
starters=('time' 'time -n 2 --show-output -o report -f' 'tprof -x' 'tprof -g --record samples -f -x' 'kprof -x' 'trace -x' 'trace -f -o events -x'
  'iostats -b ptrace' 'iostats -b ptrace --trace calls --force' 'iostats -b fuse' 'iostats -b 9p' 'iostats --no-standard')
states=(true 'trap "" PIPE' 'trap "" XFSZ' 'trap "" INT QUIT' 'trap "" HUP TERM TSTP' 'trap "" PIPE XFSZ CHLD USR1' 'ulimit -S -f 64'
  'echo 300 > /proc/self/oom_score_adj' 'echo 1000 > /proc/self/oom_score_adj')
cd "$scratch" || exit
show='grep -E "^Sig(Ign|Cgt|Blk)" /proc/self/status; ulimit -f; echo "oom $(cat /proc/self/oom_score_adj)"'

for state in "${states[@]}"; do
  bash -c "$state; exec bash -c '$show'" > wanted
  for starter in "${starters[@]}"; do
    timeout 60 bash -c "$state; exec \"\$@\"" bash "$PSUITE" $starter bash -c "$show" 2> err | grep -E '^Sig|^[0-9]+$|^unlimited$|^oom -?[0-9]+$' | head -5 > got
    if [ ! -s got ] && grep -Eq 'not permitted|hint|No such (file|device)|denied' err; then skip "$starter" "$(head -1 err)"; continue; fi
    same "$starter, after $state" wanted got
  done
done
finish
