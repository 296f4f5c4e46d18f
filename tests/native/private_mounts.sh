# What psuite mounts for itself alone: tracefs and /dev/fuse where there are none, and that nobody else sees a mount.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/tracefs.sh"
work=${WORK:-$TESTS/../build/work}
try=$(dirname "$PSUITE")/tests/mountprivate
without_tracefs true 2>"$scratch/err" || { skip 'private mounts' "no mount namespace: $(head -1 "$scratch/err")"; finish; }
unshare -m mount -t tracefs tracefs /mnt 2>"$scratch/err" || { skip 'private mounts' "no tracefs: $(head -1 "$scratch/err")"; finish; }
mounts() { cat /proc/self/mountinfo; }
mounts > "$scratch/before"

# --- both ways
"$try" detached tracefs available_tracers >/dev/null 2>"$scratch/err" && detached=detached ||
  skip 'a detached mount' "$(cat "$scratch/err")"
for way in ${detached:-} apart; do
  status "$way: a file" 0 "$try" "$way" tracefs available_tracers
  has "$way: it reads" '(^| )nop( |$)' "$scratch/out"
  status "$way: a folder is made and removed" 0 "$try" "$way" tracefs "instances/mountprivate-$$/"
  status "$way: no such file system" 1 "$try" "$way" nosuchfs x
  has "$way: is told" ': No such device$' "$scratch/err"
  status "$way: not a user's" 1 setpriv --reuid=65534 --regid=65534 --clear-groups "$try" "$way" tracefs available_tracers
done
status 'apart, with SIGCHLD ignored' 0 sh -c 'trap "" CHLD; exec "$@"' sh "$try" apart tracefs available_tracers

# --- tracepoints without a mount, in a namespace that has none of tracefs
alone() { without_tracefs "$@"; }
status 'trace' 3 alone "$PSUITE" trace -e -x sh -c 'sleep 0.01; exit 3'
has 'has events' ' (Run|Sleep)' "$scratch/err"
if own_pids; then
  hasnt 'of the command alone' 'all processes were traced$' "$scratch/err"
else
  has 'says whose' '^trace: .* of the initial PID namespace: all processes were traced$' "$scratch/err"
fi
# In a pid namespace single processes cannot be told apart: it says so, and the command has its status.
status 'in a pid namespace' 3 unshare -pf --mount-proc "$PSUITE" trace -e -x sh -c 'sleep 0.01; exit 3'
has 'events of all' ' (Run|Sleep)' "$scratch/err"
has 'it says so' '^trace: .* of the initial PID namespace: all processes were traced$' "$scratch/err"
status 'nor a stream' 1 unshare -pf --mount-proc "$PSUITE" ns -c 'write #p/1/ctl trace 1'
has 'is refused' 'tracing single processes in a PID namespace: Operation not supported' "$scratch/err"
status 'a sampling of a tracepoint' 0 alone "$PSUITE" tprof -e sched:sched_switch -x sh -c 'sleep 0.01; sleep 0.01; sleep 0.01'
has 'has samples' '^perf sched:sched_switch, .*: [1-9][0-9]* samples' "$scratch/err"
status 'system calls' 0 alone "$PSUITE" stats --once -s -T 0.2
has 'are counted' '^syscall +[0-9]' "$scratch/out"
status 'no such tracepoint' 1 alone "$PSUITE" tprof -e sched:nothing -x true
has 'is named' '^tprof: sched:nothing: no such tracepoint$' "$scratch/err"
has 'with what shows them' '^tprof: hint: .mount -t tracefs tracefs /sys/kernel/tracing' "$scratch/err"
status 'doctor' 0 alone "$PSUITE" doctor -v
has 'says how' '^tracefs +not mounted; psuite uses a private mount$' "$scratch/out"

# --- the command stays where it was: its namespace, and its descriptors
alone sh -c 'readlink /proc/self/ns/mnt; exec "$@"' sh "$PSUITE" trace -s 9 -x sh -c 'readlink /proc/self/ns/mnt; for f in /proc/$$/fd/*; do echo "fd ${f##*/}"; done; cat /proc/self/mounts' > "$scratch/out" 2>/dev/null
text 'its namespace' 1 "$(grep '^mnt:' "$scratch/out" | sort -u | wc -l)"
text 'both told it' 2 "$(grep -c '^mnt:' "$scratch/out")"
hasnt 'no tracefs mounted there' ' tracefs ' "$scratch/out"
alone sh -c 'for f in /proc/$$/fd/*; do echo "fd ${f##*/}"; done' > "$scratch/own" 2>/dev/null
text 'and descriptors' "$(cat "$scratch/own")" "$(grep '^fd ' "$scratch/out")"

