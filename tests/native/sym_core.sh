# sym --core and --maps on this machine: addresses and call chains of a program with threads, as gdb has them.
. lib/check.sh
for tool in gcc gdb gcore nm; do
  command -v $tool >/dev/null || { skip 'sym --core' "no $tool"; finish; }
done
cd "$scratch" || exit
cat > threads.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int sum, ready;
static int compare(const void *a, const void *b) { ready++; pause(); return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) static int deep(int n)
{
    int v[50] = {0};
    if (n)
        sum = deep(n - 1) + 1;
    else
        qsort(v, 50, sizeof v[0], compare);
    return sum;
}
static void *sorts(void *arg) { deep(5); return arg; }
static void *waits(void *arg) { ready++; sleep(1000); return arg; }
static void handle(int number) { ready += number; pause(); }
int main(int argc, char **argv)
{
    pthread_t t;
    if (argc > 2)
        abort();
    pthread_create(&t, NULL, sorts, NULL);
    pthread_create(&t, NULL, waits, NULL);
    signal(SIGUSR1, handle);
    while (ready < 2)
        usleep(1000);
    close(creat(argv[1], 0600));
    return raise(SIGUSR1);
}
C
gcc -O1 -g -pthread -o threads threads.c || { skip 'sym --core' 'gcc fails'; finish; }
./threads started & pid=$!
for _ in $(seq 100); do [ -e started ] && break; sleep 0.1; done
sleep 0.3
cp /proc/$pid/maps saved.maps
if ! gcore -o made $pid >/dev/null 2>&1; then kill $pid; skip 'sym --core' 'gcore is refused'; finish; fi
kill -9 $pid
mv made.$pid core

# --- call chains: the program counters of all frames. gdb's inlined frames have none of their own: each counts once.
cat > chains.py <<'P'
import gdb
for what in 'main', 'entry':
    gdb.execute('set backtrace past-%s on' % what)
for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.ptid[1]):
    thread.switch()
    print('thread', thread.ptid[1])
    f = gdb.newest_frame()
    while f:
        if f.type() == gdb.SIGTRAMP_FRAME:
            print('signal', f.name())
        if f.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            print('0x%x' % f.pc())
        f = f.older()
P
gdb -batch -nx -iex 'set debuginfod enabled off' -x chains.py ./threads core 2>/dev/null | grep -E '^(thread|0x|signal)' > with_signals
grep -v ^signal with_signals > by_gdb
status 'a core file' 0 "$PSUITE" sym --core core
cp "$scratch/out" chains
has 'says what it was' "^./threads( started)? \(PID $pid\), 3 threads: SIG" chains
sed -nE 's/^(thread [0-9]+):$/\1/p; s/^    (0x[0-9a-f]+): .*/\1/p' chains > by_sym
holds 'many frames' "$(grep -c ^0x by_gdb) > 20"
same 'call chains as gdb has them' by_gdb by_sym
hasnt 'all of them whole' '^    \(' chains
trampoline=$(sed -n 's/^signal //p' with_signals)
if [ -n "$trampoline" ] && [ "$trampoline" != None ]; then
  has "the return from a signal has gdb's name" "^    0x[0-9a-f]+: $trampoline\+0x0 \[" chains
else skip "the return from a signal has gdb's name" 'gdb has none: no symbols of libc'; fi
has 'through a sort of libc' '^    0x[0-9a-f]+: deep\+0x[0-9a-f]+ \[threads\] at .*threads\.c:[0-9]+$' chains
status 'as JSON' 0 "$PSUITE" sym -j --core core
text 'a line for the process and each thread' '4' "$(wc -l < "$scratch/out")"

# --- addresses: in all code that is mapped, by the core file and the saved maps
awk '$2 ~ /x/ && $6 ~ /^\// { sub(/-/, " ", $1); print $1 }' saved.maps | while read -r start end; do
  seq $((16#$start)) $(((16#$end - 16#$start) / 100)) $((16#$end - 1)) | xargs printf '0x%x\n'
done > asked
status 'addresses of a core file' 0 sh -c "'$PSUITE' sym --core core - < asked"
cp "$scratch/out" by_core
status 'by saved maps' 0 sh -c "'$PSUITE' sym --maps saved.maps < asked"
same 'the same names' by_core "$scratch/out"
sed 's/^/info symbol /' asked > commands
gdb -batch -nx -iex 'set debuginfod enabled off' -x commands ./threads core 2>/dev/null | grep -E ' in section |^No symbol' |
  sed -E 's/^No symbol.*/??/; s/ in section.*//; s/@[^ ]*//; s/ \+ / /' > by_gdb
# NAME OFFSET of both. A function may have several names: then the offset from its start decides.
awk '{ split($1, part, "+"); offset = part[2]; sub(/^0x/, "", offset); print part[1], offset }' by_core |
  while read -r name offset; do echo "$name $((16#${offset:-0}))"; done | paste -d' ' - <(awk '{ print $1, $2 + 0 }' by_gdb) asked > both
holds 'many have names' "$(grep -vc '^??' both) > 150"
text 'gdb has the same names' '' "$(awk '$1 != $3 && $2 != $4 && $3 != "??"' both | head -5)"

# --- the program is another now, or gone
cp threads kept; gcc -O0 -g -pthread -o threads threads.c
status 'a program that was rebuilt' 0 "$PSUITE" sym --core core
has 'is not used' '^sym: 1 mapped file not read, such as .*/threads: no file with its build-id was found$' "$scratch/err"
has 'libc still has names' ': pause\+0x|: __libc_pause\+0x' "$scratch/out"
status 'the right one by name' 0 "$PSUITE" sym --core core -e kept
same 'has all names' chains "$scratch/out"
status 'the wrong one by name' 1 "$PSUITE" sym --core core -e threads

# --- what is damaged
head -c 3000 core > cut
status 'a core file that is cut before its notes' 1 "$PSUITE" sym --core cut
has 'is cut short' '^sym: cut: is cut short: [0-9]+ bytes are missing$' "$scratch/err"
finish
