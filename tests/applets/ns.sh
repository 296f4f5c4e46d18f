#!/bin/bash
# ns: the devices of scripted machines, folders in their place, and what it says of what is not there.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/applets/ns
fake() { local s=$1; shift; PSUITE_FAKE=$own/$s.scenario "$PSUITE_FAKE_BIN" ns "$@"; }
# shows WHAT GOLDEN SCENARIO COMMANDS: what they print
shows() { status "$1" 0 fake "$3" -c "$4"; same "$1: what it prints" "$own/$2.out" "$scratch/out"; }

# --- what devices say
shows 'two readings of sysstat' sysstat board 'cat #c/sysstat; sleep 1; cat #c/sysstat'
shows 'without counters' closed closed 'cat #c/sysstat; cat #c/absent'
shows 'with hardly a kernel' bare bare 'cat #c/sysstat; cat #c/absent'
shows 'a counter that stays at 0' emulated emulated 'cat #c/sysstat; cat #c/absent'
shows 'the rest of cons' cons board 'cat #c/swap #c/cputime #c/time #c/sysname #c/battery #c/cputemp'
shows 'interfaces' ether board 'ls #l0; cat #l0/ether0/stats #l0/ether0/ifstats #l0/eth0/stats'
shows 'a process' proc board 'ls #p; ls -l #p/7; cat #p/7/status #p/7/args #p/7/fd #p/7/text #p/7/ctl'
shows 'the same by where it is bound' bound board 'ls; ls /dev; ls /mnt/apm; cat /dev/sysstat; cat /mnt/apm/battery'
status 'JSON' 0 fake board --json -c 'ls #c; cat #c/battery; ls #l0'
same 'an object a line' "$own/json.out" "$scratch/out"
text 'what an ARM board never has' 'sysstat 7 tlbpurge: kernels for armv7l do not count tlb:tlb_flush' "$(fake board cat '#c/absent' | grep ^sysstat)"
unwritten=$(for file in $(fake board -c 'ls #c'); do grep -qF "$file" "$TESTS/../man/psuite-ns.1" || echo "$file"; done)
text 'files of #c that man/psuite-ns.1 lacks' '' "$unwritten"

# --- what is not there, and what must not be done
# says WHAT SCENARIO COMMANDS WORDS
says() { status "$1" 1 fake "$2" -c "$3"; text "$1: what it says" "ns: $4" "$(cat "$scratch/err")"; }
says 'no such file' board 'cat #c/nothing' '#c/nothing: No such file or directory'
says 'no such device' board 'cat #x' '#x: No such device'
says 'a directory' board 'cat #c' '#c: Is a directory'
says 'a directory of a process' board 'cat #p/7' '#p/7: Is a directory'
says 'a file as a directory' board 'cat #c/swap/x' '#c/swap/x: No such file or directory'
says 'nobody' board 'cat #p/8/status' '#p/8/status: No such file or directory'
says 'what is no number of a process' board 'cat #p/07/status' '#p/07/status: No such file or directory'
says 'no battery' plain 'cat #c/battery' '#c/battery: no battery in /sys/class/power_supply'
says 'no interface' plain 'cat #l0/ether0/stats' '#l0/ether0/stats: no network interface with a device'
mount_sys=$'\nns: hint: mkdir -p /sys && mount -t sysfs sysfs /sys'
says 'no /sys, so no word on a battery' bare 'cat #c/battery' "#c/battery: not known: /sys is not mounted$mount_sys"
says 'nor on an interface' bare 'cat #l0/ether0/stats' "#l0/ether0/stats: not known: /sys is not mounted$mount_sys"
says 'no radio' board 'cat #l0/eth0/ifstats' '#l0/eth0/ifstats: eth0 is not a wireless interface'
says 'garbage in /proc' bare 'cat #p/7/status' '#p/7/status: /proc/7/stat: unknown format'
says 'profile before it is on' board 'cat #p/7/profile' '#p/7/profile: profile is off'
says 'kpdata before start' board 'cat #K/kpdata' '#K/kpdata: kprof is not started'
says 'a word that is none' board 'write #p/7/ctl dance' '#p/7/ctl: bad process or channel control request'
says 'a word of kpctl that is none' board 'write #K/kpctl restart' '#K/kpctl: bad process or channel control request'
says 'a file that is only read' board 'write #c/swap 1' '#c/swap: Permission denied'
says 'a message that is too long' board "write #K/kpctl $(printf 'a%.0s' {1..600})" '#K/kpctl: Invalid argument'
status 'reading the control file of the kernel' 0 fake board cat '#K/kpctl'
text 'is empty' '' "$(cat "$scratch/out")"
PSUITE_FAKE_ORDERS=$scratch/orders status 'orders' 0 env PSUITE_FAKE_ORDERS="$scratch/orders" bash -c "PSUITE_FAKE=$own/board.scenario '$PSUITE_FAKE_BIN' ns -c 'write #p/7/ctl stop; write #p/7/ctl start; write #p/12/ctl kill'"
text 'each to its process' 'stop 7 go on 7 kill 12' "$(paste -sd' ' "$scratch/orders")"

