# prof with many threads at a time. What a thread costs to begin does not grow with their number: the library's own questions
# are counted, not the time. And each has its calls.
. lib/check.sh
: "${WORK:=$TESTS/../build/work}"
dump=$WORK/../tests/profdump
mkdir "$scratch/run"; cd "$scratch/run" || exit
cat > "$scratch/crowd.c" <<'C'
/* crowd THREADS ROUNDS: so many run at a time, and what the library asked the kernel for them. */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define QUIET __attribute__((no_instrument_function))
enum { LEAVES = 5, STACK = 65536 };
static pthread_barrier_t all;
static unsigned long checked, bytes;

long __real_syscall(long number, long, long, long, long, long, long);
ssize_t __real_read(int fd, void *out, size_t n);

QUIET long __wrap_syscall(long number, ...)
{
    long a[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_tgkill)
        __atomic_add_fetch(&checked, 1, __ATOMIC_RELAXED);
    return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

QUIET ssize_t __wrap_read(int fd, void *out, size_t n)
{
    ssize_t got = __real_read(fd, out, n);
    if (got > 0)
        __atomic_add_fetch(&bytes, got, __ATOMIC_RELAXED);
    return got;
}

__attribute__((noinline)) void leaf(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) void *body(void *arg)
{
    for (int i = 0; i < LEAVES; i++)
        leaf();
    pthread_barrier_wait(&all);
    return arg;
}

static QUIET void turn(pthread_t *t, int n)
{
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    for (int i = 0; i < n; i++)
        if ((errno = pthread_create(&t[i], &small, body, NULL)) != 0) {
            perror("a thread");
            _exit(77);
        }
    pthread_barrier_wait(&all);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    pthread_t *t = malloc(n * sizeof *t);
    pthread_barrier_init(&all, NULL, n + 1);
    for (int i = 0; i < atoi(argv[2]); i++)
        turn(t, n);
    printf("checked %lu\nbytes %lu\n", checked, bytes);
    return argc < 3;
}
C
if ! gcc -O1 -w $("$PSUITE" prof --cflags) "$scratch/crowd.c" $("$PSUITE" prof --libs) -Wl,--wrap=syscall,--wrap=read \
  -o "$scratch/crowd" 2>"$scratch/err"; then
  skip 'threads' "$(head -1 "$scratch/err")"; finish
fi

# crowd THREADS ROUNDS: its counts are left in $scratch/said, what was recorded in $scratch/dump
crowd() {
  rm -f prof.*
  timeout 300 "$scratch/crowd" "$@" > "$scratch/said" 2> "$scratch/err"
  local got=$?
  if [ $got = 77 ]; then skip "$1 threads" "$(head -1 "$scratch/err")"; finish; fi
  text "$1 threads run" 0 $got
  "$dump" prof.* > "$scratch/dump"
}
count() { awk -v name="$1" '$1 == name { print $2 }' "$scratch/said"; }
field() { awk -v name="$1" '$1 == "type" { for (i = 3; i < NF; i++) if ($i == name) print $(i + 1) }' "$scratch/dump"; }

few=300 many=1500
crowd $few 1
few_checked=$(count checked) few_bytes=$(count bytes)
crowd $many 1
has 'all calls are recorded' "^calls leaf $((5 * many))\$" "$scratch/dump"
text 'each thread has a tree' "$((many + 1)) $((many + 1)) 0/0" "$(field threads) $(field trees) $(field refused)"
holds "threads that run are not all asked whether they have ended ($few_checked and $(count checked) times)" \
  "$(count checked) <= 16 * $many"
if [ "$(printf '%s\n' 6.11 "$(uname -r)" | sort -V | head -1)" = 6.11 ]; then
  holds "the mappings are not all read for each ($few_bytes and $(count bytes) bytes)" \
    "$(count bytes) - $few_bytes <= 1024 * ($many - $few)"
else
  skip 'the mappings are not all read for each thread' 'Linux 6.11 is the first to answer for one address'
fi

crowd 500 3
text 'threads that have ended leave their trees to later ones' '1501 501' "$(field threads) $(field trees)"
has 'and calls are added up' '^calls leaf 7500$' "$scratch/dump"

# Threads that end by the system call, each on a stack of its own: some trees are checked for each new thread
for program in "$WORK"/prof/prof_silent "$WORK"/prof/prof_silent-so; do
  [ -x "$program" ] || continue
  rm -f prof.*
  status "$(basename "$program") 2000" 0 timeout 300 "$program" 2000
  "$dump" prof.* > "$scratch/dump"
  has 'threads that end without notice are recorded' '^calls leaf 2000$' "$scratch/dump"
  holds "and their trees are used again ($(field trees))" "$(field threads) == 2001 && $(field trees) <= 200"
done

# profsize: threads share what there is
profsize=8192 crowd $many 1
text 'a small tree holds many threads' "$((many + 1)) $((many + 1)) 0/0" "$(field threads) $(field trees) $(field refused)"
finish
