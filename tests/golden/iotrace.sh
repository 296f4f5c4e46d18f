# iostats by ptrace on scripted calls: the report, JSON, the log; a system that refuses to trace.
. lib/check.sh
export PSUITE_FAKE=$TESTS/golden/iotrace/scenario
status 'a report' 3 "$PSUITE_FAKE_BIN" iostats -b ptrace command
same 'the report' golden/iotrace/report "$scratch/err"
status 'of one directory' 3 "$PSUITE_FAKE_BIN" iostats -b ptrace --path '/home/*' command
has 'has its file' '^ +1 +2 +150 +1 +20 /home/a b$' "$scratch/err"
hasnt 'and no other' '(stdout)' "$scratch/err"
status 'by process' 3 "$PSUITE_FAKE_BIN" iostats --by-process command
same 'a row for each, and their sum' golden/iotrace/processes "$scratch/err"
status 'as JSON' 3 "$PSUITE_FAKE_BIN" iostats --by-process --json command
python3 - "$scratch/err" > "$scratch/sums" <<'EOF'
import json, sys
report = json.load(open(sys.argv[1]))
keys = ("calls", "opens", "failed", "reads", "read_bytes", "writes", "written_bytes", "time_ns")
print(all(report["total"][k] == sum(p[k] for p in report["processes"]) for k in keys), len(report["processes"]) > 0)
EOF
text 'whose processes add up to the total' 'True True' "$(cat "$scratch/sums")"
{ sed 's/^iocall 257 -2 0xffffff9c 0 0$/iocall 257 -2 0xffffff9c 0x5000 0/; s/^iocall 21 -2 0$/iocall 21 -13 0x6000/' "$PSUITE_FAKE"
  printf '%s\n' 'iofd -100 /home' 'iostring 0x5000 a/missing' 'iostring 0x6000 /etc/shadow'; } >"$scratch/failing"
PSUITE_FAKE=$scratch/failing status 'failed calls' 3 "$PSUITE_FAKE_BIN" iostats --failed command
has 'a name from the working directory' '^     1 ENOENT      openat     +/home/a/missing$' "$scratch/err"
has 'a name from the root' '^     1 EACCES      access     +/etc/shadow$' "$scratch/err"
has 'and their number' "^2 calls with a file's name failed, of 18 calls about files$" "$scratch/err"
PSUITE_FAKE=$scratch/failing status 'of one directory' 3 "$PSUITE_FAKE_BIN" iostats --failed --path '/etc/*' command
has 'has its own' "^1 call with a file's name failed" "$scratch/err"
for other in '-b fuse' --tree --latency --plan9 '--sort=bytes'; do
  status "--failed with $other" 2 "$PSUITE_FAKE_BIN" iostats --failed $other command
done
status 'as JSON' 3 "$PSUITE_FAKE_BIN" iostats -b ptrace --json command
same 'the JSON' golden/iotrace/json "$scratch/err"
status 'with a log' 3 "$PSUITE_FAKE_BIN" iostats -b ptrace -f "$scratch/log" command
sed -E 's/^ *[0-9.]+ +[0-9.]+ us/T/' "$scratch/log" >"$scratch/log.masked"
same 'the log' golden/iotrace/log "$scratch/log.masked"
status "Chrome's trace" 3 "$PSUITE_FAKE_BIN" iostats -b ptrace --json --trace "$scratch/trace" command
if command -v python3 >/dev/null; then
  text 'agrees with the report' '' "$(python3 lib/iochrome.py "$scratch/trace" "$scratch/err" 2>&1)"
else
  skip 'agrees with the report' 'no python3'
fi
sed -E 's/"ts":[0-9.]+/"ts":T/' "$scratch/trace" >"$scratch/trace.masked"
same 'the trace' golden/iotrace/trace "$scratch/trace.masked"
status 'one that is there' 1 "$PSUITE_FAKE_BIN" iostats -b ptrace --trace "$scratch/trace" command
has 'is not overwritten' "^iostats: $scratch/trace: File exists" "$scratch/err"
status 'unless that is asked for' 3 "$PSUITE_FAKE_BIN" iostats -b ptrace --force --trace "$scratch/trace" command
if [ -e /dev/full ]; then
  status 'a full disk' 3 "$PSUITE_FAKE_BIN" iostats -b ptrace --force --trace /dev/full command
  has 'is told' '^not all was written: /dev/full: No space left on device$' "$scratch/err"
fi
status 'a process' 0 "$PSUITE_FAKE_BIN" iostats -p 7
status 'a process by fuse' 2 "$PSUITE_FAKE_BIN" iostats -b fuse -p 7
status 'a process and a command' 2 "$PSUITE_FAKE_BIN" iostats -p 7 command
{ cat "$PSUITE_FAKE"; echo 'fail iotrace EPERM'; } >"$scratch/refused"
PSUITE_FAKE=$scratch/refused status 'no tracing here' 1 "$PSUITE_FAKE_BIN" iostats -b ptrace command
has 'is said' '^iostats: ' "$scratch/err"
PSUITE_FAKE=$scratch/refused status 'nothing to trace' 1 "$PSUITE_FAKE_BIN" iostats -b ptrace --trace "$scratch/empty" command
has 'is a trace, too' '^\]$' "$scratch/empty"
finish