# --- a profile of the kernel and of a process, on known samples
cp "$TESTS/applets/kprof/kallsyms" "$TESTS/applets/kprof/modules" "$TESTS/applets/kprof/stat" "$scratch/"
grep -v '^#' "$TESTS/applets/kprof/whole.scenario" > "$scratch/kernel.scenario"
played() { PSUITE_FAKE=$scratch/kernel.scenario "$PSUITE_FAKE_BIN" "$@"; }
status 'start, stop, a file' 0 played ns -f -c "write #K/kpctl start; write #K/kpctl stop; cat #K/kpdata > '$scratch/kpdata'; cat /dev/kpdata > '$scratch/again'"
ok 'two readers see the same' cmp "$scratch/kpdata" "$scratch/again"
lengths() { awk '$NF == "#K/kpdata" { print $2 }' "$scratch/out" | paste -sd' '; }
status 'its length before, while it runs, and after' 0 played ns -c 'ls -l #K; write #K/kpctl start; ls -l #K; write #K/kpctl stop; ls -l #K'
bytes=$(stat -c %s "$scratch/kpdata")
text 'is the size of the file, from the first start on' "0 $bytes $bytes" "$(lengths)"
status 'kprof -o of the same samples' 0 played kprof -q -t 1 -o "$scratch/direct"
ok 'is the same file' cmp "$scratch/kpdata" "$scratch/direct"

# --- /proc/trace: a kernel's recorded pages as Plan 9's stream, and what `trace' says of the same
traced() { PSUITE_FAKE=$own/traced.scenario "$PSUITE_FAKE_BIN" "$@"; }
status 'trace 1' 0 traced ns -f -c "write #p/141/ctl trace 1; sleep 2; cat #p/tracing; cat #p/trace > '$scratch/stream'; cat #p/trace; cat #p/tracing"
text 'what waited, and is read once' '1 tasks 287 waiting 0 dropped 0 lost 0 losses 1 tasks 0 waiting 0 dropped 0 lost 0 losses' "$(paste -sd' ' "$scratch/out")"
text '16 bytes an event' $((287 * 16)) "$(stat -c %s "$scratch/stream")"
"$PSUITE" trace -d - -v < "$scratch/stream" | grep -v '^task died' > "$scratch/got"
traced trace -s 2 -v 141 | grep -vE '^task died| (Fork|Exec|Migrate)$|^115 .* User$' | grep -v '^141 12.680s Ready$' > "$scratch/want"
same 'event by event, but for a mark of another and the wake-up of one that runs' "$scratch/want" "$scratch/got"
status 'the same by its other name' 0 traced ns -f -c "write /proc/141/ctl trace; sleep 2; cat /proc/trace > '$scratch/again'; write /proc/141/ctl trace"
ok 'is the same' cmp "$scratch/stream" "$scratch/again"
status 'one whose death no event told' 0 traced ns -c 'write #p/141/ctl trace 1; sleep 2; cat #p/tracing; sleep 3; cat #p/tracing'
text 'is not traced for ever' '1 tasks 0 tasks' "$(grep ' tasks' "$scratch/out" | paste -sd' ')"
status 'a mark' 0 traced ns -f -c "write #p/141/ctl trace 1; write #p/141/ctl event; write #p/141/ctl trace 0; cat #p/trace > '$scratch/marked'"
has 'is a User event' '^141 12\.[0-9]*s User$' <("$PSUITE" trace -d - -v < "$scratch/marked")
status 'a stream in JSON' 0 traced ns --json -c 'write #p/141/ctl trace 1; sleep 2; cat #p/trace'
has 'has its length' '"bytes":4592' "$scratch/out"
status 'with nobody traced' 0 traced ns cat '#p/trace'
text 'it is empty' 0 "$(stat -c %s "$scratch/out")"
grep -v '^trace ' "$own/traced.scenario" | sed "s|^root .*|root $own/traced|" > "$scratch/untraced.scenario"
status 'a kernel that does not trace' 1 env PSUITE_FAKE="$scratch/untraced.scenario" "$PSUITE_FAKE_BIN" ns write '#p/141/ctl' 'trace 1'
has 'says so' '^ns: ' "$scratch/err"

