# Page faults of the whole machine with call chains: psuite's own are few, however many it samples. Each record that it reads takes
# memory, and each fault for that would bring a record more. An outer tprof counts psuite's faults; in the recording they would
# be among those that are lost.
. lib/check.sh
. lib/report.sh
. lib/need.sh
: "${WORK:=$TESTS/../build/work}"
cd "$scratch" || exit
if ! "$PSUITE" tprof -q -a -k -g -e page-faults --record probe -t 0.1 2>err; then
  skip 'page faults of all processes' "$(head -1 err)"; finish
fi
kernel=$(uname -r | cut -d. -f1,2)
if ! awk "BEGIN { split(\"$kernel\", v, \".\"); exit !(v[1] > 5 || v[1] == 5 && v[2] >= 14) }"; then
  skip 'own faults' "Linux $kernel cannot populate memory"; finish
fi
faults=100000
status 'psuite samples the faults of the machine, and is sampled' 0 "$PSUITE" tprof -q -e page-faults --record outer -x \
  "$PSUITE" tprof -q -a -k -g -e page-faults --record inner -x "$WORK/deep_faults" $faults
# of NAME FILE: the samples of the process
of() { "$PSUITE" tprof --by-process --json "$2" > json 2>/dev/null; value json "sum(p['samples'] for p in d['processes'] if p['name'] == '$1')"; }
work=$(of deep_faults outer) own=$(of "$(basename "$PSUITE")" outer) read=$(of deep_faults inner)
holds "the program has $work faults, as far as they were read" "$work > 0.5 * $faults"
holds "of which psuite has read samples: $read" "$read > 0"
# Some 10,000 are for the kernel's symbols and the call frame information of what runs. It was more than one a sample.
"$PSUITE" tprof --json inner > json 2>/dev/null; samples=$(value json "d['samples']")
holds "for $samples samples of all processes psuite has $own faults itself" "$own > 0 && $own < $samples"
finish
