# iostats -a beside programs that know what they read and write, one by itself and one by short children; and -p with a time.
. "$(dirname "$0")/../lib/check.sh"
[ -r /proc/self/io ] || { skip 'the machine' 'no CONFIG_TASK_IO_ACCOUNTING'; finish; }
cp "$(command -v head)" "$scratch/knownhead"
mkfifo "$scratch/hold"
many() { # a parent of 20 short children, which write 100,000 bytes each
  exec < "$scratch/hold" 9>&-
  printf knownmany > /proc/self/comm
  for _ in {1..20}; do "$scratch/knownhead" -c 100000 /dev/zero > "$scratch/short"; done
  echo '{"wchar": 2000000}' > "$scratch/many"
  read -r _
}
"$PSUITE" iostats -a -T 0.5 --json > "$scratch/rounds" & counting=$!
rounds() { [ "$(wc -l < "$scratch/rounds")" -ge "$1" ]; }
until_ok rounds 1 || fail 'no first report'
exec 9<>"$scratch/hold"
python3 "$TESTS/native/iostats_machine.py" self "$scratch" "$scratch/self" < "$scratch/hold" 9>&- & own=$!
many & many=$!
until_ok test -s "$scratch/many" -a -s "$scratch/self" || fail 'the work did not end'
until_ok rounds $(($(wc -l < "$scratch/rounds") + 2)) || fail 'no more reports'
kill -TERM $counting; wait $counting
text 'a SIGTERM ends it' 0 $?
python3 "$TESTS/native/iostats_machine.py" check "$scratch/rounds" "$scratch/self" "$scratch/many" $own > "$scratch/compared" 2>&1
while read -r kind what; do
  case $kind in
    ok) pass "$what" ;;
    the) ;;
    *) fail "$kind $what" ;;
  esac
done < "$scratch/compared"
has 'to its end' '^the end$' "$scratch/compared"
status 'a process, for a time' 0 timeout 60 "$PSUITE" iostats -p $own -t 0.5
has 'has its report' '^rpc +0 count$' "$scratch/err"
exec 9>&-
wait $own $many
finish
