#!/bin/bash
# iostats between 9P clients and a server: a workload that counts itself, many clients, those that nobody here wrote, what is
# no 9P on either side, and a server that is not there.
. lib/check.sh
. lib/need.sh
need diodcat=diod || { skip 'a peer' 'diod could not be installed'; finish; }
cd "$scratch" || exit
started=()
trap 'kill -9 "${started[@]}" 2>/dev/null; rm -rf "$scratch"' EXIT
begin() { start_server "$@"; started+=($!); }
port() { sed -nE 's/.*(at|for) 127\.0\.0\.1:([0-9]+).*/\2/p' "$1" | head -1; }
peer() { timeout 100 python3 "$TESTS/lib/ninep.py" "$@"; }
row() { awk -v m="$1" '$1 == m && $7 == "ms" { print $2 }' "$2"; }
ends() { kill -TERM "$1"; wait "$1"; }

mkdir -p tree/sub
head -c 300000 /dev/urandom > tree/big
for i in $(seq 40); do echo "file $i" > "tree/sub/$i"; done
begin 'serving at' exported "$PSUITE" export -w -n tree 'tcp!127.0.0.1!0'
real=$(port exported)

# --- a workload that counts itself: 300,000 bytes by 1000 are 300 reads and one at the end
begin 'listening at' said "$PSUITE" iostats -f log --trace trace.json -l 'tcp!127.0.0.1!0' -s "tcp!127.0.0.1!$real"; proxy=$!
at=$(port said)
status 'a client reads a file through the proxy' 0 peer "$at" cat big 1000
ok 'the file read through the proxy has its contents' cmp out tree/big
ok 'a client writes a file through the proxy' peer "$at" write sub/1 'fourteen bytes'
text 'the write through the proxy changes the file' 'fourteen bytes' "$(cat tree/sub/1)"
ends $proxy
text 'an interrupt ends it well' 0 $?
text 'messages' 'version 2 attach 2 walk 2 open 2 read 301 write 1' \
  "$(for m in version attach walk open read write; do echo "$m $(row $m said)"; done | paste -sd' ')"
text 'files' '1 301 300000 0 0 /big 1 0 0 1 14 /sub/1' "$(sed -n '/^Opens/,/^$/p' said | awk '$1 + 0 > 0 { $1 = $1; print }' | paste -sd' ')"
has 'bytes of the protocol, both directions' "^protocol  $((301 * (23 + 11) + 300000 + 2 * (19 + 19 + 20 + 20) + 23 + 14 + 11 + $(awk '/ (walk|open) / { n += $5 + $6 } END { print n }' log))) bytes" said
text 'the log has a line per message' 310 "$(wc -l < log)"
text 'the trace has a span per message' 310 "$(python3 -c 'import json; print(sum(e["ph"] == "X" for e in json.load(open("trace.json"))))')"
has 'the last line' '^messages counted by proxy; not counted: nothing$' said

# --- 24 clients at once, and with and without
begin 'listening at' said "$PSUITE" iostats --json -l unix!p -s "tcp!127.0.0.1!$real"; proxy=$!
text 'its socket is its owner'\''s alone' 600 "$(stat -c %a p)"
for i in $(seq 24); do peer ./p cat big 8000 > "got.$i" & clients[i]=$!; done
wait "${clients[@]}"
text 'each of 24 clients reads the complete file' 24 "$(for i in $(seq 24); do cmp -s "got.$i" tree/big && echo same; done | wc -l)"
text 'a directory is listed as without the proxy' "$(peer "$real" ls sub)" "$(peer ./p ls sub)"
text 'an absent file fails as without the proxy' "$(peer "$real" cat none 2>&1)" "$(peer ./p cat none 2>&1)"
ends $proxy
sed -n '/^{/p' said > report.json
counted() { python3 -c 'import json,sys; r = json.load(open("report.json")); print(eval(sys.argv[1]))' "$1"; }
text 'JSON' "24 936 $((24 * 300000))" "$(counted '"%d %d %d" % next((f["opens"], f["reads"], f["read_bytes"]) for f in r["files"] if f["path"] == "/big")')"
text 'one walk failed' 1 "$(counted 'next(m["errors"] for m in r["messages"] if m["message"] == "walk")')"

