#!/bin/bash
# devtrace: trace(3), the device #T, on a scripted kernel.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/golden/ktrace
cp -r "$own/." "$scratch/"
python3 "$own/pages.py" "$own/events" "$scratch/pages"
fake() { local s=$1; shift; PSUITE_FAKE=$scratch/$s.scenario "$PSUITE_FAKE_BIN" "$@"; }
traced='write #T/tracectl trace 16c2c6 16c306 new a; write #T/tracectl trace a on'

status 'the files' 0 fake device ns ls '#T'
text 'with those of kprof(3)' '#T/kpctl #T/kpdata #T/trace #T/tracectl' "$(sort "$scratch/out" | paste -sd' ')"
status 'what is not started' 0 fake device ns cat '#T/trace'
text 'has no events' '' "$(cat "$scratch/out")"
status "the manual's example" 0 fake device ns -c "$traced; write #T/tracectl start; sleep 1; write #T/tracectl stop; cat #T/trace"
same 'its lines' "$own/lines.out" "$scratch/out"
text 'of 121 bytes' '121' "$(awk '{ print length($0) + 1 }' "$scratch/out" | sort -u)"
status 'all' 0 fake device ns -c "$traced; write #T/tracectl watch 88; write #T/tracectl all; write #T/tracectl stop; cat #T/trace"
same 'with interrupts, and of every thread' "$own/all.out" "$scratch/out"
status 'watch' 0 fake device ns -c "$traced; write #T/tracectl watch 88; write #T/tracectl start; write #T/tracectl stop; cat #T/trace"
text 'one thread' '0000000000000058' "$(awk '{ print $4 }' "$scratch/out" | sort -u)"
status 'its state' 0 fake device ns -c "$traced; write #T/tracectl size 1; write #T/tracectl start; write #T/tracectl stop; cat /dev/tracectl"
same 'with what was lost' "$own/state.out" "$scratch/out"
status 'two functions' 0 fake device ns -c 'write #T/tracectl trace 16c2c6 16c400 new two; write #T/tracectl trace two on; write #T/tracectl start; write #T/tracectl stop; cat #T/trace'
same 'whose last bytes differ' "$own/two.out" "$scratch/out"
(cat "$scratch/device.scenario"; echo no-ticks) > "$scratch/ns.scenario"
status 'without a trace clock of ticks' 0 fake ns ns -c "$traced; write #T/tracectl start; write #T/tracectl stop; cat #T/tracectl"
has 'the state names the clock' '^#clock ns, as ticks of 1000000000 Hz$' "$scratch/out"

# --- what it refuses
# says WHAT SCENARIO COMMANDS WORDS [HINT]
says() { status "$1" 1 fake "$2" ns -c "$3"; text "$1: what it says" "ns: $4${5:+$'\n'ns: hint: $5}" "$(cat "$scratch/err")"; }
says 'an address outside of the text' device 'write #T/tracectl trace 16c2c6 900001 new a' '#T/tracectl: devtrace: bad address'
says 'a range that is none' device 'write #T/tracectl trace 16c2c6 16c2c6 new a' '#T/tracectl: devtrace: invalid address range'
says 'an unknown word' device 'write #T/tracectl stat' "#T/tracectl: devtrace:  usage: 'trace' [ktextaddr|name] 'on'|'off'|'mk'|'del' [name] or:  'size' buffersize (power of 2)"
says 'writing events' device 'write #T/trace x' '#T/trace: Permission denied'
(cat "$scratch/device.scenario"; echo fail trace_probe EPERM) > "$scratch/locked.scenario"
says 'a kernel that is locked down' locked "$traced; write #T/tracectl start" 'trace_probe: Operation not permitted'
sed 's/^ffffffff8/000000000/; s/^[0-9a-f]*/0000000000000000/' "$own/kallsyms" > "$scratch/hidden"
sed 's/^kallsyms.*/kallsyms hidden/' "$scratch/device.scenario" > "$scratch/hidden.scenario"
says 'hidden addresses' hidden "$traced" '#T/tracectl: /proc/kallsyms: the kernel hides its addresses' 'run as root, with sysctl kernel.kptr_restrict=1 or 0'
finish
