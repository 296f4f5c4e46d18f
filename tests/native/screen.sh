# A live view on real terminals: pseudo ones, with a reader that looks at what a person would see. tests/view/*.py does it.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
: "${WORK:=$TESTS/../build/work}"
need python3 || exit
python3 "$TESTS/view/terminals.py" "$(dirname "$WORK")/tests/viewdemo-linux" "$scratch" >"$scratch/said" 2>&1
said=$?
while IFS= read -r line; do
  case $line in
    'ok '*) pass "${line#ok }" ;;
    *) fail "${line#FAILED }" ;;
  esac
done <"$scratch/said"
text 'the script came to its end' 0 "$said"
finish