# --- clients that others wrote, by 9P2000.L; a report on the way
begin 'listening at' said "$PSUITE" iostats -l 'tcp!127.0.0.1!0' -s "tcp!127.0.0.1!$real"; proxy=$!
at=$(port said)
status 'diodcat' 0 diodcat -t 60 -s "127.0.0.1:$at" -a / /big
ok "diodcat through the proxy gives the file's contents" cmp out tree/big
text 'diodls' "$(diodls -t 60 -l -s "127.0.0.1:$real" -a / /sub)" "$(diodls -t 60 -l -s "127.0.0.1:$at" -a / /sub)"
kill -USR1 $proxy
until_ok grep -q '^messages counted' said
has 'SIGUSR1 reports' ' 300000 .* /big$' said
ok 'the proxy serves clients after SIGUSR1' diodcat -t 60 -s "127.0.0.1:$at" -a / /sub/7
text 'stats, too: who has no /dev' 1 "$(timeout 60 "$PSUITE" stats --once -l -T 0.1 "tcp!127.0.0.1!$at" > out 2>&1; echo $?)"

# --- what is no 9P: that connection ends, with a word, and no other
cat > held.py <<'P'
import os, sys, time
sys.path.insert(0, os.environ['TESTS'] + '/lib')
from ninep import Peer, connect
read, write, _ = connect([sys.argv[1]])
p = Peer(read, write)
for n, chunk in enumerate(p.contents(p.open('big'), 1000)):
    sys.stdout.buffer.write(chunk)
    while n == 150 and not os.path.exists('go'):
        open('half', 'w')
        time.sleep(0.05)
P
timeout 300 python3 held.py "$at" > held & held=$!
until_ok test -e half
text 'a connection whose client sends no 9P is closed' closed "$(peer "$at" bad 474554202f20485454502f312e310d0a0d0a)"
says() { until_ok grep -Eq "$1" said; } # the client may see first that its connection is closed
says 'data that is not 9P'
has 'a client that sends no 9P is reported' '^iostats: connection [0-9]+: the client sent data that is not 9P$' said
text 'a connection with an invalid message size is closed' closed "$(peer "$at" bad 03000000)"
both_said() { [ "$(grep -c 'sent data that is not 9P' said)" = 2 ]; }
until_ok both_said
text 'both invalid clients are reported' 2 "$(grep -c 'sent data that is not 9P' said)"
touch go
wait $held
ok 'a client keeps reading while invalid ones are closed' cmp held tree/big
text 'a client that closes within a message' '' "$(python3 -c "import socket; s = socket.create_connection(('127.0.0.1', $at)); s.send(b'\x13\0\0\0d')")"
ok 'the proxy serves clients after one closed within a message' diodcat -t 60 -s "127.0.0.1:$at" -a / /sub/7
ends $proxy
text 'one report for SIGUSR1 and one at the end' 2 "$(grep -c '^messages counted' said)"
cat > garbage.py <<'P'
import socket
s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True)
while True:
    c, _ = s.accept(); c.recv(100); c.sendall(b'HTTP/1.1 400 Bad Request\r\n\r\n'); c.recv(100)
P
python3 garbage.py > garbage.port & started+=($!)
until_ok test -s garbage.port
begin 'listening at' said "$PSUITE" iostats -l unix!q -s "tcp!127.0.0.1!$(cat garbage.port)"; proxy=$!
text 'a connection whose server sends no 9P is closed' closed "$(peer ./q bad 1300000064ffff002000000600395032303030 | tail -1)"
says 'data that is not 9P'
has 'a server that sends no 9P is reported' '^iostats: connection [0-9]+: the server sent data that is not 9P$' said
ends $proxy

# --- a server that is not there, and comes
begin 'listening at' said "$PSUITE" iostats -l unix!r -s unix!later; proxy=$!
status 'a server that is not there' 1 peer ./r cat big
says 'connection 1'
has 'an unreachable server is reported with its address' '^iostats: connection 1: unix!later: No such file or directory$' said
begin 'serving at' exported "$PSUITE" export -n tree unix!later
ok 'the server is dialled again for the next client' peer ./r cat sub/9
ends $proxy
ok "the proxy's socket is removed at its end" test ! -e r

# --- on standard input and output
"$PSUITE" iostats -l - -s unix!later < /dev/null 2> said; text 'standard input that is at its end' 0 $?
text 'a command as the connection' 'file 9' "$(peer - "$PSUITE" iostats -l - -s unix!later -- cat sub/9 2> said)"
status 'standard input with an unreachable server' 1 "$PSUITE" iostats -l - -s unix!none
has 'standard input with an unreachable server: the reason' '^iostats: connection 1: unix!none: No such file or directory$' err
finish
