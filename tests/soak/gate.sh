# time --gate with two equal commands: at most 1% of the gates may call the second one slower, however noisy the machine is. The
# strictest gate is the smallest percentage. Then with one that takes 40% longer, of which a gate of 20% may let 5% pass.
# Last by CPU time, with programs whose loops are as long, and 5% longer: a gate of 3% may call at most 1% of the first slower, and let 1% of the others pass.
cd "$(dirname "$0")/.." || exit
. lib/check.sh
: "${GATES:=500}" "${WORK:=$TESTS/../build/work}"
gates() { # gates PERCENT OLD NEW [OPTION]: how many were passed, slower, undecided; of `burn OLD'
  local k status passed=0 slower=0 undecided=0
  for ((k = 0; k < GATES; k++)); do
    "$PSUITE" time --gate "$1" ${4:-} -- "$WORK/burn" $2 -- "$WORK/burn" $3 > /dev/null 2> "$scratch/err"
    status=$?
    case $status in
      0) passed=$((passed + 1)) ;; 3) slower=$((slower + 1)) ;; 4) undecided=$((undecided + 1)) ;;
      *) text "a gate of $1" '0, 3 or 4' "$status: $(tail -1 "$scratch/err")" ;;
    esac
  done
  echo "$passed $slower $undecided"
}
cpus=$(nproc)
for percent in 0.1% 1% 3%; do
  read -r passed slower undecided < <(gates $percent 5 5)
  holds "equal commands, $percent: $passed not slower, $slower slower, $undecided undecided; load $(cut -d' ' -f1 /proc/loadavg) on $cpus CPUs" "$slower * 100 <= $GATES"
done
read -r passed slower undecided < <(gates 20% 5 7)
holds "40% longer, 20%: $passed not slower, $slower slower, $undecided undecided" "$passed * 20 <= $GATES"
read -r passed slower undecided < <(gates 3% '10000 loops' '10000 loops' --cpu)
holds "equal loops by CPU time, 3%: $passed not slower, $slower slower, $undecided undecided" "$slower * 100 <= $GATES"
read -r passed slower undecided < <(gates 3% '10000 loops' '10500 loops' --cpu)
holds "loops 5% longer by CPU time, 3%: $passed not slower, $slower slower, $undecided undecided" "$passed * 100 <= $GATES"
finish
