#!/bin/bash
# export: what another program sees of the files, over each kind of address; what it must not do.
. "$(dirname "$0")/../lib/check.sh"
peer() { timeout 60 python3 "$TESTS/lib/ninep.py" "$@"; }
tree=$scratch/tree
mkdir -p "$tree/dev" "$tree/net/ether0"
for i in $(seq 400); do echo "line $i of a file that is longer than a message"; done > "$tree/dev/sysstat"
for i in $(seq 60); do echo "$i" > "$tree/net/ether0/f$i"; done
seen() { peer - "$PSUITE" export "$1" -n "$tree" - -- "${@:2}"; }

# --- standard input and output
for count in 1000 4096 8192 99999; do
  status "a file, $count bytes at a time" 0 seen -w cat dev/sysstat "$count"
  same 'is what it was' "$tree/dev/sysstat" "$scratch/out"
done
status 'a directory of many records' 0 seen -w ls net/ether0
text 'each once' "$(seq 60 | sed 's/^/- f/' | sort)" "$(sort "$scratch/out")"
status 'the root' 0 seen -w ls /
text 'what is there' 'd dev d net' "$(sort "$scratch/out" | paste -sd' ')"
status 'a stat' 0 seen -w stat net/ether0/f12
has 'says kind, mode, name' '^- [0-7]+ [0-9]+ f12$' "$scratch/out"
status 'no such file' 1 seen -w cat dev/nothing
text 'is told in the words of Plan 9' 'refused: walked only a part of dev/nothing' "$(cat "$scratch/out")"
status 'no such directory' 1 seen -w cat nothing
text 'told alike' 'refused: file does not exist' "$(cat "$scratch/out")"
status 'another root' 0 peer - "$PSUITE" export -n "$tree" -d /net - -- ls /
text 'begins there' 'd ether0' "$(cat "$scratch/out")"
status 'writing, where nothing was said of it' 1 peer - "$PSUITE" export -n "$tree" - -- write net/ether0/f1 x
has 'is refused' '^refused: ' "$scratch/out"
status 'nobody' 0 "$PSUITE" export - </dev/null
printf 'GET / HTTP/1.0\r\n\r\n' | status 'no 9P' 1 "$PSUITE" export -
has 'says so' '^export: 9P message of [0-9]+ bytes' "$scratch/err"

status 'JSON, where standard output is the client'"'"'s' 2 "$PSUITE" export --json -
# --- a socket, a port
# serve WHERE OPTION...: until `stop'; the address it told is in $at
serve() {
  local where=$1; shift
  start_server '^export: serving at' "$scratch/serving" "$PSUITE" export "$@" -n "$tree" "$where"; server=$!
  at=$(sed -n 's/^export: serving at //p' "$scratch/serving")
}
stop() { kill "$server"; wait "$server"; text "$1" 0 $?; }

serve "unix!$scratch/s"
text 'a socket' "unix!$scratch/s" "$at"
text 'is for its owner alone' srw------- "$(stat -c %A "$scratch/s")"
status 'a file over it' 0 peer "$scratch/s" cat dev/sysstat
same 'is what it was' "$tree/dev/sysstat" "$scratch/out"
for i in 1 2 3 4 5 6; do peer "$scratch/s" cat dev/sysstat 77 > "$scratch/many.$i" & many[i]=$!; done
wait "${many[@]}"
for i in 1 2 3 4 5 6; do same "client $i of six at a time" "$tree/dev/sysstat" "$scratch/many.$i"; done
# bad WHAT BYTES ANSWER
bad() { status "$1" 0 peer "$scratch/s" bad "$2"; has "$1: what is answered" "$3" "$scratch/out"; }
bad 'a message too short' 0600000064ffff '^closed$'
bad 'a message too long' ffffff7f64ffff '^closed$'
bad 'a message before the version, and then none that can be' 0b000000780100000000000600000000 'no version was negotiated'
status 'others are served as before' 0 peer "$scratch/s" cat dev/sysstat
same 'all of it' "$tree/dev/sysstat" "$scratch/out"
stop 'an interrupt ends it'
ok 'the socket is gone' test ! -e "$scratch/s"

