#!/bin/bash
# tprof --browse on a real terminal (tmux), of what perf recorded: its functions and callers have perf's samples.
. lib/check.sh
. lib/need.sh
. lib/perf.sh
need perf=linux-perf tmux gcc python3 || exit
socket=tprof-browse-$$
mux() { TERM=xterm-256color LC_ALL=C.UTF-8 tmux -L "$socket" -f /dev/null -u "$@"; }
trap 'mux kill-server 2>/dev/null; rm -rf "$scratch"' EXIT
# screen PATTERN: waits until the terminal shows it; the screen is in $scratch/screen
screen() {
  local try
  for try in $(seq 200); do
    mux capture-pane -p -t v > "$scratch/screen" 2>/dev/null
    grep -qE "$1" "$scratch/screen" && return
    sleep 0.1
  done
  return 1
}

cat > "$scratch/calls.c" <<'END'
#include <stdint.h>
static volatile uint64_t sink;
__attribute__((noinline)) uint64_t mix(uint64_t v) { for (int i = 0; i < 400; i++) v = v * 6364136223846793005u + (v >> 33); return v; }
__attribute__((noinline)) void often(void) { for (int i = 0; i < 300000; i++) sink += mix(i); }
__attribute__((noinline)) void seldom(void) { for (int i = 0; i < 100000; i++) sink += mix(i); sink++; }
__attribute__((noinline)) void fold(int depth) { if (depth) fold(depth - 1); else for (int i = 0; i < 100000; i++) sink += mix(i); sink++; }
int main(void) { often(); seldom(); fold(3); return 0; }
END
ok 'a program' gcc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o "$scratch/calls" "$scratch/calls.c"
peer='perf script'
if perf_records "$scratch/perf.data" -g -e cpu-clock:u -F 1999 "$scratch/calls"; then
  perf_script -i "$scratch/perf.data" -F ip,sym,dso > "$scratch/script"
else # some perfs cannot read what they record: then the chains are those that tprof writes for flame graphs
  skip 'perf script' 'perf cannot read what it records here'
  peer='the folded chains'
  status 'recorded by tprof' 0 "$PSUITE" tprof -g -f --record "$scratch/perf.data" -q -x "$scratch/calls"
  "$PSUITE" tprof -q -o "folded:$scratch/folded" "$scratch/perf.data"
  awk '{ n = split($1, f, ";"); for (k = $NF; k > 0; k--) { for (i = n; i; i--) print 0, f[i], "(x)"; print "" } }' "$scratch/folded" > "$scratch/script"
fi
holds 'it has samples' "$(grep -c ' mix' "$scratch/script") > 50"

mux new-session -d -s v -x 120 -y 100 "$PSUITE tprof --browse $scratch/perf.data; echo status \$?; sleep 100"
ok 'it lists functions' screen '^ *[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+  mix \[calls\]'
cp "$scratch/screen" "$scratch/functions"
mux send-keys -t v / mix Enter
ok 'a search' screen '; /mix'
mux send-keys -t v u
ok 'its callers' screen 'callers of mix'
mux send-keys -t v e
ok 'all of them' screen 'main'
cp "$scratch/screen" "$scratch/callers"
ok "functions and callers have the samples of $peer" python3 native/browse.py "$scratch/functions" "$scratch/callers" "$scratch/script" mix
has 'recursion is one row' 'fold \[calls\]' "$scratch/callers"
mux send-keys -t v Home a
ok 'its source' screen '^ *[0-9.]+ +[0-9.]+ +3  __attribute__'
if command -v objdump >/dev/null; then
  mux send-keys -t v a
  ok 'its instructions, below the lines' screen '^ *[0-9.]+ +[0-9.]+ +[0-9a-f]+:.*(imul|mul|shr|add|cmp|j)'
fi
mux send-keys -t v C-c
ok '^C ends it' screen '^status 0'
finish
