#!/bin/bash
# prof --coverage of two programs (-O0 -g): zlib's minigzip, which packs 18 bytes, and sqlite3's shell, which executes a statement;
# compared with the bare run, with gcov's counters (--coverage), and with valgrind's callgrind and lackey, in turn, ROUNDS (5) times.
# CPU seconds are medians; each tool writes its file, and no report. gcov counts in a build of its own.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${ROUNDS:=5}" "${PSUITE:=$here/../../build-release/psuite}"
. "$here/../lib/need.sh"
. "$here/../lib/sources.sh"
. "$here/../lib/costs.sh"
PSUITE=$(realpath "$PSUITE")
need gcc valgrind /usr/bin/time=time && debian_sources && debian_source zlib || exit 0
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
costs=$dir

built() { # built NAME GCC_ARGUMENT...
  local name=$1; shift
  mkdir -p "$dir/$name.gcov" && gcc -O0 -g -w -o "$dir/$name" "$@" -lm && (cd "$dir/$name.gcov" && gcc -O0 -g -w --coverage -o program "$@" -lm)
}
zlib=$sources_cache/zlib sqlite=$sources_cache/sqlite3
built minigzip -DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1 -I"$zlib" "$zlib"/*.c "$zlib/test/minigzip.c" || exit
built sqlite3 -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -I"$sqlite" "$sqlite/sqlite3.c" "$sqlite/shell.c" || exit
printf "hello hello hello\n" > "$dir/input"

measured() { # measured NAME ARGUMENT...
  local name=$1; shift
  cost "$name.bare" "$dir/$name" "$@"
  cost "$name.gcov" "$dir/$name.gcov/program" "$@"
  cost "$name.callgrind" valgrind -q --tool=callgrind --dump-instr=yes --callgrind-out-file="$dir/out" "$dir/$name" "$@"
  cost "$name.lackey" valgrind -q --tool=lackey --basic-counts=no --trace-mem=no --detailed-counts=yes "$dir/$name" "$@"
  cost "$name.psuite" "$PSUITE" prof --coverage -q -f --record "$dir/$name.rec" -x "$dir/$name" "$@"
}
before=$(load_average) input=$dir/input
for ((i = 0; i < ROUNDS; i++)); do
  measured minigzip
  measured sqlite3 :memory: 'select 1'
done
executions() { awk '/^module/ { inside = 1; next } inside { n += $2 } END { print n }' "$dir/$1.rec"; }
row() { # row NAME TOOL LABEL
  awk -v what="$1" -v tool="$3" -v s="$(median_cost "$1.$2" 1)" -v bare="$(median_cost "$1.bare" 1)" -v n="$(executions "$1")" 'BEGIN {
    printf "| %s | %s | %.2f | %.2f |\n", what, tool, s, (s - bare) * 1e6 / n }'
}
echo "Medians of $ROUNDS rounds; load average before and after: $before, $(load_average)."
echo
echo '| program | | CPU s | us an executed instruction of the program |'
echo '|---|---|---|---|'
for name in minigzip sqlite3; do
  row $name bare "bare, $(executions $name) executed instructions"
  row $name gcov 'gcov'
  row $name callgrind 'callgrind'
  row $name lackey 'lackey'
  row $name psuite 'psuite prof --coverage'
done
