# The processes of stats on this machine: a program that computes all the time is first, and has the CPU time that the kernel
# counted for it; so does top (procps) over the same seconds. Its name would act on a terminal.
. lib/check.sh
. lib/need.sh
need top=procps > /dev/null 2>&1 || echo 'no procps to compare with'
export LC_ALL=C

bash -c 'printf "burn\e[2J<i>\"" > /proc/$$/comm; while :; do :; done' & burning=$!
trap 'kill $burning 2> /dev/null; rm -rf "$scratch"' EXIT
renice -n -10 -p $burning > /dev/null 2>&1 # by root: other programs' load takes less of it
until_ok grep -q '^burn' /proc/$burning/comm
hz=$(getconf CLK_TCK)
# ticks FILE: of all processes: id, start, ticks
ticks() { cat /proc/[0-9]*/stat 2> /dev/null | sed -nE 's/^([0-9]+) .*\) /\1 /p' | awk '{ print $1, $21, $13 + $14 }' > "$1"; }
of_burning() { awk -v pid="$burning" '$1 == pid { print $3 }' "$1"; }
# row FILE MEMBER: of the burning process, or nothing
row() {
  python3 - "$1" "$burning" "$2" <<'P'
import json, sys
source = json.load(open(sys.argv[1]))["sources"][0]
print(*(source[sys.argv[3]] if sys.argv[3] in source else row[sys.argv[3]] for row in source["processes"] if row["pid"] == int(sys.argv[2])))
P
}

# --- JSON: what the kernel counted between the two readings is at most that around them, and less by at most the time around
began=$(date +%s%N); ticks "$scratch/before"
status 'two seconds' 0 "$PSUITE" stats --once --json -l --processes -T 2
ticks "$scratch/after"; took=$(($(date +%s%N) - began))
cp "$scratch/out" "$scratch/sample"
pct=$(row "$scratch/sample" cpu_pct) span=$(row "$scratch/sample" processes_span_s)
around=$(awk "BEGIN { print ($(of_burning "$scratch/after") - $(of_burning "$scratch/before")) / $hz }")
holds "$pct% of $span s, at most the $around s of the kernel" "$pct / 100 * $span <= $around + 2 / $hz + 0.01"
holds 'and less by no more than the time around' "$pct / 100 * $span >= $around - ($took / 1e9 - $span) - 2 / $hz - 0.01"
holds "which is much of a CPU: $pct%" "$pct > 20"
ok 'it is first, or others are before it that used more by the kernel' python3 - "$scratch" "$burning" "$hz" <<'P'
import json, sys
read = lambda name: {tuple(l.split()[:2]): int(l.split()[2]) for l in open(sys.argv[1] + "/" + name)}
before, after, hz = read("before"), read("after"), float(sys.argv[3])
around = {int(pid): (ticks - before.get((pid, start), 0)) / hz for (pid, start), ticks in after.items()}
source = json.load(open(sys.argv[1] + "/sample"))["sources"][0]
rows, span = source["processes"], source["processes_span_s"]
place = [row["pid"] for row in rows].index(int(sys.argv[2]))
for row in rows[:place]:
    assert row["cpu_pct"] >= rows[place]["cpu_pct"], rows
    assert row["cpu_pct"] / 100 * span <= around.get(row["pid"], span * 64) + 2 / hz + 0.01, (row, around)
P
text 'with its threads' 1 "$(row "$scratch/sample" threads)"
holds 'its memory, within pages that come meanwhile' \
  "($(row "$scratch/sample" resident_bytes) - $(awk -v page="$(getconf PAGESIZE)" '{ print $2 * page }' "/proc/$burning/statm"))^2 < (1024 * 1024)^2"
read_all=$(row "$scratch/sample" processes_read) there=$(find /proc -maxdepth 1 -name '[0-9]*' | wc -l)
holds "all processes were read: $read_all of $there" "($read_all - $there)^2 <= (5 + 0.2 * $there)^2"

# --- text
status 'the overview' 0 "$PSUITE" stats --once --overview
has 'ends with the processes, this one among them' "^ *$burning +[0-9.]+ .* R +burn\?\[2J<i>\"\$" <(sed '1,/^ *pid /d' "$scratch/out")
text 'five of them' 5 "$(sed '1,/^ *pid /d' "$scratch/out" | wc -l)"
hasnt 'nothing for the terminal' $'\e' "$scratch/out"

# --- top, over the same seconds: within 15 points, as they do not begin together
if command -v top > /dev/null; then
  for _ in 1 2 3; do # what takes the CPU away may do so in one of both alone
    top -b -n 2 -d 3 > "$scratch/top" & beside=$!
    "$PSUITE" stats --once --json -l --processes -T 3 > "$scratch/sample"
    wait $beside
    theirs=$(awk -v pid="$burning" '/^top -/ { n++ } n == 2 && $1 == pid { print $9 }' "$scratch/top")
    pct=$(row "$scratch/sample" cpu_pct)
    ! awk "BEGIN { exit !(($pct - $theirs)^2 <= 15^2) }" || break
  done
  holds "CPU time by top: $pct% here, $theirs% there" "($pct - $theirs)^2 <= 15^2"
else
  skip 'top' 'no procps here'
fi
finish
