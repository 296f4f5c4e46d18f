# Files that take more memory than they look like, or never end: of sampled programs, and named by the user.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
. "$(dirname "$0")/../lib/cputime.sh"
: "${WORK:=$TESTS/../build/work}" "${PSUITE_SANITIZE:=}"
need python3 timeout nm || exit
bytes=$(head -c 6 "$WORK/hostile" | od -An -tu1 | tr -d ' ')
[ "$bytes" = 127697670"21" ] || bytes=
# limited COMMAND...: within four minutes, however slow the machine; its exit status
limited() { timeout 240 "$@"; }

# memory_group LIMIT: makes a control group below the test's own whose processes may use so much memory, and prints its folder; or
# why there is none, and fails.
memory_group() {
  local line folder file
  line=$(grep -E '^[0-9]+:([^:]*,)?memory(,[^:]*)?:' /proc/self/cgroup)
  if [ -n "$line" ]; then folder=/sys/fs/cgroup/memory${line#*:*:} file=memory.limit_in_bytes
  else folder=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup) file=memory.max; fi
  folder=${folder%/}/psuite-test-$$
  mkdir "$folder" 2> /dev/null || { echo "no control group can be made here"; return 1; }
  echo "$1" 2> /dev/null > "$folder/$file" || { rmdir "$folder"; echo 'control groups have no limit of memory here'; return 1; }
  echo "$folder"
}
in_group() { local folder=$1; shift; bash -c 'echo $$ > "$0/cgroup.procs" && exec "$@"' "$folder" "$@"; }

# --- compressed debug sections: 300 MB in 2 MB of file
if [ -n "$bytes" ]; then
  python3 "$TESTS/lib/bomb.py" "$scratch/bomb" "$WORK/hostile" .debug_info=100 .debug_abbrev=100 .debug_line=100
  chmod +x "$scratch/bomb"
  main=$(nm "$WORK/hostile" | awk '$3 == "main" { print $1 }')
  # peak KB COMMAND...: by its end it had at most so much memory
  peak() {
    python3 - "$@" <<'P'
import resource, subprocess, sys
subprocess.run(sys.argv[2:], stdout=open('/dev/null', 'w'), stderr=subprocess.STDOUT, timeout=240)
got = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
sys.exit(got > int(sys.argv[1]) and 'it took %d KB' % got)
P
  }
  status 'a bomb of debug information' 0 limited "$PSUITE" sym -i "$scratch/bomb" "$main"
  has 'symbols come from .symtab all the same' '^main\+0x0' "$scratch/out"
  has 'oversized debug sections are left out with a warning' ': 3 compressed debug sections of 300.0 MB are left out: over the limit' "$scratch/err"
  if [ -z "$PSUITE_SANITIZE" ]; then ok 'sym of a compression bomb takes at most 100 MB' peak 100000 "$PSUITE" sym -i "$scratch/bomb" "$main"; fi
  for view in -i -l -g; do
    status "sampled, $view" 0 limited "$PSUITE" tprof $view -q -o "$scratch/report" -f -x "$scratch/bomb" 0.05
  done
  has 'functions have their names' 'hostile_function_name' "$scratch/report"
  python3 "$TESTS/lib/bomb.py" "$scratch/small" "$WORK/hostile" .debug_info=40 .debug_abbrev=1 .debug_line=1
  status 'sym of debug sections within the limit' 0 limited "$PSUITE" sym -i "$scratch/small" "$main"
  hasnt 'debug sections within the limit are kept' 'left out' "$scratch/err"

  # --- many files with many symbols each: 72 MB of them in all
  for i in 1 2 3 4 5 6; do
    python3 "$TESTS/lib/symbols.py" "$scratch/many$i" "$WORK/hostile" 500000
    chmod +x "$scratch/many$i"
  done
  each="for i in 1 2 3 4 5 6; do '$scratch/many'\$i 0.05; done"
  sampled() { limited "$PSUITE" tprof -q --record "$scratch/many.rec" -f -x sh -c "$each"; }
  if sampled > "$scratch/out" 2>&1; then
    report() { limited "$PSUITE" tprof "$@" "$scratch/many.rec"; }
    status 'symbols of many files' 0 report
    hasnt 'symbols of many files fit the default limit' 'left out' "$scratch/err"
    status 'more of them than the limit of all' 0 report --symbol-memory 30
    has 'each file over --symbol-memory has a warning' '/many[1-6]: symbols or lines are left out: over its share of the 30 MB for all files' "$scratch/err"
    has 'files over --symbol-memory are counted' 'symbols or lines of [1-6] files? are left out: all files together may take 30 MB' "$scratch/err"
    has 'functions within --symbol-memory keep their names' 'hostile_function_name' "$scratch/out"
    report --symbol-memory 30 --json > "$scratch/json" 2> /dev/null
    ok 'JSON has the reason' python3 - "$scratch/json" <<'P'
