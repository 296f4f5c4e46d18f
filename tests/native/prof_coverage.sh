# prof --coverage on this machine: a program whose counts are known, gcov's counts of real programs, other views of the same, and
# programs without lines or symbols.
. lib/check.sh
. lib/need.sh
. lib/sources.sh
: "${WORK:=$TESTS/../build/work}"
[ "$(uname -m)" = x86_64 ] || { skip 'coverage' "gcov's counts are compared on x86-64; the ARM guests have their own test"; finish; }

# --- known counts: threads, a child, an exec; a timer's signals meanwhile
calls() { awk -v name="$1" '$3 == name { print $1 }' "$scratch/err"; }
known() { # known WHAT PROGRAM
  status "$1" 0 timeout 300 "$PSUITE" prof --coverage --rows all -x "$2" 3 100
  text "$1: a function" 500 "$(calls leaf)"
  text "$1: a handler" 5 "$(calls handler)"
  text "$1: a timer's handler" "$(sed -n 's/^ticks //p' "$scratch/out")" "$(calls tick)"
  text "$1: what was not called" 0 "$(calls never)"
  has "$1: how" 'instructions executed in 3 processes$' "$scratch/err"
}
known 'a program' "$WORK/covered"
if need gcc; then
  gcc -O2 -g -static -pthread -o "$scratch/static" work/covered.c
  known 'a static program' "$scratch/static"
fi

# --- libraries, loaded at the start and later; the exit status
if need gcc; then
  echo 'int twice(int n) { return n * 2; }' > "$scratch/twice.c"
  echo 'int later(int n) { return n + 1; }' > "$scratch/later.c"
  cat > "$scratch/main.c" <<'END'
#include <dlfcn.h>
int twice(int n);
int main(void)
{
    int n = 0;
    for (int i = 0; i < 7; i++)
        n += twice(i);
    int (*later)(int) = (int (*)(int))dlsym(dlopen("./liblater.so", RTLD_NOW), "later");
    for (int i = 0; i < 4; i++)
        n -= later(n);
    return n;
}
END
  (cd "$scratch" && for l in twice later; do gcc -g -O0 -shared -fPIC -o lib$l.so $l.c; done && gcc -o main main.c -L. -ltwice "-Wl,-rpath,$scratch")
  want=0; (cd "$scratch" && ./main) || want=$?
  cd "$scratch" || exit
  status 'libraries' $want timeout 300 "$PSUITE" prof --coverage --rows all -m libtwice.so -m liblater.so -x ./main
  cd "$TESTS" || exit
  text 'one that was there at the start' 7 "$(calls twice)"
  text 'one that was loaded later' 4 "$(calls later)"
  hasnt 'not the program' '	main' "$scratch/err"
fi
status 'the exit status is that of the command' 3 "$PSUITE" prof --coverage -x /bin/sh -c 'exit 3'
has 'without symbols: functions by address' '	0x[0-9a-f]+$' "$scratch/err"
status 'no such command' 127 "$PSUITE" prof --coverage -x nosuchcommand
status 'nothing is left when it is killed' 137 timeout -s KILL 1 "$PSUITE" prof --coverage -x sleep 1234.5
until_ok sh -c '! pgrep -f "^sleep 1234.5$" >/dev/null' || fail 'the command outlives prof'

# --- handlers of exceptions that are thrown through code that is not counted: qsort
if need g++; then
  cat > "$scratch/thrown.cc" <<'END'
