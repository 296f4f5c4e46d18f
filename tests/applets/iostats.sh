# iostats on the fake platform: the kernel's requests out of a script, and what it says when it cannot.
. lib/check.sh
own=$TESTS/applets/iostats
fake() { local s=$1; shift; PSUITE_FAKE=$s.scenario timeout 30 "$PSUITE_FAKE_BIN" iostats "$@"; }

# --- a whole conversation: INIT, `no-such-name-at-all' in /, its attributes, an unknown request, an interrupt, a mutilated one
cp "$own/served.scenario" "$scratch/"
word() { local n=$1; printf "\\x$(printf %02x $((n & 255)))\\x$(printf %02x $((n >> 8 & 255)))\\x$(printf %02x $((n >> 16 & 255)))\\x$(printf %02x $((n >> 24 & 255)))"; }
words() { local n; for n; do word "$n"; done; }
# head LEN OP UNIQUE NODE
head_of() { words $(($1 + 40)) "$2" "$3" 0 "$4" 0 0 0 1 0; }
{
  head_of 16 26 1 0; words 7 38 0 0
  head_of 20 1 2 1; printf 'no-such-name-at-all\0'
  head_of 16 3 3 1; words 0 0 0 0
  head_of 0 4242 4 1
  head_of 8 36 6 0; words 4 0
  head_of 3 1 5 1; printf 'a/b' | head -c 3
} > "$scratch/requests"
: > "$scratch/answers"
status 'a conversation: the command has its status' 7 fake "$scratch/served" --plan9 a command
# INIT is the version, an interrupt a flush; one walk that failed, one stat; what is unknown is no message. A mutilated request is one that failed.
text 'what is counted of it' 'version 1 19
flush 1 9
walk 2 57
stat 1 11' "$(awk '/^(version|flush|walk|stat)/ { print $1, $2, $8 }' "$scratch/err")"
text 'nothing of a file was read' 'read      0 bytes, 0 Kb/sec' "$(sed -n 2p "$scratch/err")"
# error and number of each answer; that there is no such name may be told as node 0, to be kept, if / has not changed lately
text 'what is answered' '0 1
-2 2
0 3
-38 4
-22 5' "$(od -An -v -tx1 "$scratch/answers" | tr -d ' \n' | awk '
  function le(s, i, n,  v, k) { v = 0; for (k = n - 1; k >= 0; k--) v = v * 256 + hex(substr(s, i + k * 2, 2)); return v }
  function hex(h) { return index("0123456789abcdef", substr(h, 1, 1)) * 16 - 16 + index("0123456789abcdef", substr(h, 2, 1)) - 1 }
  { for (i = 1; i < length($0); i += len * 2) { len = le($0, i, 4); e = le($0, i + 8, 4); if (e > 2147483647) e -= 4294967296; if (le($0, i + 16, 4) == 2 && e == 0 && len == 144 && le($0, i + 32, 8) == 0) e = -2; print e, le($0, i + 16, 4) } }')"


# --- the standard descriptors: inherited, so traced; a copy counts with them, and a file in the place of one does not
{ cat "$own/served.scenario"; echo 'iocall 1 13 1 0 13'; echo 'iocall 0 5 0 0 4096'; echo 'iocall 33 2 1 2'; echo 'iocall 1 7 2 0 7'
  echo 'iocall 33 0 9 0'; echo 'iocall 0 100 0 0 4096'; echo 'iocall 1 -32 1 0 4'; } > "$scratch/standard.scenario"
sed -i 's/^answers .*//' "$scratch/standard.scenario"
status 'standard descriptors' 7 fake "$scratch/standard" -f "$scratch/log" a command
text 'have rows' '    1        1        5        0        0 (stdin)
    1        0        0        2       20 (stdout)' "$(grep ' (std' "$scratch/err")"
text 'and count as the messages that they stand for' 'read 1 23 16
write 3 89 22' "$(awk '/^(read|write) .* ms / { print $1, $2, $8, $9 }' "$scratch/err")"
has 'are in the log' ' write +36 +11 \(stdout\)$' "$scratch/log"
has 'what is not seen of them is told' ', inherited descriptors, copies of standard ones above 2$' "$scratch/err"
{ cat "$own/served.scenario"; echo 'fail iotrace EPERM'; } > "$scratch/untraced.scenario"
status 'where they cannot be traced' 7 fake "$scratch/untraced" a command
has 'the reason is told' ', inherited descriptors, standard descriptors \(.*Operation not permitted\)$' "$scratch/err"

status 'as JSON' 7 fake "$scratch/served" --json a command
has 'with the way and its unit' '^\{"psuite":1,"applet":"iostats","method":"fuse","unit":"messages","not_by":"9p \(mount -t 9p: No such device\)","lost":0,"uncounted":"' "$scratch/err"
status 'with a log' 7 fake "$scratch/served" -f "$scratch/log" a command
has 'a line a message, and why it failed' '^0\.[0-9]{6} +[0-9.]+ us walk +38 +34 /no-such-name-at-all: No such file or directory$' "$scratch/log"

# --- what it says
status 'a root of ours is not allowed: the other way' 7 fake "$own/denied" command
has 'which, and why not the first' '^calls counted by ptrace, seccomp, not by 9p \(.*No such device\), fuse \(.*Operation not permitted\); not counted: .*readlink' "$scratch/err"
status 'as JSON' 7 fake "$own/denied" --json command
has 'in it, too' '"method":"ptrace, seccomp","unit":"calls","not_by":"9p \(.*No such device\), fuse \(.*Operation not permitted\)"' "$scratch/err"
status 'only that way is wanted' 1 fake "$own/denied" -b fuse command
has 'why not' '^iostats: .*: Operation not permitted$' "$scratch/err"
status 'no client of 9P in the kernel' 1 fake "$own/denied" -b 9p command
text 'says so' 'iostats: mount -t 9p: No such device' "$(cat "$scratch/err")"
{ cat "$own/denied.scenario"; echo 'fail iotrace EPERM'; } > "$scratch/refused.scenario"
status 'no way at all' 1 fake "$scratch/refused" command
has 'the last one fails' '^iostats: .*: Operation not permitted$' "$scratch/err"
has 'and the one before' 'the other methods failed, too: 9p \(.*No such device\), fuse \(.*Operation not permitted\)' "$scratch/err"
status 'no command' 2 "$PSUITE" iostats
has 'the usage' '^usage: iostats \[-d\] \[-f debugfile\] \[OPTION\.\.\.\] cmds \[args \.\.\.\]$' "$scratch/err"
status 'a way that is none' 2 "$PSUITE" iostats -b bpf true
has 'is named' '^iostats: -b: bpf: no such method \(9p, fuse, ptrace, auto\)$' "$scratch/err"
status 'an order that is none' 2 "$PSUITE" iostats --sort=size true
has 'is named, too' '^iostats: --sort: size: no such order \(closed, bytes, read, written, opens, calls, name\)$' "$scratch/err"
status 'no rows' 2 "$PSUITE" iostats -n 0 true
status 'a log that cannot be' 1 "$PSUITE" iostats -f /no/such/folder true
has 'is told before the command runs' '^iostats: /no/such/folder: No such file or directory$' "$scratch/err"
finish
