# bind of another machine's directory with many names: all are listed, looked up and forgotten, and memory comes back; a large
# file is read whole. Larger for ./dev soak:
#   NAMES    in one directory (20000)           LOOKUPS  of single names, forgotten in between (2000)
#   TURNS    of listing and forgetting (3)      MB       of the large file (64)
#   SPEED    0, or how often each is compared (0), as CPU time of the reader and the servers together, medians: `ls -l' costs at
#            most twice the exported directory's, the large file at most twice what diodcat and diod take
. lib/check.sh
. lib/cputime.sh
. lib/need.sh
: "${NAMES:=20000}" "${LOOKUPS:=2000}" "${TURNS:=3}" "${MB:=64}" "${SPEED:=0}" "${PSUITE_SANITIZE:=}"
if [ "$(id -u)" != 0 ] || ! "$PSUITE" iostats -b fuse true >/dev/null 2>"$scratch/err"; then
  skip 'bind' "not root, or $(head -1 "$scratch/err")"
  finish
fi
dir=$scratch/n server= diod=
clean_up() { "$PSUITE" unbind -l "$dir" 2>/dev/null; kill $server $diod 2>/dev/null; rm -rf "$scratch"; }
trap clean_up EXIT
mkdir "$dir" "$scratch/tree" "$scratch/tree/many"
python3 - "$scratch/tree" "$NAMES" "$MB" <<'END'
import os, sys
tree, names, mb = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for i in range(names):
    os.close(os.open('%s/many/name-%07d' % (tree, i), os.O_CREAT | os.O_WRONLY, 0o644))
with open(tree + '/large', 'wb') as f:  # sparse, with something to compare every 64 KB and at the end
    for at in range(0, mb << 20, 65536):
        f.seek(at)
        f.write(b'%d' % at)
    f.seek((mb << 20) - 1)
    f.write(b'.')
END
start_server 'serving at' "$scratch/said" "$PSUITE" export -r "$scratch/tree" "unix!$scratch/s"; server=$!
status 'another machine' 0 timeout 60 "$PSUITE" bind --json "unix!$scratch/s" "$dir"
pid=$(sed 's/.*"pid":\([0-9]*\)}/\1/' "$scratch/out")
rss_kb() { awk '/^VmRSS/ { print $2 }' "/proc/$pid/status"; }

# --- names
small=$(rss_kb)
ls -l "$scratch/tree/many" | awk 'NR > 1 { print $1, $5, $NF }' > "$scratch/local"
for turn in $(seq "$TURNS"); do
  timeout 600 ls -l "$dir/many" | awk 'NR > 1 { print $1, $5, $NF }' > "$scratch/bound"
  same "turn $turn: ls -l of $NAMES names is that of the exported directory" "$scratch/local" "$scratch/bound"
  text "turn $turn: find sees them all" "$NAMES" "$(timeout 600 find "$dir/many" -type f | wc -l)"
  large=$(rss_kb)
  echo 2 > /proc/sys/vm/drop_caches # the kernel forgets names that nobody uses
  has_shrunk() { [ "$(rss_kb)" -le $((small + (large - small) * 3 / 4)) ]; }
  if [ -z "$PSUITE_SANITIZE" ]; then
    ok "turn $turn: memory comes back ($small KB, with all names $large KB)" until_ok has_shrunk
    [ "$turn" -gt 1 ] || first=$large
    holds "turn $turn: it does not grow ($large KB, at first $first KB)" "$large <= $first * 5 / 4 + 512"
  fi
done
echo new > "$scratch/tree/many/new"
text 'a new name after all those' new "$(timeout 60 cat "$dir/many/new")"
rm "$scratch/tree/many/new"

# --- single names, never listed
python3 - "$dir/many" "$NAMES" "$LOOKUPS" > "$scratch/out" 2>&1 <<'END'
import os, sys
directory, names, lookups = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
def forget():
    with open('/proc/sys/vm/drop_caches', 'w') as f:
        f.write('2')
for i in range(lookups):
    if i % 10000 == 0:
        forget()
    os.stat('%s/name-%07d' % (directory, i * 7919 % names))
print('looked', lookups)
END
has "$LOOKUPS look-ups of single names" "^looked $LOOKUPS\$" "$scratch/out"
echo 2 > /proc/sys/vm/drop_caches
if [ -z "$PSUITE_SANITIZE" ]; then holds "after them memory has not grown ($(rss_kb) KB)" "$(rss_kb) <= $first * 5 / 4 + 512"; fi
status 'a name that is not there' 1 timeout 60 cat "$dir/many/none"

# --- a large file, by reads of 1 MB
status "$MB MB are read" 0 timeout 1200 cmp "$scratch/tree/large" "$dir/large"
exec 3< "$dir/large"
timeout 60 dd bs=1M count=1 <&3 2>&1 >/dev/null | grep -q '^1+0 records in' && pass 'a read of 1 MB gives 1 MB' || fail 'a read of 1 MB gives 1 MB'
exec 3<&-
if [ -z "$PSUITE_SANITIZE" ]; then holds "export has not grown with it ($(awk '/^VmRSS/ { print $2 }' "/proc/$server/status") KB)" "$(awk '/^VmRSS/ { print $2 }' "/proc/$server/status") < 12288"; fi

# --- its speed
# spend NAME "PID..." COMMAND...: milliseconds, a line a run
spend() {
  local name=$1 servers=$2 before=0 after=0 p; shift 2
  for p in $servers; do before=$((before + $(cpu_ms "$p"))); done
  (TIMEFORMAT='%U %S'; time "$@" > /dev/null 2>&1) 2> "$scratch/time"
  for p in $servers; do after=$((after + $(cpu_ms "$p"))); done
  awk -v more=$((after - before)) '{ print int(($1 + $2) * 1000) + more }' "$scratch/time" >> "$scratch/$name.ms"
}
median() { sort -n "$scratch/$1.ms" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
at_most_twice() { # WHAT OURS THEIRS
  local ours theirs; ours=$(median "$2") theirs=$(median "$3")
  echo "$1: $ours ms of CPU, $3 $theirs ms"
  holds "$1 takes at most twice the CPU time of $3 ($ours ms, $theirs ms)" "$ours <= 2 * $theirs"
}
if [ "$SPEED" -gt 0 ]; then
  for ((i = 0; i < SPEED; i++)); do
    echo 2 > /proc/sys/vm/drop_caches
    ls -l "$scratch/tree/many" > /dev/null # the exported directory itself is known
    spend bound_list "$pid $server" ls -l "$dir/many"
    spend exported_list '' ls -l "$scratch/tree/many"
  done
  at_most_twice "ls -l of $NAMES names" bound_list exported_list
fi
if [ "$SPEED" -gt 0 ] && need diodcat=diod; then
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  diod -f -n -N -e "$scratch/tree" -l "127.0.0.1:$port" 2> "$scratch/diod.err" & diod=$!
  serves() { (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null; }
  ok 'diod serves' until_ok serves
  theirs() { diodcat -s "127.0.0.1:$port" -a "$scratch/tree" large; }
  ok 'diodcat reads the same' cmp "$scratch/tree/large" <(theirs)
  for ((i = 0; i < SPEED; i++)); do
    spend bound_file "$pid $server" cat "$dir/large"
    spend diodcat "$diod" theirs
  done
  at_most_twice "cat of $MB MB" bound_file diodcat
elif [ "$SPEED" -gt 0 ]; then
  skip 'a large file beside diod' 'diod is not installed'
fi
status 'unbind' 0 timeout 60 "$PSUITE" unbind "$dir"
finish