serve 'tcp!localhost!0'
status 'a port' 0 peer "${at##*:}" cat dev/sysstat
same 'serves the same' "$tree/dev/sysstat" "$scratch/out"
stop 'it ends'
"$PSUITE" export --json -w -n "$tree" 'tcp!localhost!0' > "$scratch/told" & server=$!
for _ in $(seq 200); do [ -s "$scratch/told" ] && break; sleep 0.05; done
has 'as JSON' '^\{"psuite":1,"applet":"export","address":"127.0.0.1:[1-9][0-9]*","writable":true\}$' "$scratch/told"
status 'the port that it told' 0 peer "$(sed 's/.*:\([0-9]*\)".*/\1/' "$scratch/told")" cat dev/sysstat
printf 'GET / HTTP/1.0\r\n\r\n' | timeout 5 python3 -c '
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1]))); s.sendall(sys.stdin.buffer.read()); s.settimeout(4); s.recv(1)' "$(sed 's/.*:\([0-9]*\)".*/\1/' "$scratch/told")"
stop 'it ends, too'
has 'who sent no 9P is counted' '^\{"psuite":1,"applet":"export","clients":2,"no_9p":1,"gave_way":0,"refused":0\}$' "$scratch/told"

# --- a directory of the machine (-r), by 9P2000; the guests have the kernel's client for the rest
host=$scratch/host
mkdir -p "$host/d" && echo inside > "$host/d/f" && chmod 755 "$host/d" && echo secret > "$scratch/outside" && ln -s ../../outside "$host/d/out" && mkfifo "$host/d/pipe"
seq 50000 > "$host/numbers"
held() { peer - "$PSUITE" export "$1" -r "$host" - -- "${@:2}"; }
status 'a host file' 0 held -w cat numbers 5000
same 'is what it is' "$host/numbers" "$scratch/out"
status 'a directory with all kinds' 0 held -w ls d
text 'each once' '- f - out - pipe' "$(sort "$scratch/out" | paste -sd' ')"
status 'a link is not followed' 1 held -w cat d/out
hasnt 'out of the tree' secret "$scratch/out"
status 'nor walked through' 1 held -w cat d/out/x
status 'not above the root' 0 held -w cat ../../numbers
status 'a FIFO is not opened' 1 held -w cat d/pipe
status 'a file is made' 0 held -w create d/new 'what it says'
text 'with its text and mode' 'what it says 640' "$(cat "$host/d/new") $(stat -c %a "$host/d/new")"
status 'which may not be there' 1 held -w create d/f/new x
status 'renamed, and with another mode' 0 held -w wstat d/new newer 600
text 'both' 600 "$(stat -c %a "$host/d/newer")"
status 'renamed over another' 0 held -w wstat d/newer f ''
text 'which it replaces' 'what it says' "$(cat "$host/d/f")"
status 'removed' 0 held -w remove d/f
ok 'gone' test ! -e "$host/d/f"
status 'a full directory is not' 1 held -w remove d
status 'nor the root' 1 held -w remove /
readonly_() { peer - "$PSUITE" export -r "$host" - -- "$@"; }
for what in 'write numbers x' 'create d/new x' 'remove numbers' 'wstat numbers other 600'; do
  status "without -w no $what" 1 readonly_ $what
done
text 'all as it was' 'd numbers' "$(ls "$host" | paste -sd' ')"
status 'no such directory' 1 "$PSUITE" export -r "$host/nothing" -
has 'is named' '^export: .*/nothing: No such file or directory$' "$scratch/err"
status '-r and -n' 2 "$PSUITE" export -r "$host" -n "$tree" -

# --- what must be asked for
status 'other machines, without -A' 2 "$PSUITE" export -n "$tree" 'tcp!*!0'
has 'the option is named' '-A is needed' "$scratch/err"
serve 'tcp!*!0' -A
has 'with it there is a warning' 'without a password' "$scratch/serving"
printf 'GET / HTTP/1.0\r\n\r\n' | timeout 5 python3 -c '
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1]))); s.sendall(sys.stdin.buffer.read()); s.settimeout(4); s.recv(1)' "$(sed 's/.*:\([0-9]*\)".*/\1/' "$scratch/told")"
stop 'it ends, too'
has 'who sent no 9P is counted' '^\{"psuite":1,"applet":"export","clients":2,"no_9p":1,"gave_way":0,"refused":0\}$' "$scratch/told"
status 'no address' 2 "$PSUITE" export
status 'an address that is none' 1 "$PSUITE" export 'pigeon!loft'
finish
