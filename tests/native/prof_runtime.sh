# The runtime of prof: programs that know their calls (tests/work/prof), each recorded, dumped and compared.
. lib/check.sh
: "${WORK:=$TESTS/../build/work}"
programs=$WORK/prof dump=$WORK/../tests/profdump
[ -x "$dump" ] || dump=$(cd "$WORK/.." && pwd)/tests/profdump

# record NAME PROGRAM [ARGUMENT...]: runs it in a folder of its own; $scratch/said and $scratch/dump
record() {
  local program=$2 status=0; name=$1; shift 2
  rm -rf "$scratch/run"; mkdir "$scratch/run"
  (cd "$scratch/run" && exec "$program" "$@") > "$scratch/said" 2> "$scratch/complaint" || status=$?
  text "$name: its status" "$(awk '$1 == "status" { s = $2 } END { print s + 0 }' "$scratch/said")" "$status"
}
# compare FILE: what the program said against what the file holds
compare() {
  { "$dump" -t "$1" && "$dump" "$1"; } > "$scratch/dump" 2>&1 || { fail "$name: the file is whole" "$(tail -1 "$scratch/dump")"; return; }
  text "$name: calls are as the program says" '' "$(awk -f lib/profcompare.awk "$scratch/dump" "$scratch/said")"
}
known() { record "$@"; compare "$scratch"/run/prof.*; }

variants=''
[ -x "$programs/prof_basic-so" ] && variants="$variants -so"
[ -x "$programs/prof_basic-a32" ] && variants="$variants -a32"
for v in '' $variants; do
  [ ! -x "$programs/prof_loads$v" ] || known "dlopen and dlclose$v" "$programs/prof_loads$v" "$WORK/libprof_plugin.so"
  for type in elapsed kernel user sample count adaptive; do
    proftype=$type known "basic$v, $type" "$programs/prof_basic$v"
  done
  known "a million frames$v" "$programs/prof_deep$v"
  known "longjmp$v" "$programs/prof_jumps$v"
  known "signals$v" "$programs/prof_signals$v"
  known "signals on a stack of their own$v" "$programs/prof_signals$v" a
  proftype=count known "signals, counts$v" "$programs/prof_signals$v"
  known "threads$v" "$programs/prof_threads$v" 10
  known "contexts$v" "$programs/prof_contexts$v"
  for how in exit _exit abort segv kill; do known "ends by $how$v" "$programs/prof_ends$v" $how; done
  known "fork$v" "$programs/prof_forks$v"
  known "stop and start$v" "$programs/prof_switched$v"
  record "fork, recorded$v" env PROFFORK=1 "$programs/prof_forks$v" child
  compare "$(ls "$scratch"/run/prof.* | sort -t. -k2n | tail -1)"
  text "a file each$v" 2 "$(ls "$scratch"/run/prof.* | wc -l)"
done
if g++ -O2 -finstrument-functions work/prof/throws.cc "$WORK/../libpsprof.a" -Wl,--wrap=__cxa_begin_catch,--wrap=longjmp \
  -pthread -o "$scratch/throws" 2>"$scratch/err"; then
  known 'exceptions' "$scratch/throws"
else
  skip 'exceptions' "$(head -1 "$scratch/err")"
fi
# A tree that is too small, and a folder that is not there.
profsize=20 record 'profsize 20' "$programs/prof_basic"
has 'Plan 9 says it so' '^[0-9]+ Prof errors$' "$scratch/complaint"
profdir=/no/such/folder record 'no folder' "$programs/prof_basic"
has 'a line why' '^psprof: prof\.[0-9]+: No such file or directory$' "$scratch/complaint"
finish