#include <cstdlib>
static int compare(const void *a, const void *b)
{
    if (*(const int *)a == 7 || *(const int *)b == 7)
        throw 7;
    return *(const int *)a - *(const int *)b;
}
static int sort(int with)
{
    int numbers[] = {3, 1, with, 2}, sum = 0;
    try {
        std::qsort(numbers, 4, sizeof *numbers, compare);
    } catch (int thrown) {
        for (int i = 0; i < 3; i++)
            sum += thrown;
    }
    return sum;
}
int main()
{
    return sort(6) + sort(7) + sort(7);
}
END
  g++ -O0 -g -o "$scratch/thrown" "$scratch/thrown.cc"
  status 'exceptions' 42 timeout 300 "$PSUITE" prof --coverage -o "$scratch/report" --annotate=_ZL4sorti -x "$scratch/thrown"
  has 'a handler' '^ +2 +[0-9]+ +\} catch' "$scratch/report"
  has 'what it does' '^ +6 +[0-9]+ +sum \+= thrown' "$scratch/report"
fi

# --- a function without a prologue: its first instruction is the statement's, not the declaration's
if need gcc; then
  printf '%s\n' 'volatile int number = 3; __attribute__((noinline)) int three(void)' '{' '    return number;' '}' 'int main(void)' '{' '    return three() + three();' '}' > "$scratch/three.c"
  gcc -O1 -fno-ipa-cp -fno-ipa-pure-const -fcf-protection=none -g -o "$scratch/three" "$scratch/three.c"
  status 'no prologue' 6 timeout 300 "$PSUITE" prof --coverage -q -o "lcov:$scratch/three.info" -x "$scratch/three"
  has 'the statement' '^DA:3,2$' "$scratch/three.info"
  has 'the declaration' '^DA:1,2$' "$scratch/three.info"
fi

