# The runtime of prof on this processor: the programs of tests/work/prof, each recorded, dumped and compared.
. /test/data/lib/profknown.sh
psuite=psuite programs=$work/prof prof_scratch=/tmp/prof prof_compare=/test/data/lib/profcompare.awk
prof_dump=/test/profdump prof_kill=/test/profkill threads=80 us=5000 deep=30000 bushy=13
mkdir -p $prof_scratch
ok 'programs with libpsprof are here' test -x $programs/prof_basic
# What may come in the way of its file is not the processor's: native_prof_runtime has it.
survives_calls ''
survives_nodes ''
killed '' 12 3
if [ -x $programs/prof_basic-a32 ]; then
  survives_code -a32
  killed -a32 6 3
fi
survives_linking -so
killed -so 6 3

# Samples: none where an interrupt takes long, as on an emulated processor; here some that are far apart.
rm -f $prof_scratch/prof.*
(cd $prof_scratch && $programs/prof_basic) >/dev/null
psuite prof --json $prof_scratch/prof.* >$out 2>$err
field() { grep -oE "\"$1\":[0-9]+" $out | head -1 | cut -d: -f2; }
holds 'interrupts take 5% of the time at most' "$(field sample_ns) == 0 || $(field sample_cost_ns) * 20 <= $(field sample_ns)"
export profsample=20000
for type in ${WHOLE:+elapsed} adaptive; do
  proftype=$type known "threads, sampled, $type" $programs/prof_threads 3
  proftype=$type known "$threads threads come and go, sampled, $type" $programs/prof_crowds $threads
  proftype=$type known "$threads threads at once, sampled, $type" $programs/prof_together $threads
done
unset profsample

# Time in user mode: where programs may read the counters, else the kernel's time with it. 300 ms are spent in each mode.
modes() { # modes TYPE: the report is left in $out and $err
  rm -f $prof_scratch/prof.*
  (cd $prof_scratch && proftype=$1 $programs/prof_modes 300)
  psuite prof -l $prof_scratch/prof.* >$out 2>$err
}
holds_quietly() { awk "BEGIN { exit !($1) }"; }
self_ms() { awk -v name=$1 '$4 == name { ms = $2 * 1000 } END { print ms + 0 }' $out; }
modes user
has 'no counter of user mode' 'measured as kernel: no counter of user mode' $err
holds 'time in the kernel is counted with it' "$(self_ms in_kernel) > 150"
if [ -e /proc/sys/kernel/perf_user_access ]; then
  echo 1 >/proc/sys/kernel/perf_user_access
  in_kernel= in_user=
  for try in 1 2 3 4 5; do # what stops an emulated processor counts in either mode
    modes user
    text 'a counter of user mode' '' "$(cat $err)"
    [ "$in_kernel" ] && holds_quietly "$in_kernel < 60" || in_kernel=$(self_ms in_kernel)
    [ "$in_user" ] && holds_quietly "$in_user > 200 && $in_user < 360" || in_user=$(self_ms in_user)
    ! holds_quietly "$in_kernel < 60 && $in_user > 200 && $in_user < 360" || break
  done
  holds 'time in the kernel is not counted' "$in_kernel < 60"
  holds 'time in user mode is' "$in_user > 200 && $in_user < 360"
  ok 'its report' psuite prof -c $prof_scratch/prof.*
  has 'says by what' 'exact, user by cycles in user mode' $out
  (cd $prof_scratch && rm -f prof.* && proftype=user $programs/prof_threads 20 2000) >/dev/null
  ok 'threads' psuite prof --json $prof_scratch/prof.*
  has 'each have a counter' '"type_note":""' $out
  echo 0 >/proc/sys/kernel/perf_user_access
fi
rm -rf $prof_scratch
