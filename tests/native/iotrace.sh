# File calls counted by ptrace: a workload that knows its calls, strace's word on real programs, and what the traced may not feel.
. lib/check.sh
. lib/need.sh
: "${WORK:=$TESTS/../build/work}"
dump=$(dirname "$PSUITE")/tests/iotracedump
need strace git sqlite3 gcc tar || finish
if ! "$dump" true 2>"$scratch/err"; then
  skip 'file calls counted by ptrace' "$(head -1 "$scratch/err")"; finish
fi
# How many of MESSAGE the report has.
count() { awk -v m="$1" '$1 == m { n = $2 } END { print n + 0 }' "$scratch/err"; }
gone() { ! kill -0 "$1" 2>/dev/null || [ "$(awk '/^State:/ { print $2 }' "/proc/$1/status" 2>/dev/null)" = Z ]; }

# --- the answer is known
mkdir "$scratch/w"
status 'iotracedump of a workload that knows its calls' 0 "$dump" "$WORK/iowork" "$scratch/w" "$scratch/expected"
{
  for m in open create read write clunk remove stat wstat walk; do echo "$m $(count $m)"; done
  awk '$1 == "read" && /sec$/ { r = $2 } $1 == "write" && /sec$/ { print "bytes", r, $2 }' "$scratch/err"
  sed -nE "s/^ *([0-9]+) +([0-9]+) +([0-9]+) +([0-9]+) +([0-9]+) $(printf %s "$scratch/w" | sed 's/[/.]/\\&/g')\/(.*)/file \1 \2 \3 \4 \5 \6/p" "$scratch/err"
} >"$scratch/got"
text 'calls, bytes and files are those that the workload knows of' "$(sed 's/ *$//; /^$/d' "$scratch/expected" | sort)" "$(sort "$scratch/got")"
has 'calls on pipes and sockets are counted separately' 'not counted: 2 reads \(150 bytes\) of pipes and sockets, 2 writes \(150 bytes\)' "$scratch/err"

# --- the numbers are the kernel's, of each architecture whose headers are here
: "${SOURCE:=$TESTS/..}"
# numbers COLUMN COMPILER...: rows whose number is another in the headers; how many were compared goes to $scratch/compared
numbers() {
  local column=$1; shift
  echo '#include <asm/unistd.h>' | "$@" -dM -E - 2>/dev/null | awk '$2 ~ /^__NR_/ { print substr($2, 6), $3 }' >"$scratch/headers"
  sed -nE 's/^ *\{"([a-z0-9_]+)", \{([^}]*)\}.*/\1, \2/p' "$SOURCE/src/core/io/call_table.c" | awk -F', ' -v column="$column" -v file="$scratch/compared" '
    BEGIN { while ((getline line < ARGV[1]) > 0) { split(line, w, " "); number[w[1]] = w[2] } ARGV[1] = "-" }
    $1 in number && number[$1] ~ /^[0-9]+$/ { compared++; if (number[$1] != $column && $column >= 0) print $1, $column, number[$1] }
    END { print compared + 0 >file }' "$scratch/headers"
}
for row in '2 gcc' '4 aarch64-linux-gnu-gcc'; do
  read -r column compiler <<<"$row"
  [ "$(uname -m)" = x86_64 ] && command -v "$compiler" >/dev/null || { skip "system call numbers of the headers of $compiler" 'not here'; continue; }
  text "system call numbers of the headers of $compiler" '' "$(numbers "$column" "$compiler")"
  holds "over 40 system call numbers of $compiler are compared: $(cat "$scratch/compared")" "$(cat "$scratch/compared") > 40"
done

