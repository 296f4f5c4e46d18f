# prof --heap: the calls of a program that knows its answer.
allocated() { awk -v name="$1" '$5 == name { print $4 }' $err; }
timeout 200 psuite prof --heap --rows all -x $work/heap 25 child >$out 2>$err
text 'heap: the exit status is that of the command' 3 $?
text 'heap: a function, of two processes' 102 "$(allocated leaf)"
text 'heap: threads' 100 "$(allocated work)"
text 'heap: resized' 10 "$(allocated resize)"
text 'heap: other calls' 7 "$(allocated kinds)"
has 'heap: chains' '^call chains: ' $err
text 'heap: nothing is lost' '' "$(grep -E 'lost|not seen' $err)"

# prof --coverage: counts of a program that knows its answer: threads, a child, an exec, a timer's signals, and atomic operations,
# which never end when they are stepped. Those of another are compared with gcov's by desk.d/prof.sh.
calls() { awk -v name="$1" '$3 == name { print $1 }' $err; }
covered() { # covered PROGRAM
  status "$1" 0 timeout 200 psuite prof --coverage --rows all -x $work/$1 2 4
  text "$1: a function" 16 "$(calls leaf)"
  text "$1: a handler" 5 "$(calls handler)"
  text "$1: a timer's handler" "$(sed -n 's/^ticks //p' $out)" "$(calls tick)"
  text "$1: what was not called" 0 "$(calls never)"
  has "$1: how" 'instructions executed in 3 processes$' $err
}
[ ! -d /host ] || mkdir -p /host/prof
covered covered
for variant in '' -a32; do
  [ -x $work/branches$variant ] || continue
  status "branches$variant" 0 timeout 200 psuite prof --coverage -q -f -o lcov:/tmp/info -x $work/branches$variant
  [ ! -d /host/prof ] || cp /tmp/info /host/prof/info$variant
done

# Of a program without symbols: functions that nothing else calls directly, as main, are found, too.
timeout 200 psuite prof --coverage -x true 2>$err
holds 'coverage: BusyBox, stripped' "$(sed -n 's/^functions: \([0-9]*\) of .*/\1/p' $err) > 5"
