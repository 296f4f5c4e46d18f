# stats --web --processes: the page has the processes that use most CPU time as rows of text, whatever their names are.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
need curl python3 || exit
bash -c 'printf "burn\e[2J<i>\"" > /proc/$$/comm; while :; do :; done' & burning=$!
renice -n -10 -p $burning > /dev/null 2>&1 # by root: it is among those that use most, whatever else runs
trap 'kill $burning $serving 2> /dev/null; rm -rf "$scratch"' EXIT

serve() { # serve OPTION...: as $serving, at $at
  start_server 'serving the page at' "$scratch/at" "$PSUITE" stats --web :0 -l -T 0.5 "$@"
  serving=$! at=$(sed -n 's/^stats: serving the page at //p' "$scratch/at")
}
# events PATTERN: what the page gets until that is in it
events() { until_ok events_have "$1"; }
events_have() { curl -sN -m 3 "${at}events" > "$scratch/events"; grep -Eq "$1" "$scratch/events"; }
ends() { kill -TERM $serving; wait $serving; text 'SIGTERM ends the server' 0 $?; serving=; }

serve
events '"graph":"load"'
has 'a page that was not asked for them has samples' '"graph":"load"' "$scratch/events"
hasnt 'and no processes' '"processes"' "$scratch/events"
ends

serve --processes
burn_row='"processes":\[\{"pid":.*"program":"burn\\u001b\[2J<i>\\""'
events "$burn_row"
has 'each sample has them' "$burn_row" "$scratch/events"
if command -v chromium > /dev/null; then
  checks_of timeout 300 python3 "$TESTS/native/web/processes.py" "$at" $burning "$scratch/profile" "${PICTURES:-}"
else
  skip 'the table of the page' 'no chromium here'
fi
ends
finish
