# psuite where /proc or /sys is not mounted, or hides processes: what cannot be known is not said to be absent.
. "$(dirname "$0")/../lib/check.sh"
unshare -m mount -t tmpfs none /sys 2>"$scratch/err" || { skip 'bare systems' "no mount namespace: $(head -1 "$scratch/err")"; finish; }
no_sys() { unshare -m sh -c 'mount -t tmpfs none /sys; exec "$@"' sh "$@"; }
no_proc() { unshare -m sh -c 'umount -l /proc; exec "$@"' sh "$@"; }

status 'stats without /sys' 0 no_sys "$PSUITE" stats --once -b -z
has 'a battery is not known' '^battery .*#c/battery: not known: /sys is not mounted; mkdir -p /sys && mount -t sysfs sysfs /sys$' "$scratch/out"
has 'nor are sensors' '^temp .*: not known: /sys is not mounted' "$scratch/out"
status 'ns without /sys' 0 no_sys "$PSUITE" ns -c 'cat #c/absent'
has 'says so, too' '^battery: not known: /sys is not mounted; ' "$scratch/out"

status 'stats without /proc' 0 no_proc "$PSUITE" stats --once
has 'load is not known, with all of its file' '^context .*: not known: /proc is not mounted; mkdir -p /proc && mount -t proc proc /proc \(also .*\<load,' "$scratch/out"
has 'nor is memory' '^mem .*: not known: /proc is not mounted' "$scratch/out"
for backend in '' '-b ptrace' '-b fuse'; do
  status "iostats $backend without /proc" 1 no_proc "$PSUITE" iostats $backend cat /etc/passwd
  has 'says so' '^iostats: /proc is not mounted$' "$scratch/err"
  text 'and runs nothing' '' "$(cat "$scratch/out")"
done
status 'kprof without /proc' 1 no_proc "$PSUITE" kprof -t 0.1
has 'has the remedy' '^kprof: (hint: mount -t proc proc /proc|.*\(mount -t proc proc /proc\))$' "$scratch/err"
status 'tprof by ptrace without /proc' 1 no_proc "$PSUITE" tprof -E ptrace -x true
has 'why' '^tprof: /proc is not mounted$' "$scratch/err"
has 'what to do' '^tprof: hint: mkdir -p /proc && mount -t proc proc /proc$' "$scratch/err"
status 'unbind without /proc' 1 no_proc "$PSUITE" unbind "$scratch"
has 'why' '^unbind: /proc is not mounted$' "$scratch/err"
status 'a process without /proc' 1 no_proc "$PSUITE" tprof 1
has 'is not one that ended' '^tprof: /proc is not mounted$' "$scratch/err"
status 'a command needs none' 0 no_proc "$PSUITE" time true

# --- hidepid
hidden() { unshare -m sh -c 'mount -t proc -o hidepid=2 proc /proc && exec "$@"' sh "$@"; }
if hidden setpriv --reuid=65534 --regid=65534 --clear-groups test ! -e /proc/1 2>"$scratch/err"; then
  open=$(mktemp -d /tmp/bare.XXXXXX); trap 'rm -rf "$scratch" "$open"' EXIT
  chmod 755 "$open"; install -m 755 "$PSUITE" "$open/psuite"
  for method in '' '-E perf' '-E ptrace'; do
    status "a hidden process $method" 1 hidden setpriv --reuid=65534 --regid=65534 --clear-groups "$open/psuite" tprof $method 1
    has 'may be hidden' '^tprof: hint: .*hidepid=2' "$scratch/err"
  done
else
  skip 'hidden processes' "$(head -1 "$scratch/err")"
fi

# --- a tracing that is refused is no command that cannot be executed
user='setpriv --reuid=65534 --regid=65534 --clear-groups'
if $user true 2>/dev/null; then
  status 'trace -x, refused' 1 $user "$PSUITE" trace -x true
  has 'it is tracing that is refused' '^trace: (tracing|.*/tracing/instances): (Permission denied|tracefs is not mounted)' "$scratch/err"
  has 'with the remedy' '^trace: hint: .*root' "$scratch/err"
fi
if "$PSUITE" trace -s 0.01 >/dev/null 2>&1; then
  status 'a command that is not there' 127 "$PSUITE" trace -x ./nothing-is-here
  status 'one that cannot be executed' 126 "$PSUITE" trace -x /etc/passwd
else
  skip 'commands of trace -x' 'tracing is not permitted'
fi
finish
