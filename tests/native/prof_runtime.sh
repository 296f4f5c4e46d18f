# The runtime of prof: programs that know their calls (tests/work/prof), each recorded, dumped and compared: by libpsprof.a,
# by libpsprof.so, and compiled by clang.
. lib/check.sh
. lib/need.sh
. lib/profknown.sh
: "${WORK:=$TESTS/../build/work}"
psuite=$PSUITE programs=$WORK/prof prof_scratch=$scratch prof_compare=$TESTS/lib/profcompare.awk
tools=$(cd "$WORK/.." && pwd)/tests
prof_dump=$tools/profdump prof_kill=$tools/profkill threads=10000 us=97

survives ''
killed '' 700 1
if [ -x "$programs/prof_basic-so" ]; then
  survives -so
  killed -so 300 2
fi

# --- clang's code: other stack frames, other tail calls, inlining of its own
if need clang 2> /dev/null; then
  mkdir "$scratch/clang"
  for source in work/prof/*.c; do
    of=$(basename "$source" .c)
    case $of in plugin | loads | killed) continue ;; esac
    ok "$of, by clang" clang -O2 -g -w $("$PSUITE" prof --cflags) "$source" $("$PSUITE" prof --libs) -o "$scratch/clang/prof_$of"
  done
  ok 'throws, by clang' clang++ -O2 -g -w $("$PSUITE" prof --cflags) work/prof/throws.cc $("$PSUITE" prof --libs) -o "$scratch/clang/prof_throws"
  programs=$scratch/clang threads=1000
  survives ''
else
  skip 'by clang' 'no clang'
fi
finish
