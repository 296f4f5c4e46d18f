# The runtime of prof on this processor: the programs of tests/work/prof, each recorded, dumped and compared.
prof_known() { # WHAT PROGRAM [ARGUMENT...]
  what=$1; shift
  rm -rf /tmp/prof; mkdir /tmp/prof
  (cd /tmp/prof && exec "$@") >/tmp/said 2>/tmp/complaint; got=$?
  text "$what: its status" "$(awk '$1 == "status" { s = $2 } END { print s + 0 }' /tmp/said)" "$got"
  { /test/profdump -t /tmp/prof/prof.* && /test/profdump /tmp/prof/prof.*; } >/tmp/dump 2>&1
  text "$what: calls are as the program says" '' "$(awk -f /test/data/lib/profcompare.awk /tmp/dump /tmp/said; cat /tmp/complaint)"
}
for v in '' -a32; do
  [ -x $work/prof/prof_basic$v ] || continue
  for type in elapsed kernel sample count adaptive; do
    export proftype=$type
    prof_known "basic$v, $type" $work/prof/prof_basic$v
    sed -n '/^hz/{p;q;}' /tmp/dump
  done
  unset proftype
  prof_known "a hundred thousand frames$v" $work/prof/prof_deep$v 100000
  prof_known "longjmp$v" $work/prof/prof_jumps$v
  prof_known "signals$v" $work/prof/prof_signals$v n 2000
  prof_known "signals on a stack of their own$v" $work/prof/prof_signals$v a 2000
  prof_known "threads$v" $work/prof/prof_threads$v 3
  prof_known "contexts$v" $work/prof/prof_contexts$v
  for how in exit _exit abort segv kill; do prof_known "ends by $how$v" $work/prof/prof_ends$v $how; done
  prof_known "fork$v" $work/prof/prof_forks$v
  prof_known "stop and start$v" $work/prof/prof_switched$v
done
