#!/bin/bash
# trace's timeline on a real terminal (tmux), of what really runs: live, frozen by a late wake-up, after a command.
. "$TESTS/lib/check.sh"
. "$TESTS/lib/need.sh"
need tmux || exit
"$PSUITE" trace -s 0.1 >/dev/null 2>&1 || { skip 'timelines in a terminal' 'tracing is refused'; finish; }
. "$TESTS/lib/tracefs.sh"
own_pids || { skip 'timelines in a terminal' "this is a pid namespace, whose processes have other numbers in the kernel's events"; finish; }
socket=psuite-test-$$
mux() { TERM=xterm-256color LC_ALL=C.UTF-8 tmux -L "$socket" -f /dev/null -u "$@"; }
trap 'mux kill-server 2>/dev/null; rm -rf "$scratch"' EXIT
# start COMMAND: in a terminal of 100x30, whose exit status comes into $scratch/status
start() {
  rm -f "$scratch/status"
  mux new-session -d -x 100 -y 31 "$1; echo \$? > '$scratch/status'"
}
# sees WHAT PATTERN: within a minute
sees() {
  local i
  for ((i = 0; i < 300; i++)); do
    mux capture-pane -p > "$scratch/shown" 2>/dev/null
    grep -Eq -- "$2" "$scratch/shown" && { pass "$1"; return; }
    sleep 0.2
  done
  fail "$1" "no line matches: $2" "$(head -8 "$scratch/shown")"
}
keys() { mux send-keys "$@"; }
ends() {
  local i
  for ((i = 0; i < 300; i++)); do [ -s "$scratch/status" ] && break; sleep 0.2; done
  text "$1" "$2" "$(cat "$scratch/status" 2>/dev/null)"
}
# left: instances of tracings that are no more
left() {
  local path
  for path in /sys/kernel/tracing/instances/psuite-*; do
    case ${path##*/psuite-} in *-*) continue ;; esac # of a PID namespace
    [ ! -d "$path" ] || [ -d "/proc/${path##*-}" ] || echo "$path"
  done
}

start "$PSUITE trace"
sees 'live: the head' '^trace live 100ms: [0-9]+ rows, [0-9]+ CPUs'
sees 'live: psuite itself' '^ *[0-9]+ psuite '
keys c
sees 'CPUs' '^CPU 0 busy [0-9.]+%'
keys p Left
sees 'paused, with a cursor' '^[0-9]+\.[0-9]{6}s CPU [0-9]+: ' # that of the first CPU seen
has 'and it says so' ' paused ' "$scratch/shown"
mux resize-window -x 60 -y 20
keys h
sees 'help in a smaller terminal' 'rows are CPUs, tasks'
keys q
ends 'q ends' 0

start "$PSUITE trace --late 0.0000001"
sees 'frozen by a wake-up' 'waited to run [0-9.]+'
has 'and it says so' ' frozen ' "$scratch/shown"
keys C-c
ends '^C ends' 0

start "$PSUITE trace -w -x sh -c 'sleep 0.2; exit 3'"
sees 'a command, when it has ended' '^trace sh [0-9.]+m?s: [0-9]+ rows'
sees 'its tasks' '^[0-9]+ sleep '
keys q
ends 'the status is its' 3
text 'nothing is left behind' '' "$(left)"
finish
