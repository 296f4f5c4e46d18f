# kprof on a board's kernel: the function that takes most of the time is named; the histogram says the same.
rm -f /tmp/kpdata
status 'the kernel while a command runs' 0 kprof -o /tmp/kpdata -x dd if=/dev/zero of=/dev/null bs=1M count=500
cp $err /tmp/report
has 'time in the kernel' '^total: [0-9]+	in kernel text: [1-9][0-9]*	outside kernel text: [0-9]+$' /tmp/report
base=$(awk '$3 == "_text" { print $1 } $3 == "_stext" && !t { t = $1 } END { print t }' /proc/kallsyms | head -1)
has "its base is $base" "^KTZERO 0*$base PGSIZE 4Kb\$" /tmp/report
clears='^[0-9]+	 +[5-9][0-9]\.[0-9]	([a-z_]*clear_user[a-z_]*|rep_stos_alternative|read_zero)$'
has 'the function that clears has more than half of it' "$clears" /tmp/report
has 'how it was measured' '^perf cpu-clock, kernel mode, [0-9]+ Hz: [0-9]+ samples, [0-9]+ lost' /tmp/report
cat /proc/kallsyms > /tmp/kallsyms
status 'the histogram by a saved kallsyms' 0 kprof /tmp/kallsyms /tmp/kpdata
has 'has it, too' "$clears" $out
has 'and the base' "^KTZERO 0*$base PGSIZE 4Kb\$" $out
status 'idle CPUs' 0 kprof -t 1
awk -F'[:\t]' 'NR == 1 { print $2, $6 }' $out > /tmp/line
holds 'are outside' "$(awk '{ print ($2 > 0.3 * $1) }' /tmp/line)"
status 'and with -I in the table' 0 kprof -t 1 -I
has 'by name' '	[a-z_0-9]*idle' $out
status 'the exit status' 3 kprof -x sh -c 'exit 3'
