#!/bin/bash
# 9P with programs that nobody here wrote: diod's clients on what we export, and our client on what diod serves.
. lib/check.sh
. lib/need.sh
need diodcat=diod diod || { skip 'a peer' 'diod could not be installed'; finish; }
cd "$scratch" || exit
started=()
trap 'kill -9 "${started[@]}" 2>/dev/null; rm -rf "$scratch"' EXIT
mkdir -p tree/sub/deep
head -c 400000 /dev/urandom > tree/big
: > tree/empty
for i in $(seq 300); do echo "file $i" > "tree/sub/a-name-of-some-length-$i"; done

# --- theirs on ours
start_server 'serving at' said "$PSUITE" export -w -n tree 'tcp!127.0.0.1!0'; started+=($!)
at=127.0.0.1:$(sed -nE 's/.*127\.0\.0\.1:([0-9]+)$/\1/p' said)
their() { local what=$1; shift; timeout 100 "diod$what" -t 60 -s "$at" -a / "$@"; }
status 'diodcat' 0 their cat /big
ok "diodcat of our export gives the file's contents" cmp out tree/big
status 'in small pieces' 0 their cat -m 4096 /big
ok "diodcat with small messages gives the file's contents" cmp out tree/big
text 'two files' 'file 7file 8' "$(their cat /sub/a-name-of-some-length-7 /sub/a-name-of-some-length-8 | tr -d '\n')"
text 'an empty one' '' "$(their cat /empty)"
text 'diodls' "$(ls -A tree/sub | sort)" "$(their ls /sub | sort)"
has 'diodls -l of our export prints sizes' '^-rw.* 400000 .* big$' <(their ls -l /)
status 'what is not there' 1 their cat /none
has 'diodcat of an absent file says so' 'No such file or directory' err
start_server 'serving at' said "$PSUITE" export 'tcp!127.0.0.1!0'; started+=($!)
at=127.0.0.1:$(sed -nE 's/.*127\.0\.0\.1:([0-9]+)$/\1/p' said)
text 'a device' "$("$PSUITE" ns cat '#c/sysname')" "$(their cat /dev/sysname)"
text 'every process has a status' "$(their cat /proc/1/status | cut -c1-20)" "$("$PSUITE" ns cat '#p/1/status' | cut -c1-20)"

# --- theirs on a directory as it is
ln -s big tree/link; chmod 4751 tree/empty; touch -d '2001-02-03 04:05' tree/empty
start_server 'serving at' said "$PSUITE" export -r tree 'tcp!127.0.0.1!0'; started+=($!)
at=127.0.0.1:$(sed -nE 's/.*127\.0\.0\.1:([0-9]+)$/\1/p' said)
status 'of a directory: diodcat' 0 their cat big
ok "diodcat of a host directory gives the file's contents" cmp out tree/big
text 'diodls' "$(ls -A tree/sub | sort)" "$(their ls sub | sort)"
has 'a mode, an owner, a time' "^-rw[xs]r-x--x.* $(id -un) +$(id -gn) +0 Feb +0?3 .* empty$" <(their ls -l /)
has 'a link' '^.rwxrwxrwx.* 3 .* link$' <(their ls -l /)
status 'what is not there' 1 their cat none
text 'and by our own client' "$(cat tree/sub/a-name-of-some-length-8)" "$("$PSUITE" ns -n "tcp!${at/:/!}" cat sub/a-name-of-some-length-8)"
rm tree/link; chmod 644 tree/empty

# --- ours on theirs, by 9P2000.L, which is all it speaks; and through iostats
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
diod -f -n -N -e "$scratch/tree" -l "127.0.0.1:$port" -L stderr 2> diod.err & started+=($!)
serves() { (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null; }
ok 'diod serves' until_ok serves
ours() { timeout 60 "$PSUITE" ns -n "tcp!127.0.0.1!$port" -a "$scratch/tree" "$@"; }
status 'ns cat' 0 ours cat big
ok "ns cat of diod's export gives the file's contents" cmp out tree/big
text 'ns ls' "$(ls -A tree/sub | sed 's|^|sub/|' | sort)" "$(ours ls sub | sort)"
text "ns ls -l of diod's export prints sizes" "$(stat -c '%s %n' tree/*)" "$(ours ls -l | awk '{ print $2, "tree" $3 }' | sort -k2 | sed "s/^0 \(tree.sub\)$/$(stat -c %s tree/sub) \1/")"
status 'ns write' 0 ours write empty 'no more'
text "ns write changes the file of diod's export" 'no more' "$(cat tree/empty)"
text 'several, of one connection' 'file 7no morefile 9' "$(ours -c 'cat sub/a-name-of-some-length-7; cat empty; cat sub/a-name-of-some-length-9' | tr -d '\n')"
status 'what is not there' 1 ours cat none
has 'ns cat of an absent file says so' '^ns: none: No such file or directory$' err
status 'a folder as a file' 1 ours cat sub
status 'JSON' 0 ours --json cat sub/a-name-of-some-length-300
has "ns --json cat gives the file's contents" '"bytes":9,"text":"file 300' out
status 'a tree that is not exported' 1 timeout 60 "$PSUITE" ns -n "tcp!127.0.0.1!$port" -a /etc ls
has 'an attach to a tree that is not exported is refused with a reason' '^ns: /: no connection: permission denied$' err
start_server 'listening at' counted "$PSUITE" iostats -l unix!p -s "tcp!127.0.0.1!$port"; proxy=$!; started+=($!)
status 'through iostats' 0 timeout 60 "$PSUITE" ns -n unix!p -a "$scratch/tree" cat big
ok 'a file read through iostats has its contents' cmp out tree/big
kill -TERM $proxy; wait $proxy
has 'counted' ' 400000 +0 +0 /big$' counted

# --- a server that is not there, or goes away
status 'nobody' 1 timeout 60 "$PSUITE" ns -n unix!none ls
has 'a server that does not run gives an error message' '^ns: /: no connection: file does not exist$' err
start_server 'serving at' said "$PSUITE" export -n tree unix!dies; dies=$!
status 'one that dies meanwhile' 1 timeout 60 "$PSUITE" ns -n unix!dies -c "cat empty; run kill -9 $dies; cat big"
has 'a server that dies during a read gives an error message' '^ns: big: ' err
finish
