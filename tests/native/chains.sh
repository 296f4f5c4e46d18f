# tprof -g: chains to _start by call frame information, of this machine's programs and of ones that are hard to unwind; the
# same chains as perf has of the same samples; recordings with chains; inlined functions as frames.
. lib/check.sh
. lib/report.sh
. lib/need.sh
. lib/perf.sh
: "${WORK:=$TESTS/../build/work}" "${SOURCE:=$TESTS/..}"
need /usr/bin/python3=python3 xz=xz-utils sqlite3 gcc g++ nm=binutils
if ! "$PSUITE" tprof -g -q --json -fo "$scratch/json" -x "$WORK/chains_bare" 50 2>/dev/null || ! grep -q '"chains":' "$scratch/json"; then
  skip 'chains' 'samples here have no registers and stacks'; finish
fi

# --- a record a program: at least 99% reach the end
# whole WHAT LEAST_SAMPLES COMMAND...
whole() {
  local what=$1 least=$2 share; shift 2
  "$PSUITE" tprof -g -q -F 4999 --json -fo "$scratch/json" -x "$@" >/dev/null 2>"$scratch/err"
  share=$(ends "$scratch/json" "round(100 * c['whole'] / c['unwound'], 2)")
  holds "$what: $(ends "$scratch/json" "c['unwound']") chains, $share% whole" "$(ends "$scratch/json" "c['unwound']") >= $least && $share >= ${reach:-99}" ||
    ends "$scratch/json" "c['broken'][:4]"
}
cat >"$scratch/busy.py" <<'P'
import json, re, sys, time
def hashes(n):
    return sum(hash(str(i)) % 7 for i in range(n))
def through_json(n):
    return json.loads(json.dumps({str(i): [i] * 3 for i in range(n)}))
end = time.process_time() + float(sys.argv[1])
while time.process_time() < end:
    hashes(20000), through_json(5000)
    sorted(re.findall(r'\d+', 'a1b2' * 3000), key=lambda s: -int(s))
P
sql='WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 900000)
  SELECT count(*), sum(length(s)) FROM (SELECT hex(x * 7919 % 1000003) s FROM c ORDER BY s);'
compile() { printf 'cd %q; for f in sample/recording_read report/flat_report sample/sampled stacks/stacks unwind/cfi_entry; do gcc -O2 -g -D_GNU_SOURCE -Iinclude -Isrc -c -o %q src/core/$f.c; done' "$SOURCE" "$scratch/x.o"; }
shell='f() { local s=$1; for ((j = 0; j < 40; j++)); do s=${s//a/bb}; s=${s:0:50}a; done; }
  for ((i = 0; i < 3000; i++)); do f aaxaaxa$i; ((i % 50)) || x=$(echo $i); done'
ok 'a C++ program builds' g++ -O2 -pthread -o "$scratch/throws" work/throws.cc
whole 'xz' 1000 xz -T2 -0 -k -c "$PSUITE"
whole 'sqlite3' 500 sqlite3 :memory: "$sql"
whole 'python3' 500 $python "$scratch/busy.py" 1
whole 'gcc' 2000 bash -c "$(compile)"
whole 'bash' 500 bash -c "$shell"
reach=98 whole 'exceptions and threads' 1000 "$scratch/throws" 600

