# Call chains by call frame information, against gdb at the same stops of real programs, and against the compiler's own
# unwinder inside a program. The large run, 200 stops each of more programs: STOPS=200 bash tests/native/unwind.sh, after
# ./dev test has installed and built what it needs.
. lib/check.sh
. lib/need.sh
: "${STOPS:=25}"
tools=$(dirname "$PSUITE")/tests
status 'a program unwinds itself' 0 "$tools/unwindself" -v 1
cat "$scratch/out"
[ "$(uname -m)" = x86_64 ] || { skip 'gdb' 'gdbstops.py knows x86-64 only'; finish; }
need gdb xz=xz-utils sqlite3 bash
[ "$STOPS" -lt 100 ] || need g++ /usr/bin/python3=python3 gcc
gdb -nx -batch -ex 'py print(7 * 6)' 2>&1 | grep -q 42 || { skip 'gdb' 'it has no python'; finish; }

# against_gdb NAME PROGRAM [ARGUMENTS]: of its stops, 99 in 100 have the same chain; and as many are whole
against_gdb() {
  local name=$1 stops=$scratch/$1.stops
  timeout 300 gdb -nx -batch -ex "py out='$stops'; stops=$STOPS; most_ms=30; first_ms=400; arguments='''${3:-}'''" \
    -x tools/gdbstops.py "$2" >"$scratch/gdb" 2>&1
  "$tools/unwinddump" -v -n 20 "$stops" >"$scratch/$name.out" 2>&1 || { fail "$name under gdb" "$(tail -5 "$scratch/gdb")"; return; }
  sed -n '$s/^.*stops: //p' "$scratch/$name.out"
  local all same whole
  read -r all same whole < <(sed -nE '$s/^.*: ([0-9]+) stops, ([0-9]+) same.* ([0-9]+) whole.*/\1 \2 \3/p' "$scratch/$name.out")
  holds "$name: $same of ${all:-0} chains are gdb's, $whole whole" "${all:-0} >= $STOPS && $same >= 0.99 * $all && $whole >= 0.99 * $all" ||
    head -12 "$scratch/$name.out"
}

cat >"$scratch/f.sh" <<'S'
f() { local a=$1; if [ $a -gt 0 ]; then f $((a-1)); fi; for i in 1 2 3; do x="${x/a/b}$i"; [[ $x =~ b.*c ]]; done; x=abc; }
while :; do f 20; printf -v z '%s' "$x"; arr=({1..50}); done
S
head -c 30000000 /dev/urandom >"$scratch/noise"
echo "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x<300000000)
SELECT sum(length(printf('%d-%s', x, hex(randomblob(4))))), count(DISTINCT x%1000), group_concat(x%3) FROM c WHERE x LIKE '%1%';" >"$scratch/q.sql"
against_gdb xz "$(command -v xz)" "-k -c -T1 \"$scratch/noise\""
against_gdb bash "$(command -v bash)" "\"$scratch/f.sh\""
against_gdb unwindself "$tools/unwindself" '-w 1000'
[ "$STOPS" -ge 100 ] || finish

against_gdb sqlite3 "$(command -v sqlite3)" "-init \"$scratch/q.sql\" :memory:"
cat >"$scratch/p.py" <<'S'
import json, re
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def deep(n): return sorted(range(50), key=lambda x: -x)[0] if n == 0 else max([n], key=lambda v: deep(n - 1))
while True:
    fib(15); deep(40)
    json.loads(json.dumps([{"a": i, "b": [i] * 3} for i in range(300)]))
    re.sub(r"(\w+)-(\d+)", lambda m: m.group(2), "abc-123 " * 200)
S
against_gdb python3 /usr/bin/python3 "\"$scratch/p.py\""
for ((i = 0; i < 20000; i++)); do
  echo "int f$i(int a, int b) { int s = 0; for (int i = 0; i < a; i++) switch ((i + b) % 7) { case 0: s += b; break; case 1: s ^= a * $i; break; case 2: s -= f$((i ? i - 1 : 0))(i, b); } return s; }"
done >"$scratch/c.c"
against_gdb cc1 "$(gcc -print-prog-name=cc1)" "-quiet -O2 \"$scratch/c.c\" -o /dev/null"
cat >"$scratch/t.cc" <<'S'
#include <algorithm>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
static volatile long sink;
__attribute__((noinline)) static int thrower(int n)
{
    if (n <= 0) throw std::runtime_error("deep" + std::to_string(n));
    int v = thrower(n - 1) + 1;
    sink += v;
    return v;
}
static void work(int id)
{
    for (;;) {
        try { thrower(20 + id); } catch (const std::exception &e) { sink += e.what()[0]; }
        std::map<std::string, int> m;
        for (int i = 0; i < 200; i++) m[std::to_string(i * 7 % 100)] += i;
        std::vector<double> v(2000);
        for (size_t i = 0; i < v.size(); i++) v[i] = (i * 7919) % 1000;
        std::sort(v.begin(), v.end(), [](double a, double b) { return a > b; });
        sink += std::regex_search(std::string("xxabcbcbcdyy"), std::regex("a(b|c)*d"));
    }
}
int main()
{
    std::vector<std::thread> t;
    for (int i = 0; i < 3; i++) t.emplace_back(work, i);
    work(9);
}
S
g++ -O2 -o "$scratch/threads" "$scratch/t.cc" -pthread && against_gdb threads "$scratch/threads"
finish