import json, sys
text = open(sys.argv[1]).read().splitlines()[0]
notes = [m.get('note', '') for m in json.loads(text)['modules'] if '/many' in m['path']]
assert len(notes) == 6 and 1 <= sum('share of the 30 MB' in n for n in notes) <= 6, notes
P
    if [ -z "$PSUITE_SANITIZE" ]; then ok 'tprof --symbol-memory 30 takes at most 60 MB' peak 60000 "$PSUITE" tprof --symbol-memory 30 "$scratch/many.rec"; fi

    # --- one file whose debug sections would fill the limit: the others keep theirs
    python3 "$TESTS/lib/bomb.py" "$scratch/greedy" "$WORK/hostile" .debug_str_offsets=36 .debug_addr=14
    python3 "$TESTS/lib/bomb.py" "$scratch/modest" "$WORK/hostile" .debug_str_offsets=14
    chmod +x "$scratch/greedy" "$scratch/modest"
    ok 'a file of large debug sections, and one of smaller ones, are sampled' limited "$PSUITE" tprof -q --record "$scratch/greedy.rec" -f \
      -x sh -c "'$scratch/greedy' 0.5; '$scratch/modest' 0.1"
    status 'tprof of a file whose debug sections would fill --symbol-memory' 0 limited "$PSUITE" tprof -i --symbol-memory 64 "$scratch/greedy.rec"
    has 'the file whose debug sections would fill --symbol-memory is named' '/greedy: symbols or lines are left out: over its share of the 64 MB for all files' "$scratch/err"
    hasnt 'another file keeps its debug sections when one would fill --symbol-memory' '/modest: ' "$scratch/err"
    if group=$(memory_group 200M); then
      status 'in a control group of 200 MB' 0 in_group "$group" timeout 240 "$PSUITE" tprof "$scratch/many.rec"
      has 'the limit is a quarter of that, or 64 MB' 'files? are left out: all files together may take 64 MB' "$scratch/err"
      ok 'the group is removed' until_ok rmdir "$group"
    else
      skip 'in a control group of 200 MB' "$group"
    fi
  else
    skip 'symbols of many files' 'sampling is refused'
  fi

  # --- a program that is mostly a hole: without a build-id its checksum is recorded, if it is short enough
  python3 - "$WORK/hostile" "$scratch/long" <<'P'
import sys
data, note = open(sys.argv[1], 'rb').read(), b'\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0'
open(sys.argv[2], 'wb').write(data.replace(note, note.replace(b'\x03', b'\x63')))
P
  chmod +x "$scratch/long"
  if truncate -s 400G "$scratch/long" 2> /dev/null; then
    for view in '' -g; do
      status "a program of 400 GB, sampled and recorded${view:+, $view}" 0 limited "$PSUITE" tprof $view -q -o "$scratch/report" --record "$scratch/long.rec" -f -x "$scratch/long" 0.05
    done
    status 'and its report' 0 limited "$PSUITE" tprof "$scratch/long.rec"
    has 'the report of a program of 400 GB names its functions' 'hostile_function_name' "$scratch/out"
  else
    skip 'a program of 400 GB' 'the file system has no files of that length'
  fi

  # --- files of holes, and names that overlap
  python3 "$TESTS/lib/holes.py" sections "$scratch/holes" 4000000
  status 'a hole of four million sections' 1 limited "$PSUITE" sym "$scratch/holes" 1
  text 'four million sections are refused' "sym: $scratch/holes: over 262144 sections or program headers" "$(cat "$scratch/err")"
  python3 "$TESTS/lib/holes.py" segments "$scratch/holes" 4000000
  status 'a hole of four million program headers' 1 limited "$PSUITE" sym "$scratch/holes" 1
  has 'four million program headers are refused' 'over 262144 sections or program headers' "$scratch/err"
  python3 "$TESTS/lib/holes.py" names "$scratch/names" 20000 60000
  status 'twenty thousand names, each 60 KB of the same bytes' 0 limited "$PSUITE" sym "$scratch/names" 401000
  has 'overlapping names over the limit are counted' ': [0-9]+ symbols left out: over the limit' "$scratch/err"
  if [ -z "$PSUITE_SANITIZE" ]; then ok 'they take a few hundred MB' peak 600000 "$PSUITE" sym "$scratch/names" 401000; fi