# --- commands
status 'a file that is there' 1 fake board -c "cat #c/sysname > $own/cons.out"
has 'is not overwritten' 'exists' "$scratch/err"
status 'a device is written to' 0 fake board -c "cat #c/sysname > /dev/null"
[ -e /dev/full ] && status 'what it cannot take is told' 1 fake board -c "cat #c/sysname > /dev/full"
status 'unless told' 0 fake board -f -c "cat #c/sysname > '$scratch/again'; # a comment
cat #c/battery > '$scratch/battery'"
text 'what was written' 'board 92 10800' "$(cat "$scratch/again") $(cat "$scratch/battery")"
status 'words in quotes' 1 fake board -c "cat '#c/it''s here'"
has 'are one' "^ns: #c/it's here: " "$scratch/err"
status 'a quote that is not closed' 1 fake board -c "cat '#c"
status 'an unknown command' 2 fake board -c 'dog #c/swap'
status 'the first failure ends them' 1 fake board -c 'cat #c/x; cat #c/sysname'
text 'and prints nothing more' '' "$(cat "$scratch/out")"
status 'lines of standard input' 0 bash -c "printf '# one\ncat #c/sysname\n\ncat #c/battery' | PSUITE_FAKE=$own/board.scenario '$PSUITE_FAKE_BIN' ns"
text 'one after the other' 'board92 10800' "$(cat "$scratch/out")"
status 'both ways at once' 2 fake board -c 'ls' ls
status 'cat of nothing' 2 fake board cat
status 'no time to sleep' 2 fake board sleep x
status 'the status of a program' 3 "$PSUITE" ns -c "run sh -c 'exit 3'; cat #c/x"
status 'a program that is not there' 127 "$PSUITE" ns -c 'run /no/such/program'
[ -e /dev/full ] && status 'a full disk is told' 1 bash -c "'$PSUITE' ns cat '#c/swap' > /dev/full"

# --- a folder in the place of the devices
mkdir -p "$scratch/rec/dev" "$scratch/rec/net/ether0"
printf '1 2\n' > "$scratch/rec/dev/sysstat"; printf 'in: 5\n' > "$scratch/rec/net/ether0/stats"
mkfifo "$scratch/rec/dev/swap"; ln -s nowhere "$scratch/rec/dev/battery"; ln -s ../.. "$scratch/rec/dev/loop"
folder() { timeout 10 "$PSUITE" ns -n "$scratch/rec" "$@"; }
status 'its files by both names' 0 folder cat '#c/sysstat' /dev/sysstat '#l0/ether0/stats' /net/ether0/stats
text 'are the same' '1 2 1 2 in: 5 in: 5' "$(paste -sd' ' "$scratch/out")"
status 'a pipe in the place of a file' 1 folder cat '#c/swap'
status 'written to' 1 folder write '#c/swap' x
status 'a link to nowhere' 1 folder cat '#c/battery'
status 'what there is' 0 folder ls '#c'
text 'in order' '#c/battery #c/loop #c/swap #c/sysstat' "$(paste -sd' ' "$scratch/out")"
status 'no device but the folder' 1 folder cat '#c/time'
status 'no such folder' 1 "$PSUITE" ns -n "$scratch/nowhere" ls
long=$(printf 'd/%.0s' {1..100})
status 'a name that is too deep' 1 folder cat "/$long"
has 'says so' 'File name too long' "$scratch/err"

# --- large machines
mkdir -p "$scratch/large/proc" "$scratch/large/sys/class/net"
awk 'BEGIN { print "cpu 9 0 0 1"; for (i = 0; i < 1000; i++) print "cpu" i, 1, 0, 0, 3
  print "intr 24975999 1 2"; print "ctxt 77" }' > "$scratch/large/proc/stat"
echo '500.10 1 1 1/1 1' > "$scratch/large/proc/loadavg"
for i in $(seq 300); do mkdir -p "$scratch/large/sys/class/net/if$i/statistics"; echo "$i" > "$scratch/large/sys/class/net/if$i/ifindex"; echo "$i" > "$scratch/large/sys/class/net/if$i/statistics/rx_packets"; done
echo "root large" > "$scratch/large.scenario"
status 'a thousand CPUs' 0 env PSUITE_FAKE="$scratch/large.scenario" "$PSUITE_FAKE_BIN" ns cat '#c/sysstat'
text 'a line each; interrupts, load, switches and idle time add up' '1000 24975000 500100 77 75' \
  "$(awk '{ n++; i += $3; l += $8; if ($2 >= 0) c += $2; idle += $9 } END { print n, i, l, c, idle / n }' "$scratch/out")"
status 'three hundred interfaces' 0 env PSUITE_FAKE="$scratch/large.scenario" "$PSUITE_FAKE_BIN" ns -c 'ls #l0; cat #l0/if299/stats'
text 'are listed, with ether0' "302 in: 299" "$(grep -c ^# "$scratch/out" | awk '{ print $1 + 1 }') $(grep ^in: "$scratch/out")"

finish
