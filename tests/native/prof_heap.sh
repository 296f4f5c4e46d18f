# prof --heap on this machine: a program whose blocks are known, valgrind's counts of real programs, other views of the same, and
# what is refused.
. lib/check.sh
. lib/need.sh
: "${WORK:=$TESTS/../build/work}"
[ "$(uname -m)" = x86_64 ] || { skip "heap profiles against valgrind" "the guests look at known blocks"; finish; }
need gcc g++ valgrind python3 || finish

heap() { timeout 300 "$PSUITE" prof --heap --rows all "$@" >"$scratch/out" 2>"$scratch/err"; }
# Of the last report: PEAK BYTES, PEAK BLOCKS, END BYTES, END BLOCKS, CALLS, BYTES, FREES.
sums() {
  sed -nE 's/^peak[^:]*: ([0-9]+) bytes?( \([^)]*\))? in ([0-9]+) blocks?; at the end: ([0-9]+) bytes?( \([^)]*\))? in ([0-9]+) blocks?$/\1 \3 \4 \6/p
    s/^([0-9]+) calls? allocated ([0-9]+) bytes?( \([^)]*\))?, ([0-9]+) calls? freed; .*/\1 \2 \4/p' "$scratch/err" | paste -sd' '
}
# row NAME: the calls of a function
row() { awk -v name="$1" '$5 == name { print $4 }' "$scratch/err"; }

# --- known blocks: each kind of call, resizing, a child, threads
heap -x "$WORK/heap"; text 'the exit status is that of the command' 3 $?
text 'leaf' 4001 "$(row leaf)"
text 'work' 4000 "$(row work)"
text 'resize' 10 "$(row resize)"
text 'kinds: those that failed are none' 7 "$(row kinds)"
hasnt 'nothing is lost' 'lost|not seen' "$scratch/err"
has 'whole chains' '^call chains: 100.0% of' "$scratch/err"
heap -x "$WORK/heap" 1000 child
text 'with a child: leaf' 4002 "$(row leaf)"
has 'both processes' '; 2 processes$' "$scratch/err"
has 'a child knows its parents blocks' 'added' "$scratch/err"
hasnt 'a child: nothing is lost' 'lost|not seen' "$scratch/err"
gcc -O1 -g -pthread -static -o "$scratch/static" work/heap.c && heap -x "$scratch/static"
text 'a static program: leaf' 4001 "$(row leaf)"
strip "$scratch/static"
heap -x "$scratch/static"; text 'without its symbols: refused' 1 $?
has 'with a hint' '^prof: hint: .*symbols' "$scratch/err"

# --- what stops the program is not noticed: signals at breakpoints, and that it is kept on one CPU meanwhile
cat >"$scratch/ticked.c" <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile sig_atomic_t ticks;
static void tick(int signal)
{
    ticks += signal == SIGALRM;
}
static int cpus(void)
{
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    return CPU_COUNT(&set);
}
static void pairs(int n)
{
    while (n--) {
        void *volatile p = malloc(40);
        free(p);
    }
}
int main(void)
{
    int at_start = cpus(), of_child = 0;
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = tick}, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 500}, {0, 500}}, NULL);
    pairs(3000);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    pairs(100);
    if (fork() == 0)
        _exit(cpus());
    wait(&of_child);
    dprintf(1, "%s %s %s\n", cpus() == at_start ? "same" : "other", WEXITSTATUS(of_child) == at_start ? "same" : "other",
            ticks > 10 ? "ticks" : "none");
}
END
gcc -O1 -g -o "$scratch/ticked" "$scratch/ticked.c"
heap -x "$scratch/ticked"; text 'signals at breakpoints: its end' 0 $?
text 'CPUs: its own, its child'"'"'s; signals came' 'same same ticks' "$(cat "$scratch/out")"
text 'calls between signals' 3100 "$(row pairs)"
hasnt 'signals: nothing is lost' 'lost|not seen' "$scratch/err"

# --- stops: three for a call and its free, as nothing is stepped
cat >"$scratch/pairs.c" <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
    for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--) {
        void *volatile p = malloc(40);
        free(p);
    }
}
END
gcc -O1 -o "$scratch/pairs" "$scratch/pairs.c"
stops() { timeout 300 strace -c -e trace=wait4 -o "$scratch/calls" "$PSUITE" prof --heap -x "$scratch/pairs" "$1" >/dev/null 2>&1; awk '$NF == "wait4" { print $4 }' "$scratch/calls"; }
if need strace; then
  few=$(stops 10) many=$(stops 1010)
  holds "stops of 1000 calls: $((many - few)) (3000 to 3200)" "$((many - few)) >= 3000 && $((many - few)) <= 3200"
