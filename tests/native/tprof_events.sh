#!/bin/bash
# tprof by several events at once: each as often as it happens by the program's own count, and as perf has it of the same program.
. lib/check.sh
. lib/need.sh
. lib/perf.sh
. lib/report.sh
: "${WORK:=$TESTS/../build/work}"
cd "$scratch" || exit
if ! "$PSUITE" tprof -q -e cpu-clock,page-faults,context-switches --record probe -x true 2>err; then
  skip 'several events' "$(head -1 err)"; finish
fi
# A second of faults and of none: 5000 pages, then arithmetic.
cat > work.c <<'END'
#include <sys/mman.h>
#include <unistd.h>
static volatile unsigned sink;
__attribute__((noinline)) void touches(void) { volatile char *at = mmap(0, 5000 * 4096L, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); for (int i = 0; i < 5000; i++) at[i * 4096L] = 1; }
__attribute__((noinline)) void computes(void) { for (unsigned i = 0; i < 150000000; i++) sink += i; }
__attribute__((noinline)) void sleeps(void) { for (int i = 0; i < 40; i++) usleep(1000); }
int main(void) { touches(); computes(); sleeps(); return 0; }
END
need gcc || exit
ok 'a program' gcc -O1 -o work work.c
# of EVENT: the samples that it has in FUNCTION
of() { "$PSUITE" tprof -e "$1" --json rec > json 2>/dev/null; value json "sum(r['samples'] for r in d['rows'] if r['name'] == '$2')"; }
status 'three events' 0 "$PSUITE" tprof -k -e cpu-clock,page-faults -e context-switches --record rec -x ./work
cp "$scratch/err" said
text 'a section each' 'cpu-clock page-faults context-switches' "$(awk '/^event /{ printf "%s%s", n++ ? " " : "", substr($2, 1, length($2) - 1) }' said)"
holds "the clock is in computes: $(of cpu-clock computes) samples" "$(of cpu-clock computes) > 20"
faults=$(of page-faults touches)
holds "all 5000 faults are in touches: $faults" "$faults >= 5000 && $faults < 5010"
text 'none of the clock is among them' 0 "$(of page-faults computes)"
"$PSUITE" tprof -e context-switches --json rec > json; switches=$(value json "d['samples']")
holds "each of 40 sleeps is a switch: $switches" "$switches >= 40"

# --- a value each in the file for pprof: what it adds up is what our reports add up
"$PSUITE" tprof -q -o pprof:rec.pb.gz rec
# total EVENT UNIT: pprof's sum of the rows, and of all samples
total() { HOME=$scratch PPROF_TMPDIR=$scratch GOFLAGS=-mod=mod GOCACHE=$scratch go tool pprof -symbolize=none -nodecount=100000 -nodefraction=0 -top \
  "-sample_index=$1" "-unit=$2" rec.pb.gz 2>/dev/null | awk '/ total$/ { all = $(NF - 1) } on { sum += $1 } /flat%/ { on = 1 } END { sub(/[a-z]+$/, "", all); print sum, all }'; }
# sum EVENT FIELD: the same of our report
sum() { "$PSUITE" tprof -e "$1" --json rec > json 2>/dev/null; value json "d['$2']"; }
if need go=golang-go >/dev/null 2>&1; then
  for event in page-faults context-switches; do n=$(sum $event events); text "pprof: $event" "$n $n" "$(total $event count)"; done
  ms=$(sum cpu-clock total_ms); read -r rows all < <(total cpu-clock ns)
  holds "pprof: cpu-clock: rows of $rows ns, in all $all, ours $ms ms" "$rows == $all && ($all / 1000000 - $ms) ^ 2 <= 1"
else
  skip 'pprof: a value each' 'no go here'
fi

# --- what comes as often as it happens has the larger rings
if [ "$(id -u)" = 0 ]; then
  # rings EVENT: their KB
  rings() { "$PSUITE" tprof -qf -e "$1" --record ring -x sh -c 'awk "/perf_event/ { on = 1; next } on && /^Size:/ { sum += \$2; on = 0 } END { print sum }" /proc/$PPID/smaps'; }
  faults=$(rings page-faults) both=$(rings cpu-clock,page-faults) clock=$(rings cpu-clock)
  holds "rings of $faults KB for faults, $both KB for two events, $clock KB for the clock" "$faults > $clock && $both > $clock"
else
  skip 'larger rings' 'a user may lock little memory'
fi

# --- a fork's events are the events of the parent: ids are inherited
status 'children' 0 "$PSUITE" tprof -k -e cpu-clock,page-faults --record forked -x sh -c './work; ./work'
"$PSUITE" tprof -e page-faults --json forked > json
faults=$(value json "sum(r['samples'] for r in d['rows'] if r['name'] == 'touches')")
holds "faults of two processes: $faults" "$faults >= 10000 && $faults < 10020"

# --- the same of what perf recorded
if need perf=linux-perf && perf record -q -N -B -e cpu-clock,page-faults,context-switches -F 997 -o perf.data ./work 2>/dev/null; then
  "$PSUITE" tprof perf.data > out 2>err
  text 'perf.data: a section each' 'cpu-clock page-faults context-switches' "$(awk '/^event /{ sub(/:[a-zA-Z]*:?$/, ":", $2); printf "%s%s", n++ ? " " : "", substr($2, 1, length($2) - 1) }' out)"
  perf_script -F event -i perf.data | awk '{ sub(/:[a-zA-Z]*:?$/, "", $1) } NF { n[$1]++ } END { for (e in n) print e, n[e] }' | sort > theirs
  awk '/^event /{ sub(/:[a-zA-Z]*:?$/, "", $2); print $2, $3 }' out | sort > ours
  if [ -s theirs ]; then same 'as many samples of each as perf script has' theirs ours; else skip "perf script's samples" 'perf cannot read what it records here'; fi
else
  skip 'several events of perf.data' 'perf cannot record here'
fi
finish