# --- strace's word. What it has more is told: calls on pipes and sockets.
names() { # MESSAGE: its calls
  case $1 in
    open) echo open openat openat2 creat mkdir mkdirat mknod mknodat symlink symlinkat link linkat ;;
    stat) echo stat lstat fstat newfstatat statx statfs fstatfs ;;
    remove) echo unlink unlinkat rmdir ;;
    walk) echo access faccessat faccessat2 chdir fchdir ;;
    wstat) echo rename renameat renameat2 chmod fchmod fchmodat chown fchown lchown fchownat truncate ftruncate utimensat fallocate fsync fdatasync ;;
    read) echo read pread64 readv preadv getdents64 ;;
    write) echo write pwrite64 writev pwritev ;;
    clunk) echo close ;;
  esac
}
strace_count() { awk -v names=" $(names "$1") " 'index(names, " " $NF " ") { n += $4 } END { print n + 0 }' "$scratch/strace"; }
apart() { sed -nE "s/.*[ :,] ?([0-9]+) $1 \([0-9]+ bytes\).*/\1/p" "$scratch/err" | grep . || echo 0; }
beside() { # WHAT PREPARE COMMAND: both in a fresh folder
  local what=$1 m
  (mkdir -p "$scratch/b" && cd "$scratch/b" && eval "$2" && strace -f -c -o "$scratch/strace" sh -c "$3"; cd ..; rm -rf "$scratch/b") >/dev/null 2>&1
  (mkdir -p "$scratch/b" && cd "$scratch/b" && eval "$2" && "$dump" sh -c "$3" 2>"$scratch/err"; cd ..; rm -rf "$scratch/b") >/dev/null 2>&1
  for m in stat remove walk wstat; do text "$what: $m" "$(strace_count $m)" "$(count $m)"; done
  text "$what: open and create" "$(strace_count open)" "$(($(count open) + $(count create)))"
  text "$what: read" "$(strace_count read)" "$(($(count read) + $(apart reads)))"
  text "$what: write" "$(strace_count write)" "$(($(count write) + $(apart writes)))"
  holds "$what: clunk, $(count clunk) of $(strace_count clunk) closes" "$(count clunk) <= $(strace_count clunk) && $(count clunk) > 0"
}
beside tar 'mkdir t; for i in 1 2 3 4 5 6 7 8 9; do head -c 50000 /dev/zero >t/$i; done' 'tar cf o.tar t'
beside sqlite3 : 'sqlite3 d "create table t(a); insert into t values(1),(2); select sum(a) from t"'
beside gcc 'echo "int main(void) { return 0; }" >c.c' 'gcc -c c.c'
beside git : 'git init -q .'

# Failed calls with a name. Names as they were given: strace does not say where they begin.
failed_beside() { # WHAT COMMAND
  (cd "$scratch" && strace -f -Z -o "$scratch/strace" sh -c "($2) 2>/dev/null") >/dev/null 2>&1
  (cd "$scratch" && "$PSUITE" iostats --json --failed sh -c "($2) 2>/dev/null") 2>"$scratch/failed.json" >/dev/null
  text "$1: failed calls by call, error and name" "" "$(python3 lib/iofailed.py "$scratch/strace" "$scratch/failed.json" "$scratch" 2>&1)"
}
failed_beside 'gcc' "echo 'int main(void) { return 0; }' >c.c; gcc -c c.c; rm c.c c.o"
failed_beside 'git' 'git init -q r; cd r; git status; cd ..; rm -rf r'
failed_beside 'names from directories' 'cd /; cat etc/no-such-file; ls -l /etc/x/y; mkdir /proc/x; ln -s a /proc/b; rm -r /nowhere; mv x y; test -w /proc/version'

# --- the command as without us
status 'iotracedump: exit status of the command' 3 "$dump" sh -c 'exit 3'
status 'iotracedump: status of a command that a signal ends' 143 "$dump" sh -c 'kill -TERM $$'
status 'iotracedump: status 127 if the command is not found' 127 "$dump" /nowhere/nothing
has 'iotracedump: message if the command is not found' 'No such file' "$scratch/err"
status 'iotracedump with standard input and standard error' 0 sh -c "echo in | '$dump' sh -c 'cat; echo err >&2'"
text 'iotracedump passes standard input to the command' in "$(cat "$scratch/out")"
cpus=$(nproc)
status 'iotracedump: a command that counts its CPUs' 0 "$dump" sh -c 'i=0; while [ $i -lt 300 ]; do read x </etc/hostname; i=$((i + 1)); done; nproc; sh -c nproc'
text 'iotracedump: the command and its child have all CPUs' "$cpus $cpus" "$(paste -sd' ' "$scratch/out")"
status 'iotracedump: a command that is stopped and continued' 0 timeout 60 "$dump" sh -c '(while sleep 0.3; do kill -CONT $$; done) & kill -STOP $$; kill $!; echo on'
text 'iotracedump: a command that was continued runs to its end' on "$(cat "$scratch/out")"
status 'iotracedump: a command that uses ptrace' 0 "$dump" sh -c 'strace -o /dev/null true 2>&1 | head -1; true'
has 'iotracedump: ptrace by the command is refused' 'not permitted' "$scratch/out"
has 'iotracedump: a note says that ptrace by the command fails' 'calls? of ptrace, which failed here' "$scratch/err"
interrupted ready "$scratch/said" "$dump" sh -c 'trap "exit 130" INT; echo ready; while :; do sleep 0.1; done'
text 'iotracedump: status of a command that is interrupted' 130 $?
has 'iotracedump: a report after an interrupt' '^rpc ' "$scratch/said"

