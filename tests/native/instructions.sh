# What the commands that are asked much cost, in instructions by callgrind, which are the same beside any load. The bounds are
# about 1.25 of what was measured with gcc 12 at -O2 and at -Os on x86-64; without what they hold it is 1.5 times as many and more.
. lib/check.sh
. lib/need.sh
: "${WORK:=$TESTS/../build/work}"
need valgrind gcc || exit
[ "$(uname -m)" = x86_64 ] || { skip 'instructions' 'bounds are for x86-64'; finish; }

# instructions COMMAND...: of the program, and in $scratch/functions those of each function
instructions() {
  valgrind --tool=callgrind --callgrind-out-file="$scratch/grind" "$@" > "$scratch/out" 2> "$scratch/err"
  awk '/Collected/ { print $NF }' "$scratch/err"
}

# An address a line, in no order; the answers come by the thousand, so what the files take does not count.
lines=20000
awk -v n=$lines 'BEGIN { for (i = 0; i < n; i++) printf "0x%x\n", 65536 + i * 79 % 114 * 2 }' > "$scratch/addresses"
few=$(instructions "$PSUITE" sym data/dwarf/gcc-O2 0x10000)
many=$(instructions "$PSUITE" sym data/dwarf/gcc-O2 < "$scratch/addresses")
text 'an answer a line' $lines "$(wc -l < "$scratch/out")"
a=$(((many - few) / lines))
holds "sym: $a instructions an address" "$a > 0 && $a <= 3500"

# A row a function.
nodes=20000
printf 'file little 0\nmodule /bin/true 0 -\nthread 5 t 0\ncall 0 1 1000 1 200001\nwide %s 1 2000 10\n' $nodes |
  "$WORK/../tests/profmake" > "$scratch/prof.wide"
few=$(instructions "$PSUITE" prof --version)
many=$(instructions "$PSUITE" prof "$scratch/prof.wide")
a=$(((many - few) / nodes))
holds "prof: $a instructions a row" "$a > 0 && $a <= 10500"

# The two hooks of a call, and what they call; with samples, whose arrival they look for, as far as the kernel has the event: one a
# second, as how many come to a number of calls is the machine's.
printf '#include <stdlib.h>\nint fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\nint main(int n, char **v) { return fib(atoi(v[n - 1])) < 0; }\n' \
  > "$scratch/fib.c"
gcc -O2 $("$PSUITE" prof --cflags) "$scratch/fib.c" $("$PSUITE" prof --libs) -o "$scratch/fib" || fail 'fib is built'
cd "$scratch"
few=$(profsample=1000000 instructions "$scratch/fib" 1)
many=$(profsample=1000000 instructions "$scratch/fib" 20)
a=$(((many - few) / 21890))
holds "libpsprof: $a instructions a call, the program's own included" "$a > 0 && $a <= 107"
finish
