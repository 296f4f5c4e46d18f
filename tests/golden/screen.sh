# A live view on the fake platform's terminal: the screens that come of a script.
. "$(dirname "$0")/../lib/check.sh"
: "${WORK:=$TESTS/../build/work}"
own=$TESTS/golden/screen demo=$(dirname "$WORK")/tests/viewdemo-fake

# view NAME STATUS ARG...: the view under NAME.scenario shows NAME.out and says NAME.err
view() {
  local name=$1 want=$2; shift 2
  PSUITE_FAKE=$own/$name.scenario status "$name" "$want" "$demo" "$@"
  cat "$scratch/err" >>"$scratch/out"
  same "$name: the screens" "$own/$name.out" "$scratch/out"
}
view keys 0 1000
view ascii 0 1000
view slow 0 1000
view hangup 4 1000
view dumb 1
view none 1
hasnt 'nothing but what a VT100 knows' 'STRANGE|restored' "$own"/slow.out
finish
