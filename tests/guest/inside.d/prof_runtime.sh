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
rm -rf $prof_scratch
