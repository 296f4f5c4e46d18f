# sym on a board: code that is compiled at run time, in Thumb, A32 and A64; the kernel's own symbols; an oops of ARM.
for program in $work/compiled*; do
  name=${program##*/}
  "$program" 30 &
  pid=$!
  until_ok grep -q compiled /tmp/perf-$pid.map
  at=$(awk '$2 ~ /x/ && $5 == 0 && $6 == "" { sub(/-.*/, "", $1); print $1; exit }' /proc/$pid/maps)
  status "$name: an address in its memory" 0 sym --no-demangle $pid "$at"
  has "$name: the name it told" '^_ZN8compiled4spinEj\+0x0 \[JIT\]$' $out
  status "$name under tprof" 0 tprof -t 1 $pid
  has "$name: its time is there" 'compiled::spin\(unsigned int\) \[JIT\]' $out
  kill $pid
done
awk '$2 ~ /[tT]/ && NF == 3 { print $1, $3 }' /proc/kallsyms | grep -E ' (schedule|vfs_read|do_exit)$' > /tmp/functions
cut -d' ' -f1 /tmp/functions > /tmp/asked
sym -k < /tmp/asked | sed 's/+0x0$//' > /tmp/names
holds 'the kernel: three functions by their addresses' "$(cut -d' ' -f2 /tmp/functions | cmp - /tmp/names && wc -l < /tmp/names) == 3"
read -r address function < /tmp/functions
echo "pc : [<$address>]  PC is at $function+0x4/0x100" | sym -k > /tmp/names
has 'a line of its oopses: the address' "^    $function\+0x0$" /tmp/names
has 'and the name' "^    $function\+0x4$" /tmp/names
# A core file that this kernel writes.
was=$(cat /proc/sys/kernel/core_pattern)
echo /tmp/core > /proc/sys/kernel/core_pattern
rm -f /tmp/core
{ (ulimit -c unlimited; exec $work/chains 60000) & } 2>/dev/null
until_ok grep -q chains /proc/$!/comm
works $! 1000 # it is in main
mapped=$(awk '$6 ~ /^\// { print $6 }' /proc/$!/maps | sort -u)
kill -SEGV $!; wait $!
echo "$was" > /proc/sys/kernel/core_pattern
ok 'the call chain of a core file' sym --core /tmp/core
has 'its program and signal' '/chains .*SIGSEGV' $out
has 'from main' ': main\+0x[0-9a-f]+ \[chains\]' $out
# For desk.d
if [ -d /host ]; then
  mkdir -p /host/sym/root
  cp $out /host/sym/chains
  cp /tmp/core /host/sym/core
  for file in $mapped; do mkdir -p /host/sym/root${file%/*}; cp $file /host/sym/root$file; done
fi
rm -f /tmp/core
