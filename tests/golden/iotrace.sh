# iostats by ptrace on scripted calls: the report, JSON, the log; a system that refuses to trace.
. lib/check.sh
export PSUITE_FAKE=$TESTS/golden/iotrace/scenario
status 'a report' 3 "$PSUITE_FAKE_BIN" iostats -b ptrace command
same 'the report' golden/iotrace/report "$scratch/err"
status 'as JSON' 3 "$PSUITE_FAKE_BIN" iostats -b ptrace --json command
same 'the JSON' golden/iotrace/json "$scratch/err"
status 'with a log' 3 "$PSUITE_FAKE_BIN" iostats -b ptrace -f "$scratch/log" command
sed -E 's/^ *[0-9.]+ +[0-9.]+ us/T/' "$scratch/log" >"$scratch/log.masked"
same 'the log' golden/iotrace/log "$scratch/log.masked"
status 'a process' 0 "$PSUITE_FAKE_BIN" iostats -p 7
status 'a process by fuse' 2 "$PSUITE_FAKE_BIN" iostats -b fuse -p 7
status 'a process and a command' 2 "$PSUITE_FAKE_BIN" iostats -p 7 command
{ cat "$PSUITE_FAKE"; echo 'fail iotrace EPERM'; } >"$scratch/refused"
PSUITE_FAKE=$scratch/refused status 'no tracing here' 1 "$PSUITE_FAKE_BIN" iostats -b ptrace command
has 'is said' '^iostats: ' "$scratch/err"
finish