# --- against gcov: 100% of functions with the same number of calls, lines where both have code. gcov also has lines whose code is
# another line's (labels, breaks), and not the closing braces of functions.
builds() { # builds NAME OPTION...: all sources in the folder NAME, with and without gcov's counters
  local name=$1 way; shift
  for way in plain gcov; do
    mkdir -p "$scratch/$name/$way"
    (cd "$scratch/$name/$way" && gcc -O0 -g $([ $way = plain ] || echo --coverage) -w -I.. "$@" ../*.c -o program -lm) || return
  done
}
against_gcov() { # against_gcov NAME INPUT
  local dir=$scratch/$1
  (cd "$dir/gcov" && ./program < "$2" > ../gcov.out && gcov -i ./*.gcda > /dev/null 2>&1)
  status "$1" 0 timeout 500 "$PSUITE" prof --coverage -q -o "lcov:$dir/info" --record "$dir/recording" -x "$dir/plain/program" < "$2"
  same "$1: its output" "$dir/gcov.out" "$scratch/out"
  python3 lib/gcov_compare.py "$dir" "$dir/info" "$dir/plain/program" 2>"$dir/differ" > "$dir/compared"
  read -r functions same_calls lines same_covered same_counts unexplained < "$dir/compared"
  text "$1: $functions functions with the same calls" "$functions" "$same_calls"
  holds "$1: of $lines lines $same_covered are the same" "$functions > 30 && $same_covered >= 0.995 * $lines"
  holds "$1: $same_counts lines have the same counts" "$same_counts >= 0.98 * $lines"
  holds "$1: but for $unexplained, lines that one of both lacks are labels and braces" "$unexplained == 0"
}
if need gcc gcov=gcc python3 && debian_source zlib > "$scratch/log" 2>&1; then
  mkdir "$scratch/zlib"
  cp "$sources_cache"/zlib/*.[ch] "$sources_cache/zlib/test/minigzip.c" "$scratch/zlib"
  head -c 400 work/covered.c > "$scratch/text"
  builds zlib -DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1 && against_gcov zlib "$scratch/text"
  # what is recorded is shown the same, elsewhere too
  status 'a recording' 0 "$PSUITE" prof --coverage -q -o "lcov:$scratch/again" "$scratch/zlib/recording"
  same 'its lines' "$scratch/zlib/info" "$scratch/again"
  mkdir -p "$scratch/root$scratch/zlib/plain"
  mv "$scratch/zlib/plain/program" "$scratch/root$scratch/zlib/plain/program"
  status 'below a sysroot' 0 "$PSUITE" prof --coverage -q -f -o "lcov:$scratch/again" --sysroot "$scratch/root" "$scratch/zlib/recording"
  same 'its lines, too' "$scratch/zlib/info" "$scratch/again"
  status 'one function' 0 "$PSUITE" prof --coverage --annotate deflate_slow --sysroot "$scratch/root" "$scratch/zlib/recording"
  has 'its source with counts' '^ +1 +[0-9]+  local block_state deflate_slow\(' "$scratch/out"
  has 'and what was not executed' '^ +##### ' "$scratch/out"
else
  skip 'gcov' "no gcc, python3 or sources: $(tail -1 "$scratch/log")"
fi
if [ -e "$scratch/zlib/info" ] && need genhtml=lcov; then
  status 'genhtml reads it' 0 genhtml -o "$scratch/html" "$scratch/zlib/info"
  sum() { awk -F: -v key="$1" '$1 == key { s += $2 } END { print s }' "$scratch/zlib/info"; }
  has 'has its lines' "lines.*\($(sum LH) of $(sum LF) lines\)" "$scratch/out"
  has 'and its functions' "functions.*\($(sum FNH) of $(sum FNF) functions\)" "$scratch/out"
  page=$(find "$scratch/html" -name deflate.c.gcov.html)
  has 'a page for a file, below it' '<title>LCOV - info - .*deflate.c' "${page:-/dev/null}"
  calls=$(sed -n 's/^FNDA:\([0-9]*\),deflate_slow$/\1/p' "$scratch/zlib/info")
  has 'which has its counts' "(^|[^0-9])$calls +(</span>)?.*deflate_slow" "${page:-/dev/null}"
else
  skip 'genhtml' 'no genhtml, or no counts of zlib'
fi

# --- single steps are slow: a terminal hears of it before
export PSUITE
status 'on a terminal' 0 timeout 300 script -qec '"$PSUITE" prof --coverage -x true' /dev/null
has 'how slow it is' '^counting by single steps, tens of thousands per second, Ctrl-C ends' "$scratch/out"
# --- a program that takes long: a line after 2, 4, 8, ... seconds says so, and ^C ends it with its report
cat > "$scratch/long.c" <<C
volatile unsigned long sum;
int main(void) { for (unsigned i = 0;; i++) sum += i; }
C
cc -O1 -g "$scratch/long.c" -o "$scratch/long"
cat > "$scratch/type" <<'P'
import os, pty, re, select, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text, end, typed = b"", time.monotonic() + 200, False
while time.monotonic() < end:
    if select.select([fd], [], [], 1)[0]:
        try:
            part = os.read(fd, 65536)
        except OSError:
            break
        text += part
    if not typed and text.count(b" executed, ") >= 2 and re.search(rb"no new one for [1-9]", text):
        os.write(fd, b"\x03")
        typed = True
sys.stdout.write(text.decode().replace("\r", ""))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
P
status 'a long run, ended by ^C' 130 python3 "$scratch/type" "$PSUITE" prof --coverage -x "$scratch/long"
has 'how much was executed' '^[0-9]+ s, [0-9]+ instructions executed, [0-9]+ different' "$scratch/out"
has 'and how long no new one was' ' different; no new one for [1-9][0-9]* s$' "$scratch/out"
seconds=($(sed -n 's/^\([0-9]*\) s, .* instructions executed.*/\1/p' "$scratch/out"))
holds "after ${seconds[*]} s: 2 or more, then 4 or more" "${seconds[0]:-0} >= 2 && ${seconds[1]:-0} >= 4 && ${seconds[1]:-0} > ${seconds[0]:-0}"
has 'the report below ^C' '^functions: [0-9]+ of [0-9]+ executed' "$scratch/out"
has 'main' '^ +1[[:space:]]+100.0[[:space:]]+main' "$scratch/out"
finish
