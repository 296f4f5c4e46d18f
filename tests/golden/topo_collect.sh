#!/bin/bash
# topo_collect: calls that are collected on a scripted kernel: which runs are whole, and why others are not.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/golden/topo/kernel
cp -r "$own/." "$scratch/"
python3 "$TESTS/golden/ktrace/pages.py" "$own/events" "$scratch/pages"
cd "$scratch" || exit
fake() { PSUITE_FAKE=$scratch/kernel.scenario "$PSUITE_FAKE_BIN" topo "$@"; }

status 'runs until an interrupt' 0 fake -n 100 -o human -o machine:machine -o events:events.got vfs_read
same 'the whole ones' "$own/all.human" out
same 'and why others are not' "$own/all.err" err
same 'machine' "$own/all.machine" machine
same 'events' "$own/all.events" events.got
status 'its own events' 0 "$PSUITE" topo -o machine events.got
same 'are read as the same' machine out
text 'and which are missing' "$(grep dropped: "$own/all.err" | sed 's/vfs_read/events.got/')" "$(cat err)"
status 'two runs' 0 fake -n 2 vfs_read
has 'are the first that end' '^vfs_read, total time: 229, contrib time: 109, depths: \[0, 0, 1\], call count: 3, ' out
text 'what comes later is not counted' '' "$(cat err)"
status 'one run is the default' 0 fake vfs_read
has 'which is the first that ends' '^vfs_read, total time: 108, ' out
status 'another name of it' 0 fake -o machine vfs_read_alias
has 'is the same function' "^FuncStats\\('vfs_read', 108, " out
status 'of a module' 0 fake -n 1 -m copy -o machine vfs_read
text 'is another one' "FuncStats('vfs_read', 8, 8, [0], 1, [], [])" "$(cat out)"
status 'of the kernel itself' 0 fake -n 1 -m kernel -o machine vfs_read
has 'is the first one' "^FuncStats\\('vfs_read', 108, " out
status 'topo-collect' 0 bash -c "ln -s '$PSUITE_FAKE_BIN' topo-collect; PSUITE_FAKE=kernel.scenario ./topo-collect -n 2 -o machine vfs_read"
has 'collects' "^FuncStats\\('vfs_read', 229, 109, \[0, 0, 1\], 3, " out
status 'topo-draw' 0 bash -c "ln -s '$PSUITE_FAKE_BIN' topo-draw; PSUITE_FAKE=kernel.scenario ./topo-draw vfs_read"
has 'draws' '^<svg' out

# --- what it refuses
says() { # says WHAT STATUS MESSAGE ARGUMENT...
  local what=$1 wanted=$2 want=$3; shift 3
  status "$what" "$wanted" fake "$@"
  text "$what: the message" "topo: $want" "$(head -1 err)"
}
says 'no such function' 1 'nothing: there is no such file, and the kernel has no such function' nothing
says 'none of the module' 1 "twice: the kernel's module copy has no such function" -m copy twice
status 'no run' 1 fake twice
has 'is reported' '^topo: twice: 0 of 1 runs are complete$' err
says 'a file and a number of runs' 1 'machine: there is no such file, and the kernel has no such function' -n 1 machine
says 'events of a file' 2 '-o events: only with a FUNCTION' -o events machine
says 'seconds of a file' 2 '-t: only with a FUNCTION' -t 1 machine
says 'a comparison' 2 '--diff cannot be used with -m, -n, -t or --probes' -n 1 --diff -o html:x machine machine
echo 'fail trace_graph_open 95 95 trace_graph_open' >> kernel.scenario
says 'a kernel that cannot' 1 'trace_graph_open: Operation not supported' vfs_read

# --- by kprobes, where the kernel has no such tracer
probes=$own/../probes
rm -rf pages kernel.scenario machine events.got
cp -r "$probes/." .
python3 "$TESTS/golden/topo/kcore.py" code kcore
python3 "$TESTS/golden/ktrace/pages.py" events pages
fake() { PSUITE_FAKE=$scratch/probes.scenario "$PSUITE_FAKE_BIN" topo "$@"; }
status 'runs by kprobes' 0 fake -n 100 -o human -o machine:machine -o events:events.got vfs_read
same 'the whole ones' "$probes/all.human" out
same 'and why others are not' "$probes/all.err" err
same 'events' "$probes/all.events" events.got
status 'which are read' 0 "$PSUITE" topo -o machine events.got
same 'as the same' machine out
status 'kprobes that are asked for' 0 fake --probes -o machine vfs_read
has 'collect' "^FuncStats\\('vfs_read', 71, 21, \[0\], 1, \[\], \['__fsnotify_parent', 'rw_verify_area'\]\)" out
echo 'fail kernel_memory_open 13 kernel_memory_open' >> probes.scenario
says 'code that cannot be read' 1 'kernel_memory_open: Permission denied' vfs_read
sed -i '/^kcore/d; /^fail kernel/d' probes.scenario
says 'neither' 1 'trace_graph_open: Operation not supported' vfs_read
says 'kprobes without code' 1 '/proc/kcore: No such file or directory' --probes vfs_read
finish
