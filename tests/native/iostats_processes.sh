# iostats --by-process: a command with children, process by process, against what strace -f says of the same command.
. "$(dirname "$0")/../lib/check.sh"
command -v strace > /dev/null || { skip 'processes' 'no strace'; finish; }
cd "$scratch"
seq 20000 > in
cat > load <<'EOF'
cat in > copy
head -c 100000 /dev/zero > zero
cat /no/such/file 2>/dev/null
wc -l < in > lines
exec tail -n 1 in
EOF
strace -f -o probe -e trace=none true 2> "$scratch/err" || { skip 'processes' "strace: $(head -1 "$scratch/err")"; finish; }
"$PSUITE" iostats --by-process true 2> "$scratch/err" || { skip 'processes' "$(head -1 "$scratch/err")"; finish; }
strace -f -y -s 0 -o strace.out -e trace=open,openat,read,pread64,write,pwrite64,access,stat,newfstatat,statx,copy_file_range sh load > /dev/null
status 'a command' 0 "$PSUITE" iostats --by-process --json sh load
python3 "$TESTS/native/iostats_processes.py" "$scratch/err" strace.out > compared 2>&1
while read -r kind what; do
  case $kind in
    ok) pass "$what" ;;
    *) fail "$kind $what" ;;
  esac
done < compared
has 'to its end' '^ok the end' compared

status 'as a table' 0 "$PSUITE" iostats --by-process sh load
has 'a row for each' '^ *[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +100000 +[0-9.]+  head$' "$scratch/err"
has 'the last program of a process' ' tail$' "$scratch/err"
hasnt 'not the one before' ' sh$' "$scratch/err"
has 'a sum' ' total$' "$scratch/err"
status 'one row' 0 "$PSUITE" iostats --by-process -n 1 sh load
has 'and the others' ' \([0-9]+ more\)$' "$scratch/err"

# Threads are their process; a process that runs already; the status of a command.
status 'threads' 0 "$PSUITE" iostats --by-process --json python3 -c 'import threading
def work(): open("in").read()
t = [threading.Thread(target=work) for _ in range(5)]
[x.start() for x in t]; [x.join() for x in t]'
cp "$scratch/err" threads
status 'are one process' 0 python3 -c 'import json, sys
p = [p["read_bytes"] for p in json.load(open(sys.argv[1]))["processes"] if p["read_bytes"] >= 108894]
assert len(p) == 1 and p[0] >= 5 * 108894, p' threads
status 'a status' 3 "$PSUITE" iostats --by-process sh -c 'exit 3'
status 'another backend' 2 "$PSUITE" iostats -b fuse --by-process true
finish