# --- programs whose chains are known: each chain is that one, or the inner end of it where it broke
main='_start;(__libc_start_main(_impl)?;)?(__libc_start_call_main;)?main'
own='(main|of_[a-z]+|trunk|branch|leaf|handler|interrupted|moves|deeper|wide|brief|covers|.no symbol.)' # not the loader's, nor those of clock(3)
# kind WHAT LEAST_SHARE CHAIN_BELOW_MAIN COMMAND...: of the samples in functions of its own; of what is read late, which depends on
# when there is a CPU to read it, in the best of $tries
kind() {
  local what=$1 least=$2 below=$3 share try; shift 3
  for ((try = ${tries:-1}; try > 0; try--)); do
    status "$what" 0 "$PSUITE" tprof -g -q -f -o folded:"$scratch/folded" -o "$scratch/report" -x "$@"
    share=$(awk -v chain="^$main;$below [0-9]+\$" -v own="(^|;)$own [0-9]+\$" '$0 ~ own { n += $NF; if ($0 ~ chain) w += $NF }
      END { print (n >= 50 ? 100 * w / n : 0) }' "$scratch/folded")
    awk "BEGIN { exit !($share < $least) }" || break
  done
  holds "$what: its chain is that of $share%" "$share >= $least" || head -5 "$scratch/folded" | cut -c1-300
}
kinds=$WORK/chain_kinds
kind 'a tree' 98 'trunk;branch;leaf' "$WORK/chains_bare" 500
kind 'a signal'\''s handler' 96 'of_handler;interrupted(;[^;]*;handler;leaf)?' "$kinds" handler 400
kind 'alloca' 98 'of_alloca;moves;leaf' "$kinds" alloca 400
kind 'recursion' 98 "of_shallow;$(printf 'deeper;%.0s' {0..20})leaf" "$kinds" shallow 400
tries=3 kind 'a frame of 200 KB' 95 'of_wide;wide;leaf' "$kinds" wide 1500
has 'whose callers are read late' '^call chains: [0-9.]+% of [0-9]+ complete; [0-9]+ read late$' "$scratch/report"
tries=3 kind 'such frames, all the time others' 30 'of_brief;(brief|covers)(;leaf)?' "$kinds" brief 1000
text 'have no callers but their own' '' "$(grep -E '(^|;)(brief|covers|leaf) [0-9]+$' "$scratch/folded" | grep -vE "^($main;of_brief;)?(brief;|covers;)?(brief|covers|leaf) [0-9]+\$" | head -3)"
kind 'compiled code that keeps frame pointers, in a program that does' 98 'of_compiled;.no symbol.;leaf' "${kinds}_framed" compiled 400

# Where they cannot be whole: that is told, and nothing is made up.
# broken WHAT REASON INNER_END KIND
broken() {
  "$PSUITE" tprof -g -q -fo "$scratch/report" -o folded:"$scratch/folded" -x "$kinds" "$4" 400 2>"$scratch/err"
  has "$1: is told" "^ *(9[0-9]|100)\.[0-9]%  $2\$" "$scratch/report"
  text "$1: nothing is made up" '' "$(awk -v inner="^$3 [0-9]+\$" -v own="(^|;)$own [0-9]+\$" '$0 ~ own && $0 !~ inner && (!/^_start[; ]/ || /leaf/)' "$scratch/folded" | head -3 | cut -c1-300)"
}
broken 'deeper than the slice' 'stack slice too short, in chain_kinds' '((__libc_start[^; ]*;)+main;of_deep;)?(deeper;)*(deeper|leaf)' deep # _start alone may be beyond it
broken 'compiled code without frame pointers' 'no call frame information, in \[anon\]' '.no symbol.(;leaf)?' mute # or in that code itself

# --- against perf: the same chains of the same samples
# agrees WHAT COMMAND...
agrees() {
  local what=$1 got; shift
  perf_records "$scratch/perf.data" -N -B -e cpu-clock:u --call-graph dwarf,32768 -F 499 "$@" || { skip "$what" 'perf record failed five times'; return; }
  $python native/perf_chains.py "$PSUITE" "$scratch/perf.data" "${same:-99}" >"$scratch/differ" 2>&1; got=$?
  [ $got != 77 ] || { skip "$what" "$(cat "$scratch/differ")"; return; }
  text "$what: $(tail -1 "$scratch/differ")" 0 $got
  head -n -1 "$scratch/differ" | cut -c1-400
}
need perf=linux-perf
if perf record -q -e cpu-clock:u --call-graph dwarf,1024 -o "$scratch/perf.data" true 2>/dev/null; then
  for of in 'a tree:chains_bare:300' 'alloca:chain_kinds:alloca:300' 'recursion:chain_kinds:shallow:300'; do
    IFS=: read -r what program first second <<<"$of"
    agrees "as perf: $what" "$WORK/$program" "$first" ${second:+"$second"}
  done
  agrees 'as perf: python3' $python "$scratch/busy.py" 0.6
  agrees 'as perf: sqlite3' sqlite3 :memory: "$sql"
  agrees 'as perf: a handler' "$kinds" handler 300
  # while libgcc installs a context no information can describe it: each unwinder guesses differently there
  same=96 agrees 'as perf: exceptions and threads' "$scratch/throws" 200
  agrees 'as perf: xz' xz -T1 -0 -k -c "$PSUITE"
else
  skip 'against perf' 'no perf here'
fi

# --- recordings: how long, and the same report
rm -f "$scratch/live"
status 'python3, recorded' 0 "$PSUITE" tprof -g -q -F 4999 --record "$scratch/recorded" -o "$scratch/live" -x $python "$scratch/busy.py" 1
n=$(sed -n 's/^call chains: .* of \([0-9]*\) complete.*/\1/p' "$scratch/live") bytes=$(wc -c <"$scratch/recorded")
holds "$bytes bytes of ${n:=0} samples: $(awk "BEGIN {printf \"%.1f\", $n ? $bytes / $n : 0}") a sample, at most 32" "$n > 1000 && $bytes <= 32 * $n"
status 'its report' 0 "$PSUITE" tprof -g "$scratch/recorded"
same 'the report of a recording equals the live one' "$scratch/live" "$scratch/out"
rm -f "$scratch/live"
"$PSUITE" tprof -g -q --record "$scratch/deep" -fo "$scratch/live" -x "$kinds" deep 300
status 'a report of broken ones' 0 "$PSUITE" tprof -g "$scratch/deep"
same 'the report of broken chains equals the live one' "$scratch/live" "$scratch/out"
has 'the report says why chains broke' 'stack slice too short, in chain_kinds$' "$scratch/out"

# --- functions that were inlined, as frames
inlined() { "$PSUITE" tprof "$@" -q -fo "$scratch/report" -o folded:"$scratch/folded" -x "$WORK/inlined" 400 2>"$scratch/err"; }
share() { # share CHAIN_BELOW_MAIN: of the samples that are in main
  awk -v chain="^$main;$1 [0-9]+\$" '/;main;/ { n += $NF; if ($0 ~ chain) w += $NF } END { print (n >= 50 ? 100 * w / n : 0) }' "$scratch/folded"
}
inlined -g -i
holds "with -i they are frames: in $(share 'outer;middle;innermost')%" "$(share 'outer;middle;innermost') >= 95" || head -3 "$scratch/folded"
has 'with -i inlined functions are rows' ' innermost \[inlined\]$' "$scratch/report"
inlined -g
holds "without, the function that holds them is: in $(share outer)%" "$(share outer) >= 95" || head -3 "$scratch/folded"
finish
