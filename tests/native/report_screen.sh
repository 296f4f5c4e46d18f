# Reports and the lines around them on real terminals: pseudo ones, with a reader that looks at what a person would see.
# tests/view/reports.py does it, with recordings whose answer is known.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
: "${WORK:=$TESTS/../build/work}"
need python3 || exit
own=$TESTS/applets/tprof

# --- 60 functions called by main, of 12 threads, and one that calls itself
cp "$own"/sampled.{maps,comm} "$scratch/"; cp -r "$own/root" "$scratch/"
long=that_has_a_long_name_which_goes_on_and_on_and_tells_what_it_is_good_for_in_many_words
at() { printf 7f1000000%03x $(($1 * 32 + ${2:-0})); } # a caller is at the address behind its call
{ for i in $(seq 0 59); do echo "$(at "$i") 20 function_${i}_$long"; done
  echo "$(at 60) 20 fib"; echo "$(at 61) 20 main"; } > "$scratch/jit.map"
chain=$(for _ in $(seq 20); do printf '%s,' "$(at 60 8)"; done)$(at 61 8)
{ grep -E '^(thread|program|proc|rate|alive)' "$own/jit.scenario"; echo 'jit 7 jit.map'
  for t in $(seq 11 21); do echo "fork 7 7 $t 7 50"; done
  for i in $(seq 0 59); do echo "sample 7 $((i % 12 ? i % 12 + 10 : 7)) $((100 + i)) $(at "$i") x$((i + 10)) chain=$(at "$i"),$(at 61 8)"; done
  echo "sample 7 7 200 $(at 60 8) x100 chain=$chain"; } > "$scratch/many.scenario"
PSUITE_FAKE=$scratch/many.scenario status 'a recording' 0 "$PSUITE_FAKE_BIN" tprof -g=fp -q --record "$scratch/r.rec" 7
PSUITE_FAKE=$TESTS/applets/trace/arm64.scenario status 'a trace' 0 "$PSUITE_FAKE_BIN" trace -s 1 --interrupts -o "$scratch/t.rec"
sed "s|ORDER|little|; s|PROG|$TESTS/golden/prof/prog.elf64|" "$TESTS/applets/prof/recur.text" \
  | "$WORK/../tests/profmake" > "$scratch/prof.recur"
{ sed "s|ORDER|little|; s|PROG|$TESTS/golden/prof/prog.elf64|" "$TESTS/applets/prof/costs.text"
  printf 'call 1 1 %s 1 3000000\n' 11080 110c0 11100 11140
  printf 'set64 48 0\nset64 240 40000000\nset64 1304 400000000\n'; } | "$WORK/../tests/profmake" > "$scratch/prof.remarks_of_a_name_that_is_long_enough_for_two_lines"

status 'samples with source lines' 0 "$PSUITE" tprof -q --record "$scratch/source.rec" -x "$WORK/shares" 100
cp "$WORK/shares" "$WORK"/libshare_*.so "$scratch/"; strip "$scratch/shares" "$scratch"/libshare_*.so
status 'samples of stripped files' 0 env LD_LIBRARY_PATH="$scratch" "$PSUITE" tprof -q --record "$scratch/stripped.rec" -x "$scratch/shares" 300
cp "$TESTS/golden/topo/b1.events" "$scratch/"
checks_of python3 "$TESTS/view/reports.py" "$PSUITE" "$scratch"
finish