else
  skip 'a bomb of debug information' 'this machine is not of 64 bits, little-endian'
fi

# --- what is no file of bytes with an end
mkfifo "$scratch/fifo"
status 'sym of a FIFO' 1 limited "$PSUITE" sym "$scratch/fifo" 1
text 'sym of a FIFO says that it is no regular file' "sym: $scratch/fifo: not a regular file" "$(cat "$scratch/err")"
status 'sym of a device' 1 limited "$PSUITE" sym /dev/zero 1
text 'sym of a device says that it is no regular file' 'sym: /dev/zero: not a regular file' "$(cat "$scratch/err")"

# --- a source that is a FIFO: debug information names any path
if limited "$PSUITE" tprof -q --record "$scratch/rec" -x "$WORK/hostile" 0.1 > /dev/null 2>&1; then
  annotate() { limited "$PSUITE" tprof "$@" --annotate hostile_function_name_that_is_to_be_written_over_by_one_of_the_same_length_00 "$scratch/rec"; }
  annotate --json > "$scratch/json"
  source=$(sed 's/.*"file":"\([^"]*\)".*/\1/' "$scratch/json")
  mkdir -p "$scratch/root/$(dirname "$source")"
  mkfifo "$scratch/root/$source"
  annotate --sysroot "$scratch/root" > "$scratch/out" 2>&1
  holds 'a source that is a FIFO is not waited for' "$? != 124"
  hasnt 'annotate prints no lines of a FIFO' '  line$' "$scratch/out"
else
  skip 'a source that is a FIFO' 'sampling is refused'
fi

# --- a JIT map without an end: sparse, but read it would take memory
"$WORK/compiled" 600 & jit=$!
trap 'kill $jit 2>/dev/null; rm -f "/tmp/perf-$jit.map"' EXIT
until_ok test -s "/tmp/perf-$jit.map"
truncate -s 300M "/tmp/perf-$jit.map"
if sampled_until $jit 200 "$PSUITE" tprof -t 200 $jit; then
  has 'a JIT map over the limit is left out' "symbols of JIT compilers are over [0-9]+ MB: those of process $jit are left out" "$scratch/err"
else
  skip 'a JIT map over the limit' 'sampling is refused'
fi
kill $jit; wait $jit 2>/dev/null
rm -f "/tmp/perf-$jit.map"

# --- recordings without a beginning or an end
: > "$scratch/empty"
printf 'psu' > "$scratch/start"
printf 'PERF' > "$scratch/perf"
for applet in tprof trace 'stats --once --replay'; do
  status "$applet of an empty file" 1 limited "$PSUITE" $applet "$scratch/empty"
  has 'an empty recording is called empty' ': .*/empty: empty$' "$scratch/err"
done
for file in start perf; do
  status "tprof of a recording's first bytes" 1 limited "$PSUITE" tprof "$scratch/$file"
  has 'tprof says that the recording is cut off in its header' ": .*/$file: cut off in its header$" "$scratch/err"
done
printf 'pstr' > "$scratch/start"
status "trace of a recording's first bytes" 1 limited "$PSUITE" trace "$scratch/start"
has 'trace says that the recording is cut off in its header' ': .*/start: cut off in its header$' "$scratch/err"
printf 'psuite stats 1 1.0' > "$scratch/start"
status "stats of a recording's first bytes" 1 limited "$PSUITE" stats --once --replay "$scratch/start"
has 'stats says that the recording is cut off in its header' ': .*/start: cut off in its header$' "$scratch/err"
printf 'psuite stats 1 1.000\nat 5\nsource 2' > "$scratch/start"
status 'stats of half a sample' 1 limited "$PSUITE" stats --once --replay "$scratch/start"
has 'stats says that the recording ends within the first sample' ': cut off before the end of the first sample' "$scratch/err"
printf 'psuite stats 1 1.000\nat 5\nend\n' > "$scratch/start"
status 'stats of a sample of no machine' 0 limited "$PSUITE" stats --once --replay "$scratch/start"
text 'prints nothing' '' "$(cat "$scratch/out" "$scratch/err")"
finish
