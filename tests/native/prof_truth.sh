# prof against samples of the same build without hooks: bzip2, by exact and by adaptive measuring. A dozen programs, lua with its
# many short calls among them, are in soak/prof_truth.sh. Here 10 points are allowed: others share the machine, and
# mainSimpleSort, a loop around calls, is 6 points too small. Of twenty rows three may be off by more than prof says.
. lib/check.sh
. lib/need.sh
. lib/sources.sh
: "${POINTS:=10}" "${SAMPLES:=6000}" "${OUTSIDE:=3}"
. lib/proftruth.sh
. lib/profprograms.sh
need gcc
"$PSUITE" tprof -q -k -g -o "$scratch/probe" -x true 2> /dev/null || { skip 'real programs' 'samples of kernel mode are refused here'; finish; }
debian_source bzip2 > "$scratch/log" 2>&1 || { skip 'real programs' "no sources: $(tail -1 "$scratch/log")"; finish; }
truth_head
truth_of bzip2
finish
