# Names that a terminal would act upon: in no report, message or live view of any applet. tests/native/hostile.py does it.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
: "${WORK:=$TESTS/../build/work}"
need python3 || exit
checks_of python3 "$TESTS/native/hostile.py" "$PSUITE" "$PSUITE_FAKE_BIN" "$WORK" "$TESTS" "$scratch"
finish
