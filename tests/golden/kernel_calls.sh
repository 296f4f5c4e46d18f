#!/bin/bash
# kernel_calls: trace --functions on a scripted kernel: calls of three functions in every form.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/golden/ktrace
cp -r "$own/." "$scratch/"
python3 "$own/pages.py" "$own/calls" "$scratch/pages"
fake() { local s=$1; shift; PSUITE_FAKE=$scratch/$s.scenario "$PSUITE_FAKE_BIN" trace "$@"; }
three() { fake calls --functions 'vfs_read' --functions 'rw_*_area' --functions '*sys_rea?' -s 0.2 "$@"; }

status 'three functions' 0 three
same 'a line a call' "$own/calls.out" "$scratch/out"
same 'what is missing is said' "$own/calls.err" "$scratch/err"
status 'JSON' 0 three --json
same 'an object a call' "$own/calls.json" "$scratch/out"
ok 'each line is JSON' python3 -c 'import json, sys; [json.loads(l) for l in open(sys.argv[1])]' "$scratch/out"
status 'a summary' 0 three --summary
same 'by function' "$own/calls.summary" "$scratch/out"
status 'with histograms' 0 three --latency
same 'by function, of their times' "$own/calls.latency" "$scratch/out"
status 'as JSON' 0 three --summary --json
ok 'which is JSON' python3 -c 'import json, sys; assert sum(f["calls"] for f in json.load(open(sys.argv[1]))["functions"]) == 5' "$scratch/out"
status 'for Chrome' 0 three -o "chrome:$scratch/calls.chrome"
ok 'five spans, two without end' python3 -c 'import json, sys; e = json.load(open(sys.argv[1]))["traceEvents"]; assert [x["ph"] for x in e].count("X") == 5 and len(e) == 7, e' "$scratch/calls.chrome"
status 'which is not overwritten' 1 three -o "chrome:$scratch/calls.chrome"

# --- system calls: their texts come in events of their own
python3 "$own/pages.py" "$own/texts.events" "$scratch/texts"
calls() { fake texts --calls=openat --calls=write -s 0.2 "$@"; }
status 'system calls' 0 calls
same 'with their texts' "$own/texts.out" "$scratch/out"
text 'and nothing that is missing' '' "$(cat "$scratch/err")"
status 'JSON' 0 calls --json
text 'texts of it' '/etc/one two\quoted 0x7000' "$(python3 -c 'import json, sys; print(*[json.loads(l)["arguments"].get("filename", "") for l in open(sys.argv[1])])' "$scratch/out" | sed 's/ *$//')"
text 'names of values' 'AT_FDCWD O_RDONLY|O_CLOEXEC;O_WRONLY|O_CREAT|O_TRUNC;AT_FDCWD O_RDONLY;' "$(python3 -c 'import json, sys; print(*[" ".join(json.loads(l).get("names", {}).values()) for l in open(sys.argv[1])], sep=";")' "$scratch/out")"
text 'numbers of it' '-100 524288 0' "$(head -1 "$scratch/out" | python3 -c 'import json, sys; a = json.load(sys.stdin)["arguments"]; print(a["dfd"], a["flags"], a["mode"])')"
status 'a condition by name' 0 calls --where 'count == 5'
text 'finds its calls' 'write' "$(awk '{ sub(/\(.*/, ""); print $3 }' "$scratch/out")"
text 'and nothing is wrong' '' "$(cat "$scratch/err")"
status 'a name that none has' 0 calls --where 'cuont == 5'
text 'is said' 'trace: --where: no system call that is traced has these arguments' "$(cat "$scratch/err")"
(cat "$scratch/texts.scenario"; echo fail trace_probe ENOENT) > "$scratch/bare.scenario"
status 'a kernel without kprobes' 0 fake bare --calls=openat -s 0.2
has 'has addresses' 'openat\(dfd=AT_FDCWD, filename=0x5000, flags=O_RDONLY\|O_CLOEXEC, mode=0\) = -2 ENOENT' "$scratch/out"
# --- conditions: names WHAT WANTED OPTION...
names() { local what=$1 want=$2; shift 2; status "$what" 0 three "$@"; text "$what: which calls" "$want" "$(sed 's/(.*//' "$scratch/out" | awk '{ print $3 }' | paste -sd' ')"; }
names 'a large argument' 'vfs_read' --where 'arg3 > 4096'
names 'two conditions' 'ksys_read' --where 'arg3 == 0x1000 && arg1 <= 3'
names 'errors, of an int and of a long' 'vfs_read ksys_read' --where 'ret < 0'
names 'not that one' 'ksys_read rw_verify_area vfs_read' --where 'ret>=0'
names 'bits' 'ksys_read vfs_read vfs_read' --where 'ret & 0x200' --where 'ret != -9'
names 'slow ones' 'vfs_read' --slower 1ms
# --- what it refuses
says() { local what=$1 wanted=$2 want=$3; shift 3; status "$what" "$wanted" fake calls "$@"; text "$what: what it says" "trace: $want" "$(grep -v "^trace: see\|^trace: try\|^usage" "$scratch/err" | head -1)"; }
says 'no such function' 1 'nothing: the kernel has no such function' --functions nothing
says 'half a condition' 2 "--where: 5 > 1: not a condition; conditions are like 'arg3 > 4096' or 'arg1 == 3 && ret < 0'" --functions x --where '5 > 1'
says 'no time' 2 '--slower: 5: not a time, as 500us or 1ms' --functions x --slower 5
says 'alone' 2 '--where and --slower: only with --functions or --calls=PATTERN' --where 'ret < 0'
status 'functions of a module' 0 fake calls --functions 'nine:read*' -s 0.1
(cat "$scratch/calls.scenario"; echo fail trace_probe EPERM) > "$scratch/locked.scenario"
status 'a kernel that is locked down' 1 fake locked --functions vfs_read
has 'its reason' '^trace: .*Operation not permitted$' "$scratch/err"
finish