fi

# --- against valgrind: calls, bytes, blocks at the end, and the peak
cat >"$scratch/cpp.cc" <<'END'
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
int main()
{
    std::map<int, std::string> m;
    for (int i = 0; i < 1000; i++)
        m[i] = std::string(i % 50, 'x');
    std::vector<std::unique_ptr<int>> v;
    for (int i = 0; i < 500; i++)
        v.push_back(std::make_unique<int>(i));
    for (int i = 0; i < 20; i++)
        try {
            throw std::runtime_error("x");
        } catch (...) {
        }
    return 0;
}
END
g++ -O1 -g -o "$scratch/cpp" "$scratch/cpp.cc"
printf 'hello world\n%.0s' $(seq 20000) >"$scratch/text"
beside() { # beside WHAT PEAK COMMAND...: PEAK no: not compared, as threads run in another order
  local what=$1 peak=$2 ours; shift 2
  heap -x "$@"
  ours=$(sums)
  read -r peak_bytes peak_blocks end_bytes end_blocks calls bytes frees <<<"$ours"
  valgrind --run-libc-freeres=no --run-cxx-freeres=no --log-file="$scratch/memcheck" "$@" >/dev/null 2>&1
  text "$what: calls, frees, bytes; bytes and blocks at the end" \
    "$(sed -nE 's/,//g; s/.*in use at exit: ([0-9]+) bytes in ([0-9]+) blocks/\1 \2/p; s/.*total heap usage: ([0-9]+) allocs ([0-9]+) frees ([0-9]+) bytes.*/\1 \2 \3/p' "$scratch/memcheck" | paste -sd' ')" \
    "$end_bytes $end_blocks $calls $frees $bytes"
  [ "$peak" = no ] && return
  valgrind --tool=massif --peak-inaccuracy=0 --heap-admin=0 --run-libc-freeres=no --run-cxx-freeres=no --massif-out-file="$scratch/massif" "$@" >/dev/null 2>&1
  text "$what: peak" "$(sed -n 's/^mem_heap_B=//p' "$scratch/massif" | sort -n | tail -1)" "$peak_bytes"
}
export LC_ALL=C
beside 'known blocks, threads' no "$WORK/heap"
beside 'C++' yes "$scratch/cpp"
if need sqlite3; then
  beside 'sqlite3' yes sqlite3 :memory: 'create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) insert into t select i, hex(i) from n; select count(*), max(b) from t group by a % 7'
fi
need xz=xz-utils && beside 'xz' yes xz -0 -c "$scratch/text"
beside 'ls' yes ls -l "$TESTS/applets" # which nobody changes meanwhile
need bzip2 && beside 'bzip2' yes bzip2 -c "$scratch/text"

# --- other views of the same
heap --record "$scratch/rec" -x "$scratch/cpp"
cp "$scratch/err" "$scratch/live"
timeout 60 "$PSUITE" prof --heap --rows all "$scratch/rec" >"$scratch/out" 2>&1
text 'a recording has the same table' '' "$(diff "$scratch/live" "$scratch/out")"
status 'as JSON, folded, flame graph, pprof' 0 "$PSUITE" prof --heap -q --by=allocated -o folded:"$scratch/folded" -o json:"$scratch/json" \
  -o flame:"$scratch/flame.svg" -o pprof:"$scratch/pprof" "$scratch/rec"
text 'folded: all bytes' "$(sed -nE 's/.*calls? allocated ([0-9]+) bytes.*/\1/p' "$scratch/live")" "$(awk '{ n += $NF } END { print n }' "$scratch/folded")"
status 'a sampling is no heap profile' 1 sh -c "'$PSUITE' tprof -q --record '$scratch/samples' -x true; exec '$PSUITE' prof --heap '$scratch/samples'"
has 'which is said' 'a recording of samples, not of a heap$' "$scratch/err"
status 'no such command' 127 "$PSUITE" prof --heap -x nosuchcommand
status '--by without --heap' 2 "$PSUITE" prof --by=end x
status 'no such amount' 2 "$PSUITE" prof --heap --by=most x
status '--heap with --coverage' 2 "$PSUITE" prof --heap --coverage -x true
"$PSUITE" prof --heap -x sleep 1234.25 & # its mark
sleep 1; kill -KILL $!; wait $! 2>/dev/null
until_ok sh -c '! pgrep -f "^sleep 1234.25$" >/dev/null' || fail 'the command outlives prof'
finish
