#!/bin/bash
# The slow-down of a sampled program: alone, under tprof, under perf record, in turn, ROUNDS (7) times. `target' is the target's own
# CPU time, user and system, which other load affects least; `total' the time from the tool's start to its end; `tool' the tool's
# CPU time over the target's. Each figure is the median of the ratios to the bare run of the same round.
set -u
: "${PSUITE:?the psuite to measure}" "${ROUNDS:=7}"
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

# run FILE TOOL...: appends "target_cpu total cpu_of_all", in seconds, to FILE
run() {
  local file=$1 from to before after; shift
  before=$(times_of_children) from=$(date +%s%N)
  "$@" bash -c "TIMEFORMAT='%U %S'; time $cmd >/dev/null" >"$dir/out" 2>"$dir/err"
  to=$(date +%s%N) after=$(times_of_children)
  grep -E '^[0-9.]+ [0-9.]+$' "$dir/err" | awk -v w=$((to - from)) -v c="$before $after" \
    '{split(c, t, " "); print $1 + $2, w / 1e9, (t[2] - t[1]) / 100}' >> "$file"
}
times_of_children() { awk '{sub(/.*\) /, ""); print $14 + $15}' /proc/$$/stat; }
median() { sort -n | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
ratio() { paste "$1" "$2" | awk -v c="$3" '{print $c / $(c + 3)}' | median; } # ratio FILE BARE COLUMN
tool() { awk '{print 100 * ($3 - $1) / $1}' "$1" | median; }

echo '| program | Hz | bare CPU s | target: tprof | target: perf record | total: tprof | total: perf record | tool: tprof | tool: perf |'
echo '|---|---|---|---|---|---|---|---|---|'
for name in xz sqlite3 python3; do
  command -v $name >/dev/null || { echo "| $name | is missing |"; continue; }
  cmd=$(target $name)
  run "$dir/warm"
  for hz in 997 4999; do
    f=$dir/$name.$hz
    for ((i = 0; i < ROUNDS; i++)); do
      for ((k = i; k < i + 3; k++)); do # who comes first changes from round to round
        case $((k % 3)) in
          0) run "$f.bare" ;;
          1) run "$f.tprof" "$PSUITE" tprof -F $hz -x ;;
          2) run "$f.perf" perf record -q -e cpu-clock:u -F $hz -o "$dir/perf.data" -- ;;
        esac
      done
    done
    printf '| %s | %d | %.2f | %.3f x | %.3f x | %.3f x | %.3f x | %.1f%% | %.1f%% |\n' $name $hz "$(cut -d' ' -f1 "$f.bare" | median)" \
      "$(ratio "$f.tprof" "$f.bare" 1)" "$(ratio "$f.perf" "$f.bare" 1)" "$(ratio "$f.tprof" "$f.bare" 2)" \
      "$(ratio "$f.perf" "$f.bare" 2)" "$(tool "$f.tprof")" "$(tool "$f.perf")"
  done
done
