# The runtime of prof on this processor: the programs of tests/work/prof, each recorded, dumped and compared.
. /test/data/lib/profknown.sh
psuite=psuite programs=$work/prof prof_scratch=/tmp/prof prof_compare=/test/data/lib/profcompare.awk
prof_dump=/test/profdump prof_kill=/test/profkill threads=2000 us=2000 deep=100000
mkdir -p $prof_scratch
for v in '' -a32 -so; do
  [ -x $programs/prof_basic$v ] || continue
  survives "$v"
  killed "$v" 40 3
done
rm -rf $prof_scratch
