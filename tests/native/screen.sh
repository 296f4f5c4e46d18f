# A live view on real terminals: pseudo ones, with a reader that looks at what a person would see. tests/view/*.py does it.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
: "${WORK:=$TESTS/../build/work}"
need python3 || exit
checks_of python3 "$TESTS/view/terminals.py" "$(dirname "$WORK")/tests/viewdemo-linux" "$scratch"
finish
