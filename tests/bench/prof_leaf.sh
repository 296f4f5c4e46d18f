#!/bin/bash
# The error of prof's self times: a leaf of about 1 ns, called CALLS (50 million) times inside work of known duration. The same loop is
# timed without hooks by the program's own clock, and recorded; the error of the leaf's self time, per call. 7 runs in turn; the
# median of |self - true| must be within 3 ns (uftrace: 26). LIMIT=1: exit status 1 when it is not.
set -u
: "${PSUITE:?the psuite to measure}" "${ROUNDS:=7}" "${CALLS:=50000000}"
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
cat > leaf.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define QUIET __attribute__((no_instrument_function))
static volatile int sink;
__attribute__((noinline)) void leaf(int i) { sink = i; sink = i + 1; }
__attribute__((noinline)) QUIET void same(int i) { sink = i; sink = i + 1; }
__attribute__((noinline)) QUIET void none(int i) { __asm__ volatile("" :: "r"(i)); }
__attribute__((noinline)) void work(int n) { for (int i = 0; i < n; i++) leaf(i); }
static QUIET double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
QUIET int main(int c, char **v)
{
    int n = atoi(v[c - 1]);
    double from = now();
    for (int i = 0; i < n; i++) same(i);
    double with = now();
    for (int i = 0; i < n; i++) none(i);
    double without = now();
    printf("%.3f %.3f\n", (with - from) / n, (without - with) / n);
    work(n);
    return 0;
}
C
gcc -O2 -g $("$PSUITE" prof --cflags) leaf.c $("$PSUITE" prof --libs) -o leaf || exit
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
echo '| run | true, ns a call: leaf, its loop | self time of leaf: prof, raw | of its caller, which loops | off |'
echo '|---|---|---|---|---|'
for ((i = 1; i <= ROUNDS; i++)); do
  rm -f prof.[0-9]*
  read -r with without < <(./leaf "$CALLS")
  self() { "$PSUITE" prof "$@" prof.[0-9]* 2>/dev/null | awk -v n="$CALLS" -v f="$f" '$NF == f { printf "%.2f", $2 * 1e9 / n }'; }
  f=leaf mine=$(self) raw=$(self -R); f=work
  caller=$(self)
  # the leaf alone takes between nothing, when it hides behind its loop, and all of the loop's turn
  off=$(awk -v m="$mine" -v w="$with" -v o="$without" 'BEGIN { t = w - o; if (t < 0) t = 0; d = m - t; print d < 0 ? -d : d }')
  printf '| %d | %.2f, %.2f | %s, %s | %s | %.2f |\n' $i "$with" "$without" "$mine" "$raw" "$caller" "$off"
  echo "$off" >> off
done
middle=$(median < off)
printf '\nMedian: %.2f ns a call off.\n' "$middle"
[ -z "${LIMIT:-}" ] || awk "BEGIN { exit !($middle <= 3) }" || { echo "over its limit: $middle ns" >&2; exit 1; }
