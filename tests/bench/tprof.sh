#!/bin/bash
# How much slower a program runs while it is sampled: alone, under tprof, under perf record, in turn, ROUNDS (5) times.
# The target measures itself; `whole' is the tool from its start to its end. Medians, and their ratios to the bare run.
set -u
: "${PSUITE:?the psuite to measure}" "${ROUNDS:=5}"
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
command -v perf >/dev/null || { echo 'perf is missing: apt-get install linux-perf'; exit 0; }

# About a second of each program.
seq 1 1500000 > "$dir/text"
cat > "$dir/q.sql" <<'Q'
create table t(a integer, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 350000)
  insert into t select i, printf('%x', i * 2654435761 % 4294967296) from n;
select count(*), max(b) from (select substr(b, 1, 3) k, max(b) b from t group by k order by b);
create index x on t(b);
select count(*) from t x join t y on x.b = y.b where x.a % 7 = 0;
Q
cat > "$dir/p.py" <<'P'
import json, zlib
for i in range(450):
    t = json.dumps([{"k": j, "v": str(j * i)} for j in range(600)])
    zlib.crc32(zlib.compress(t.encode(), 3)); json.loads(t)
P
target() {
  case $1 in
    xz) echo "xz -T1 -1 -c $dir/text";;
    sqlite3) echo "sqlite3 :memory: '.read $dir/q.sql'";;
    python3) echo "/usr/bin/python3 $dir/p.py";;
  esac
}

# run FILE TOOL...: appends "target_seconds whole_seconds target_cpu_seconds" to FILE
run() {
  local file=$1 from to; shift
  from=$(date +%s%N)
  "$@" bash -c "TIMEFORMAT='%R %U %S'; time $cmd >/dev/null" >"$dir/out" 2>"$dir/err"
  to=$(date +%s%N)
  grep -E '^[0-9.]+ [0-9.]+ [0-9.]+$' "$dir/err" | awk -v w=$((to - from)) '{print $1, w / 1e9, $2 + $3}' >> "$file"
}
median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
column() { awk -v c="$2" '{print $c}' "$1" | median; }

echo '| program | Hz | bare s | tprof | perf record | tprof whole | perf whole |'
echo '|---|---|---|---|---|---|---|'
for name in xz sqlite3 python3; do
  command -v $name >/dev/null || { echo "| $name | is missing |"; continue; }
  cmd=$(target $name)
  run "$dir/warm"
  for hz in 997 4999; do
    f=$dir/$name.$hz
    for ((i = 0; i < ROUNDS; i++)); do
      run "$f.bare"
      run "$f.tprof" "$PSUITE" tprof -F $hz -x
      run "$f.perf" perf record -q -e cpu-clock:u -F $hz -o "$dir/perf.data" --
    done
    bare=$(column "$f.bare" 1) whole=$(column "$f.bare" 2)
    for t in bare tprof perf; do eval "$t=$(column "$f.$t" 1) ${t}_w=$(column "$f.$t" 2)"; done
    awk -v n=$name -v hz=$hz -v b=$bare -v t=$tprof -v p=$perf -v bw=$bare_w -v tw=$tprof_w -v pw=$perf_w \
      'BEGIN {printf "| %s | %d | %.2f | %.3f x | %.3f x | %.3f x | %.3f x |\n", n, hz, b, t / b, p / b, tw / bw, pw / bw}'
  done
done
