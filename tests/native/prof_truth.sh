# prof against samples of the same build without hooks: bzip2, by exact and by adaptive measuring. A dozen programs, lua with its
# many short calls among them, are in soak/prof_truth.sh, held to 3 points. Here 18 are allowed: mainSimpleSort, a loop around
# calls, is 6 points too small by exact, and up to 14 where a timer interrupt takes 50 us. Of twenty rows three may be off by more
# than prof says. Where prof does not sample, exact's times have what its probes cost: only those of adaptive are held to the
# bounds. prof does not where a timer interrupt takes longer: the build without hooks is sampled less often then, too.
. lib/check.sh
. lib/need.sh
. lib/sources.sh
: "${WORK:=$TESTS/../build/work}" "${POINTS:=18}" "${SAMPLES:=6000}" "${OUTSIDE:=3}"
. lib/proftruth.sh
. lib/profprograms.sh
need gcc
"$PSUITE" tprof -q -k -g -o "$scratch/probe" -x true 2> /dev/null || { skip 'real programs' 'samples of kernel mode are refused here'; finish; }
# One decision for all runs: where a timer interrupt takes about as long as prof allows, some would be sampled and others not.
mkdir "$scratch/trial" && cd "$scratch/trial" && proftype=adaptive "$WORK/prof/prof_scaled" > said && "$PSUITE" prof --json prof.* > json 2> /dev/null || exit
export profsample=$(($(grep -o '"sample_ns":[0-9]*' json | cut -d: -f2) / 1000)) # microseconds
[ "$profsample" != 0 ] || { skip 'times by exact' "$(grep -oE 'not sampled[^"]*' json)"; ALONE=1 FREQUENCY=499 SAMPLES=2000; }
debian_source bzip2 > "$scratch/log" 2>&1 || { skip 'real programs' "no sources: $(tail -1 "$scratch/log")"; finish; }
truth_head
truth_of bzip2
finish