# --- killed
instance_pids > "$scratch/instances"
alone "$PSUITE" trace -s 600 > "$scratch/killed" 2>&1 & runner=$!
ours() { tracer=$(instance_pids | grep -vxFf "$scratch/instances" | head -1); [ -n "$tracer" ]; }
until_ok ours
ok 'one that traces' kill -0 "$tracer"
mounts > "$scratch/meanwhile"
all=$(pgrep -f "^$PSUITE trace -s 600\$") # with the process that guards its instance, and would remove it
kill -STOP $all; kill -KILL $all; wait $runner 2>/dev/null
text 'what is mounted meanwhile' "$(cat "$scratch/before")" "$(cat "$scratch/meanwhile")"
text 'its instance stays' "$tracer" "$(instance_pids | grep -x "$tracer")"
alone "$PSUITE" trace -s 0.1 >/dev/null 2>&1
text 'until the next one removes it' '' "$(instance_pids | grep -x "$tracer")"
if unshare -fp --mount-proc true 2>/dev/null; then
  in_tracefs sh -c 'mkdir "$0/instances/psuite-4194000"; unshare -fp --mount-proc "$1" trace -s 0.05; ls "$0/instances"; rmdir "$0/instances/psuite-4194000"' \
    $tracefs "$PSUITE" > "$scratch/out" 2>/dev/null
  has 'psuite in a PID namespace leaves the instances of others alone' '^psuite-4194000$' "$scratch/out"
else
  skip 'instances of another PID namespace' 'no PID namespace can be made here'
fi

# --- /dev/fuse
without_fuse() { unshare -m sh -c 'mkdir -p "$0/dev" && mount -t tmpfs dev "$0/dev" && cp -a /dev/null /dev/zero /dev/tty "$0/dev/" && mount --move "$0/dev" /dev && exec "$@"' "$scratch" "$@"; }
if grep -qw fuse /proc/filesystems && without_fuse true 2>/dev/null; then
  status 'iostats by fuse without /dev/fuse' 4 without_fuse timeout 60 "$PSUITE" iostats -b fuse sh -c 'cat /etc/passwd; exit 4'
  has 'counts' '^messages counted by fuse' "$scratch/err"
  status 'doctor without /dev/fuse' 0 without_fuse "$PSUITE" doctor -v
  has 'says so' "^FUSE +no /dev/fuse; psuite opens the kernel's device itself\$" "$scratch/out"
  # A server that is asked much keeps CPUs from sleeping deeply, by a device that is also missing.
  holds_device() { ls -l $(pgrep -f "^$PSUITE iostats .*reads on" | sed 's|.*|/proc/&/fd|') 2>/dev/null | grep -q cpu_dma_latency; }
  if grep -q cpu_dma_latency /proc/misc; then
    without_fuse timeout 300 "$PSUITE" iostats -b fuse sh -c 'while :; do read -r _ < /etc/passwd; done # reads on' >/dev/null 2>&1 & busy=$!
    ok 'a busy server opens cpu_dma_latency' until_ok holds_device
    kill $busy; wait $busy 2>/dev/null
  fi
else
  skip 'no /dev/fuse' 'this kernel has no FUSE, or no mount namespace'
fi

# --- who is not root is told what to do
if command -v setpriv >/dev/null; then
  open=$(mktemp -d /tmp/private.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
  chmod 755 "$open"; install -m 755 "$PSUITE" "$open/psuite"
  user="setpriv --reuid=65534 --regid=65534 --clear-groups $open/psuite"
  for command in 'trace -s 0.1' 'tprof -e sched:sched_switch -x true'; do
    # shellcheck disable=SC2086 # words
    status "a user: $command" 1 alone $user $command
    has 'is told' ': tracefs is not mounted: Operation not permitted$' "$scratch/err"
    has 'and what to type' 'hint: run as root, or as root .mount -t tracefs -o mode=755 tracefs /sys/kernel/tracing' "$scratch/err"
  done
  status "a user's doctor" 0 alone $user doctor -v
  has 'says it, too' '^tracefs +tracefs is not mounted, and mounting is not permitted$' "$scratch/out"
fi
mounts > "$scratch/after"
text 'the mounts are what they were' "$(cat "$scratch/before")" "$(cat "$scratch/after")"
finish
