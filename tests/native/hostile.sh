# Names that a terminal would act upon: in no report, message or live view of any applet. tests/native/hostile.py does it.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
: "${WORK:=$TESTS/../build/work}"
need python3 nm=binutils script=bsdutils || exit
python3 "$TESTS/native/hostile.py" "$PSUITE" "$PSUITE_FAKE_BIN" "$WORK" "$TESTS" "$scratch" >"$scratch/said" 2>&1
said=$?
while IFS= read -r line; do
  case $line in
    'ok '*) pass "${line#ok }" ;;
    'skipped '*) skip "${line#skipped }" 'refused here' ;;
    *) fail "${line#FAILED }" ;;
  esac
done <"$scratch/said"
text 'the script came to its end' 0 "$said"
finish
