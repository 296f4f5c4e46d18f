# tprof on a board's kernel: the workload that knows its answer, Thumb and A32 alike, as a command and by its pid.
number() { grep -o "\"$1\":[0-9.]*" "$2" | head -1 | cut -d: -f2; }
different() { for word; do echo "$word"; done | sort -u | wc -l; }
row_share() { # row_share FUNCTION FILE: in per cent, of a text report
  awk -F'\t' -v name="$1" '{ split($3, w, " ") } w[1] == name { print $2 + 0; found = 1; exit } END { if (!found) print 0 }' "$2"
}
for program in $work/shares*; do
  name=${program##*/}
  # Five tries for each share: an emulated processor on a busy host stalls, which its clock counts and no sample sees. It is
  # held against the program's own clock and against the construction.
  near=''
  for try in 1 2 3 4 5; do
    rm -f /tmp/report
    tprof -F 4999 -o /tmp/report -x "$program" 150 >$out 2>$err; got=$?
    read -r own_main _ own_one _ own_two _ < $out
    shares="$(row_share in_main /tmp/report) $(row_share share_one /tmp/report) $(row_share share_two /tmp/report)"
    near="$near $(echo "$shares $own_main $own_one $own_two" | awk '
      function near(name, a, b, c) { if ((a - b) ^ 2 <= 36 || (a - c) ^ 2 <= 36) print name }
      { near("main", $1, $4, 16.7); near("one", $2, $5, 33.3); near("two", $3, $6, 50) }')"
    [ "$got.$(different $near)" != 0.3 ] || break
  done
  text "$name under tprof -x" 0 "$got"
  text "$name: shares $shares, $own_main $own_one $own_two by its own clock; how many were near" 3 "$(different $near)"
  has "$name: how it was measured" '^perf cpu-clock, user mode, [0-9]+ Hz: [0-9]+ samples, 0 lost, ' /tmp/report
  "$program" 100000 >/dev/null &
  pid=$!
  has_threads() { grep -q late /proc/$pid/task/*/comm; }
  until_ok has_threads
  for seconds in 1 3 25; do # the processor may get little time
    status "$name by its pid, $seconds s" 0 tprof -t $seconds --json $pid
    [ "$(number samples $out)" -le 100 ] || break
  done
  kill $pid
  holds "$name: samples of both threads" "$(number samples $out) > 100"
  holds "$name: its names are found" "$(number unresolved_pct $out) < 5"
done
# What threads wait, by function, against their own clocks; five tries for each, as above.
waited() { awk -v f=";$1;" '{ n = $NF; sub(/ [0-9]+$/, "") } index(";" $0 ";", f) && /[)]$/ { sum += n } END { printf "%.1f", sum / 1e6 }' /tmp/folded; }
near=''
for try in 1 2 3 4 5; do
  tprof -w -g -q -f -o folded:/tmp/folded -o /tmp/report --record /tmp/waits -x $work/waits >$out 2>$err; got=$?
  pairs=$(for f in sleeps keeps_lock wants_lock reads_pipe; do echo "$f $(waited $f) $(awk -v f=$f '$1 == f { print $2 }' $out)"; done)
  near="$near $(echo "$pairs" | awk '{ most = $3 / 10 > 20 ? $3 / 10 : 20 } ($2 - $3) ^ 2 <= most ^ 2 { print $1 }')"
  [ "$got.$(different $near)" != 0.4 ] || break
done
text 'waits under tprof -w' 0 "$got"
has 'their sum' '^waits: [0-9]+ ms running; [0-9]+ waits of [0-9]+ ms: [0-9]+ asleep, [0-9]+ for a CPU$' /tmp/report
text "waits of $(echo $pairs) by its own clock; how many were near" 4 "$(different $near)"
holds 'three sleeps of 100 ms each' "$(waited sleeps) >= 295"
status 'recorded' 0 tprof -g -f -o /tmp/again /tmp/waits
ok 'says the same' cmp /tmp/report /tmp/again
# Several events at once: each page is a fault, and only that.
status 'two events' 0 tprof -e cpu-clock,page-faults -f -o /tmp/report --record /tmp/events -x $work/touch_pages 1000
faults=$(sed -n 's/^event page-faults: \([0-9]*\) samples$/\1/p' /tmp/report)
holds "page faults: $faults" "${faults:-0} >= 1000 && ${faults:-0} < 1200"
has 'the clock has a section of its own' '^event cpu-clock: [0-9]+ sample' /tmp/report
status 'one of the two, recorded' 0 tprof -e page-faults /tmp/events
has 'has as many' "^perf page-faults, .*: $faults samples, 0 lost" $out
status 'no such process' 1 tprof 99999
has 'is named' '^tprof: process 99999: No such process$' $err
# Everything, the kernel too. What is left in /host/tprof, test.sh reads again at the desk.
desk=/host/tprof
[ -d /host ] && mkdir -p $desk || desk=/tmp
$work/shares 100000 >/dev/null &
busy=$!
$work/asks 100000 >/dev/null &
asks=$!
for pid in $busy $asks; do works $pid 300; done # they are no shells any more
status 'everything, recorded' 0 tprof -a -k -q -f -t 2 --record $desk/everything
kill $busy $asks
status 'its report' 0 tprof -f -o $desk/everything.report $desk/everything
has 'how it was measured' '^perf cpu-clock, user and kernel mode, [0-9]+ Hz: [0-9]+ samples, ' $desk/everything.report
holds 'the kernel has its names' "$(awk '/ \[kernel\]$/ && $3 !~ /^\(/ { n += $2 } END { print n + 0 }' $desk/everything.report) > 10"
holds 'so have libraries' "$(row_share share_two $desk/everything.report) > 5"
status 'by process' 0 tprof --by-process -f -o $desk/everything.p.report $desk/everything
has 'those that ran already have names' '^process [0-9]+ (shares|late|early): [0-9]+ ms$' $desk/everything.p.report
has 'and theirs' '^process [0-9]+ asks: [0-9]+ ms$' $desk/everything.p.report
status 'by line' 0 tprof -l -f -o $desk/everything.l.report $desk/everything
cp $desk/everything $desk/bundle
status 'made readable anywhere' 0 tprof --bundle $desk/bundle
for file in $(tprof --json $desk/everything | grep -o '"path":"[^"]*"' | cut -d'"' -f4 | grep '^/'); do
  mkdir -p "$desk/root${file%/*}"
  cp "$file" "$desk/root$file" 2>/dev/null || true
done
# share CHAIN: of the samples in functions of the workloads' own, not in their start: few samples, as of an emulated CPU, have much of that
own='(main|of_[a-z]+|trunk|branch|leaf|handler|interrupted|moves|.no symbol.)'
share() {
  awk -v chain="$1 [0-9]+\$" -v own="(^|;)$own [0-9]+\$" '$0 ~ own { n += $NF; if ($0 ~ chain) w += $NF } END { print (n ? 100 * w / n : 0) }' /tmp/folded
}
status 'call chains by frame pointers' 0 tprof -gfp -o folded:/tmp/folded -fo /tmp/report -x $work/chains 500
if [ "$ARCH" = armhf ]; then
  skip 'chains by frame pointers' 'the kernel looks for A32 frames of the old kind'
else
  # leaf has no frame of its own, so branch, whose return address is in a register alone, is not in the chain. On amd64
  # the C library keeps no frame pointers.
  first='^_start;.*;'
  [ "$ARCH" != amd64 ] || first='(^|;)'
  whole=$(share "${first}main;trunk;(branch;)?leaf")
  holds "from _start over main and trunk to leaf: the chain of $whole%" "$whole > 80"
fi

# Without frame pointers, by call frame information and (armhf) by instructions: as far as _start, whatever moved the stack.
if [ "$ARCH" != amd64 ]; then
  engine=perf looks=20 # of 1000: an emulated CPU takes most of its timer's interrupts late, and those are lost
  # all_whole WHAT: as many as there must be are unwound, and 98 in 100 whole; of few samples two may be where no chain is
  all_whole() {
    holds "$1: $(number whole /tmp/json) of $(number unwound /tmp/json) whole" \
      "$(number unwound /tmp/json) >= $looks && $(number whole /tmp/json) + 2 >= 0.98 * $(number unwound /tmp/json)"
  }
  # chain WHAT LEAST CHAIN_BELOW_MAIN MS COMMAND...: for MS, and for longer where that gave few looks
  chain() {
    label=$1 least=$2 below=$3 ms=$4; shift 4
    for longer in 1 3 9; do
      status "$label" 0 tprof -E $engine -g -q --json -fo /tmp/json -o folded:/tmp/folded -x "$@" $((ms * longer))
      [ "$(number unwound /tmp/json)" -lt $looks ] || break
    done
    all_whole "$label"
    part=$(share "^_start;.*;main;$below")
    holds "$label: its chain is that of $part%" "$part >= $least"
  }
  # Until a handler's signal comes, the chain is a shorter one: an emulated CPU can be late with it.
  chain 'a tree' 80 'trunk;branch;leaf' 1000 $work/chains_bare
  chain 'a handler' 50 'of_handler;interrupted;[^;]*;handler;leaf' 1000 $work/chain_kinds handler
  chain 'alloca' 80 'of_alloca;moves;leaf' 1000 $work/chain_kinds alloca
  chain 'compiled code that keeps frame pointers' 80 'of_compiled;.no symbol.;leaf' 1000 $work/chain_kinds compiled
  if [ "$ARCH" = armhf ]; then
    chain 'a tree of A32' 80 'trunk;branch;leaf' 1000 $work/chains_bare-a32
    chain 'a handler of A32' 50 'of_handler;interrupted;[^;]*;handler;leaf' 1000 $work/chain_kinds-a32 handler
    chain 'alloca in A32' 80 'of_alloca;moves;leaf' 1000 $work/chain_kinds-a32 alloca
    # The board's own, stripped, with threads, and with functions that end in exit.
    status 'stripped libraries, threads' 0 tprof -g -q --json -fo /tmp/json -x $work/shares 100
    all_whole 'they are'
    status 'busybox' 0 tprof -g -q --json -fo /tmp/json -x sh -c 'i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); echo $((i * 7919 % 1000003)); done | busybox sort >/dev/null'
    holds "$(number whole /tmp/json) of $(number unwound /tmp/json) whole, $(number by_code /tmp/json) by code" \
      "$(number unwound /tmp/json) >= $looks && $(number whole /tmp/json) >= 0.9 * $(number unwound /tmp/json) && $(number by_code /tmp/json) > 0"
    # 40 calls with frames of 1 KB, from slices of the stack: live, from the recording, and at the desk, which has the bundle alone.
    status 'slices of deep stacks, recorded' 0 tprof -E perf -g -q -f -o $desk/slices.report --record $desk/slices -x $work/chain_kinds forty 800
    has 'most are complete' '^call chains: [0-9.]+% of [0-9]{2,} complete' $desk/slices.report
    holds "their last line: $(tail -1 $desk/slices.report)" \
      "$(sed -n 's/^call chains: \([0-9.]*\)% of \([0-9]*\) complete.*/(100 - \1) * \2 <= 2 * \2 + 200/p' $desk/slices.report)"
    status 'read again' 0 tprof -g -f -o /tmp/again $desk/slices
    ok 'says the same' cmp $desk/slices.report /tmp/again
    status 'made readable anywhere' 0 tprof --bundle $desk/slices
  fi
  engine=ptrace looks=20 # a look takes tens of milliseconds of an emulated CPU, and is one sample; armhf's is slower
  long=1500; [ "$ARCH" != armhf ] || long=3000
  chain 'a tree, by ptrace' 80 'trunk;branch;leaf' $long $work/chains_bare
  chain 'a handler, by ptrace' 50 'of_handler;interrupted;[^;]*;handler;leaf' $long $work/chain_kinds handler
  chain 'alloca, by ptrace' 80 'of_alloca;moves;leaf' $long $work/chain_kinds alloca
  status 'deeper than the slice' 0 tprof -g -q -fo /tmp/report -x $work/chain_kinds deep 400
  has 'is told' '^ *[0-9.]+%  stack slice too short, in chain_kinds$' /tmp/report
else
  skip 'chains without frame pointers' "not on $ARCH"
fi
