#!/bin/bash
# devprof: prof(3), the device #P, on a scripted board: the samples of its processes, by file and address.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/golden/devprof
cp -r "$TESTS/golden/tprof_system/." "$scratch/"
fake() { local s=$1; shift; PSUITE_FAKE=$scratch/$s.scenario "$PSUITE_FAKE_BIN" "$@"; }
# shows WHAT GOLDEN COMMANDS: what they print
shows() { status "$1" 0 fake system ns -c "$3"; same "$1: what it prints" "$own/$2.out" "$scratch/out"; }

shows 'before a start' before 'ls -l #P; ls /prof'
shows 'all modules' all 'write #P/ctl start; sleep 1; ls #P; ls -l /prof/00000001; cat #P/00000001/name; cat #P/00000001/path; write #P/ctl stop; cat #P/00000002/name #P/00000002/path'
# The pairs follow one another without a newline: a reader gets one a read.
hist() { status "$1" 0 fake system ns -c "$3"; text "$1: its pairs" "$2" "$(cat "$scratch/out")"; }
hist 'of prog' '16 10080 200132 400144 40' 'write #P/ctl module prog; write #P/ctl start; write #P/ctl stop; cat #P/00000001/histogram'
hist 'of the library, by its path' '4 12072 20' 'write #P/ctl module /bin/libprog.so.1; write #P/ctl start; write #P/ctl stop; cat /prof/00000001/histogram'
hist 'while it runs' '4 12072 20' 'write #P/ctl module libprog.so.1; write #P/ctl interval 5; write #P/ctl start; sleep 1; cat #P/00000001/name > /dev/null; cat /prof/00000001/histogram'
hist 'of two runs' '4 24072 40' 'write #P/ctl module libprog.so.1; write #P/ctl start; write #P/ctl start; write #P/ctl stop; write #P/ctl start; write #P/ctl stop; cat #P/00000001/histogram'
hist 'a message to a run ends one and begins another' '4 24072 40' 'write #P/ctl module libprog.so.1; write #P/ctl start; write #P/ctl interval 20; write #P/ctl stop; cat #P/00000001/histogram'
hist 'end' '#P/ctl' 'write #P/ctl start; write #P/ctl end; ls #P'
hist 'a list without a module that ran' '#P/ctl' 'write #P/ctl module none; write #P/ctl start; write #P/ctl stop; ls #P'

# --- what it refuses
# says WHAT SCENARIO COMMANDS WORDS
says() { status "$1" 1 fake "$2" ns -c "$3"; text "$1: what it says" "ns: $4" "$(cat "$scratch/err")"; }
says 'an unknown word' system 'write #P/ctl begin' '#P/ctl: bad arg in system call'
says 'an interval that is none' system 'write #P/ctl interval 0' '#P/ctl: bad arg in system call'
says 'reading ctl' system 'cat #P/ctl' '#P/ctl: Permission denied'
says 'no such module' system 'cat #P/00000001/name' '#P/00000001/name: No such file or directory'
says 'writing a histogram' system 'write #P/ctl start; ls #P > /dev/null; write #P/00000001/histogram 1' '#P/00000001/histogram: Permission denied'
says 'pctl' system 'write #P/ctl start; ls #P > /dev/null; write #P/00000001/pctl on' '#P/00000001/pctl: Operation not permitted'
(cat "$scratch/system.scenario"; echo fail sample_open EACCES) > "$scratch/refused.scenario"
says 'a kernel that samples for root alone' refused 'write #P/ctl start' 'sample_open: Permission denied'
status 'which leaves it as it was' 1 fake refused ns -c 'write #P/ctl start'
finish
