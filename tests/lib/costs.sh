# costs.sh: CPU time of commands that are run in turn. Sourced by bench scripts.
#   costs=FOLDER  where the figures are kept
# cost NAME COMMAND...: the user and system time of the command and of all that it waited for, and its peak MB, are added to NAME's.
# Its input is $input, its output goes nowhere. Fails when the command cannot be run.
cost() {
  local name=$1 got=0; shift
  /usr/bin/time -o "$costs/time" -q -f '%U %S %M' "$@" < "${input:-/dev/null}" > /dev/null 2>&1 || got=$?
  awk '{ print $1 + $2, $3 / 1024 }' "$costs/time" >> "$costs/$name.costs"
  [ $got -lt 126 ]
}
# median_cost NAME FIELD: 1 CPU seconds, 2 MB
median_cost() { awk -v c="$2" '{ print $c }' "$costs/$1.costs" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
load_average() { cut -d' ' -f1 /proc/loadavg; }