# --- daemons
status 'iotracedump: exit status of a command that leaves a daemon running, for which it does not wait' 5 timeout 60 "$dump" sh -c \
  "(until [ -e '$scratch/go' ]; do sleep 0.1; done; cat /etc/hostname >'$scratch/late') </dev/null >/dev/null 2>&1 & exit 5"
touch "$scratch/go"
until_ok test -s "$scratch/late"
same 'iotracedump: the calls of a daemon that is still traced succeed' /etc/hostname "$scratch/late"

# --- kill -9, ten times, at any moment
busy="echo \$\$ >'$scratch/pid'; i=0; while [ \$i -lt 4000 ]; do read x </etc/hostname; i=\$((i + 1)); done; echo done >'$scratch/done'"
harmed=0 hung=0
for delay in 0.01 0.02 0.03 0.05 0.08 0.1 0.15 0.2 0.25 0.3; do
  rm -f "$scratch/done" "$scratch/pid"
  "$dump" sh -c "$busy" 2>"$scratch/err" & front=$!
  sleep $delay; kill -9 $front; wait $front 2>/dev/null
  sleep 0.2; [ -s "$scratch/pid" ] || continue # before it was started
  until_ok test -s "$scratch/done" || harmed=$((harmed + 1))
  until_ok gone "$(cat "$scratch/pid")" || hung=$((hung + 1))
done
text 'kill -9 of iotracedump: the command runs to its end' 0 $harmed
text 'kill -9 of iotracedump: the command is gone after its end' 0 $hung
left=0
for delay in 0.05 0.1 0.2; do
  rm -f "$scratch/pid"
  "$dump" sh -c "${busy/4000/100000}" 2>"$scratch/err" & front=$!
  until_ok test -s "$scratch/pid"; sleep $delay
  tracer=$(awk '/^TracerPid:/ { print $2 }' "/proc/$(cat "$scratch/pid")/status" 2>/dev/null)
  kill -9 "${tracer:?the command has ended}" 2>/dev/null; wait $front 2>/dev/null
  until_ok gone "$(cat "$scratch/pid")" || left=$((left + 1))
done
text 'kill -9 of the tracing process: the command is gone' 0 $left

# --- a process that runs already
cat >"$scratch/serve.py" <<'P'
import os, select, sys
r, w = os.pipe(); e = select.epoll(); e.register(r, select.EPOLLIN)
print(os.getpid(), flush=True)
n = 0
while not os.path.exists(sys.argv[1] + '.enough'):
    e.poll(0.05)
    with open(sys.argv[1], 'a') as f: n += f.write('x' * 100)
print('whole', n, flush=True)
P
need python3
python3 "$scratch/serve.py" "$scratch/served" >"$scratch/serve.out" 2>&1 & server=$!
until_ok test -s "$scratch/served"
is_traced() { grep -q '^TracerPid:.[^0]' /proc/$server/status; }
has_written() { [ "$(stat -c %s "$scratch/served")" -ge $wanted ]; }
env --default-signal=INT "$dump" -p $server 2>"$scratch/err" & watcher=$!
ok 'iotracedump -p traces' until_ok is_traced
wanted=$(($(stat -c %s "$scratch/served") + 500)); until_ok has_written
kill -INT $watcher; wait $watcher
text 'iotracedump -p, interrupted' 0 $?
has 'iotracedump -p: writes of the process' "^ +[1-9][0-9]* .* ([1-9][0-9]*)00 $scratch/served" "$scratch/err"
has 'iotracedump -p: the note on the method' 'ptrace, all calls' "$scratch/err"
"$dump" -p $server 2>/dev/null & watcher=$!; until_ok is_traced; kill -9 $watcher; wait $watcher 2>/dev/null
wanted=$(($(stat -c %s "$scratch/served") + 500)); until_ok has_written
touch "$scratch/served.enough"; wait $server
text 'a process runs to its end after kill -9 of iotracedump -p, and has written all bytes' "whole $(stat -c %s "$scratch/served")" "$(tail -1 "$scratch/serve.out")"
status 'iotracedump -p: status if the process does not exist' 126 "$dump" -p 999999
finish
