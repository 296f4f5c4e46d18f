# The runtime of prof on this processor: the programs of tests/work/prof, each recorded, dumped and compared.
. /test/data/lib/profknown.sh
psuite=psuite programs=$work/prof prof_scratch=/tmp/prof prof_compare=/test/data/lib/profcompare.awk
prof_dump=/test/profdump prof_kill=/test/profkill threads=160 us=5000 deep=30000 bushy=13
mkdir -p $prof_scratch
ok 'programs with libpsprof are here' test -x $programs/prof_basic
survives ''
killed '' 12 3
if [ -x $programs/prof_basic-a32 ]; then
  survives_calls -a32
  killed -a32 6 3
fi
survives_linking -so
killed -so 6 3

# Time in user mode: where programs may read the counters, else the kernel's time with it. 300 ms are spent in each mode.
modes() { # modes TYPE: the report is left in $out and $err
  rm -f $prof_scratch/prof.*
  (cd $prof_scratch && proftype=$1 $programs/prof_modes 300)
  psuite prof -l $prof_scratch/prof.* >$out 2>$err
}
self_ms() { awk -v name=$1 '$4 == name { ms = $2 * 1000 } END { print ms + 0 }' $out; }
modes user
has 'no counter of user mode' 'measured as kernel: no counter of user mode' $err
holds 'time in the kernel is counted with it' "$(self_ms in_kernel) > 150"
if [ -e /proc/sys/kernel/perf_user_access ]; then
  echo 1 >/proc/sys/kernel/perf_user_access
  modes user
  text 'a counter of user mode' '' "$(cat $err)"
  holds 'time in the kernel is not counted' "$(self_ms in_kernel) < 60"
  holds 'time in user mode is' "$(self_ms in_user) > 200 && $(self_ms in_user) < 360"
  ok 'its report' psuite prof -c $prof_scratch/prof.*
  has 'says by what' 'exact, user by cycles in user mode' $out
  (cd $prof_scratch && rm -f prof.* && proftype=user $programs/prof_threads 20 2000) >/dev/null
  ok 'threads' psuite prof --json $prof_scratch/prof.*
  has 'each have a counter' '"type_note":""' $out
  echo 0 >/proc/sys/kernel/perf_user_access
fi
rm -rf $prof_scratch
