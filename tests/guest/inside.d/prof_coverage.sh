# prof --coverage on this processor: functions that are called a known number of times, by threads, a child and an exec, while
# signals come (tests/work/covered.c). It is static here, so that the C library's code is stepped, too.
if [ "$ARCH" = armhf ]; then
  skip 'coverage' 'this processor has no single step'
  status 'is refused' 126 psuite prof --coverage -x $work/covered 2 10
  has 'with the reason' '^prof: breakpoints: ' $err
else
  status 'a program is counted' 0 psuite prof --coverage --rows all -x $work/covered 2 20
  ticks=$(sed -n 's/^ticks //p' $out)
  calls() { awk -v name=$1 '$3 == name { print $1 }' $err; }
  text 'a function, by threads, a child and an exec' 80 "$(calls leaf)"
  text 'a handler of a signal' 5 "$(calls handler)"
  text 'a handler of a timer' "$ticks" "$(calls tick)"
  text 'what was not called' 0 "$(calls never)"
  has 'how it was counted' '^ptrace, single steps: [0-9]+ instructions executed in 3 processes$' $err
fi
