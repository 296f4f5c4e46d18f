# bind on this machine: the manuals' examples, ordinary programs on the files, what waits, and every way in which it ends.
. lib/check.sh
. lib/cputime.sh
if [ "$(id -u)" != 0 ] || ! "$PSUITE" iostats -b fuse true >/dev/null 2>"$scratch/err"; then
  skip 'bind' "not root, or $(head -1 "$scratch/err")"
  finish
fi
chmod 755 "$scratch"
clean_up() { for d in "$scratch"/*/; do "$PSUITE" unbind -l "$d" 2>/dev/null; done; rm -rf "$scratch"; }
trap clean_up EXIT
dir=$scratch/n; mkdir "$dir"
export PSUITE scratch dir pid # for sh -c '...', which has them as they are, with blanks
bind() { timeout 60 "$PSUITE" bind "$@"; }
unbind() { timeout 60 "$PSUITE" unbind "$@"; }
servers() { pgrep -f "bind .*$scratch" | wc -l; }
no_servers() { [ "$(servers)" = 0 ]; }
gone() { until_ok no_servers; text "$1" 0 "$(servers)"; } # gone WHAT
# kill_all DIR: the server there and its guardian, in no order that would let it act
kill_all() { local of; of=$(pgrep -f "bind .*$1"); kill -STOP $of; kill -9 $of; }
mounted() { grep -F " ${scratch// /\\040}/" /proc/self/mountinfo | grep -c ' fuse.psuite '; }

# --- kprof(3)'s example
status 'the kernel profile' 0 bind '#K' "$dir"
text '#K has kpctl and kpdata, for root alone' '-rw------- root 0 kpctl -rw------- root 0 kpdata' \
  "$(ls -l "$dir" | awk 'NR > 1 { print $1, $3, $5, $NF }' | paste -sd' ')"
if echo startclr > "$dir/kpctl" 2>"$scratch/err"; then
  dd if=/dev/zero of=/dev/null bs=1 count=300000 status=none
  length=$(stat -c %s "$dir/kpdata")
  holds 'kpdata has a length while it counts' "$length > 1000"
  text 'reading kpdata gives as many bytes as its length' "$length" "$(wc -c < "$dir/kpdata")"
  ok 'echo stop > kpctl' sh -c 'echo stop > "$dir/kpctl"'
  ok 'cp kpdata' cp "$dir/kpdata" "$scratch/kpdata"
  text 'a copy of kpdata has its full length' "$length" "$(stat -c %s "$scratch/kpdata")"
  status 'kprof reads it' 0 "$PSUITE" kprof /proc/kallsyms "$scratch/kpdata"
  has 'functions of the work' '	(ksys_|vfs_)(read|write)$' "$scratch/out"
  status 'kprof reads the mounted kpdata' 0 "$PSUITE" kprof /proc/kallsyms "$dir/kpdata"
else
  skip 'the kernel' "$(cat "$scratch/err")"
fi
status 'kpctl refuses an unknown command' 1 sh -c 'echo dance > "$dir/kpctl"'
ok 'the refused write has an error message' test -s "$scratch/err"
status 'no file can be created in #K' 1 touch "$dir/new"
status 'no file can be removed from #K' 1 rm -f "$dir/kpctl"
status 'no mode can be changed in #K' 1 chmod 666 "$dir/kpctl"
status 'the list' 0 "$PSUITE" bind
has 'bind lists the mount of #K' "^#K $dir\$" "$scratch/out"
status 'unbind' 0 unbind "$dir"
text 'the directory is as before' '' "$(ls -A "$dir")"
gone 'the server has ended'

# --- a process: its files by ordinary programs
sh -c 'while :; do :; done' & pid=$!; becomes $pid sh
status 'processes' 0 bind '#p' "$dir"
ok '#p has the process' test -d "$dir/$pid"
ok 'cmp' cmp "$dir/$pid/text" "/proc/$pid/exe"
ok 'cp' cp "$dir/$pid/text" "$scratch/text"
ok 'the copied text file is the executable' cmp "$scratch/text" "/proc/$pid/exe"
for size in 1 7 4095 4097 100000 131073; do
  dd if="/proc/$pid/exe" of="$scratch/dd.$size" bs=$size skip=3 count=5 status=none
  ok "dd bs=$size skip=3" sh -c 'dd if="$dir/$pid/text" bs="$1" skip=3 count=5 status=none | cmp - "$scratch/dd.$1"' sh $size
done
text 'head' "$(head -c 100 "/proc/$pid/exe" | cksum)" "$(head -c 100 "$dir/$pid/text" | cksum)"
text 'tail' "$(tail -c +1000 "/proc/$pid/exe" | cksum)" "$(tail -c +1000 "$dir/$pid/text" | cksum)"
text 'cat, wc' "$(stat -Lc %s "/proc/$pid/exe")" "$(cat "$dir/$pid/text" | wc -c)"
holds 'find' "$(find "$dir" -type f 2>/dev/null | wc -l) > 20"
text 'tail -n 1' "$("$PSUITE" ns cat "#p/$pid/args" | tail -n 1)" "$(tail -n 1 "$dir/$pid/args")"
if echo profile > "$dir/$pid/ctl" 2>"$scratch/err"; then
  wanted=$(($(user_ms "$pid") + 300))
  has_worked() { [ "$(user_ms "$pid")" -ge $wanted ]; }
  ok 'it works for 300 ms' until_ok has_worked
  length=$(stat -c %s "$dir/$pid/profile")
  holds 'profile has a length' "$length > 8 && $length % 4 == 0"
  text 'which is its size' "$length" "$(cat "$dir/$pid/profile" | wc -c)"
  status 'tprof -n' 0 timeout 60 "$PSUITE" tprof -n "$dir" "$pid"
  holds "its time ($(head -1 "$scratch/out"))" "$(awk '/^total:/ { print $2 }' "$scratch/out") > 100"
else
  skip 'a profile' "$(cat "$scratch/err")"
fi
status 'a process that there is not' 1 cat "$dir/4194300/status"
status 'another word' 1 sh -c 'echo dance > "$dir/$pid/ctl"'

# --- what waits: the scheduler's events
if echo trace 1 > "$dir/$pid/ctl" 2>"$scratch/err"; then
  sleep 0.3
  cat "$dir/trace" > "$scratch/events" & reader=$!
  sleep 0.5
  ok 'a reader waits' kill -0 $reader
  ok 'another file can be read while a reader waits' timeout 20 cat "$dir/$pid/status"
  kill -INT $reader; sleep 0.3
  [ -d /proc/$reader ] && kill -TERM $reader
  wait $reader 2>/dev/null; holds "interrupted it ends ($?)" "$? != 0"
  kill -STOP $pid # no more events
  status 'a nonblocking read of trace fails' 1 timeout 60 dd if="$dir/trace" iflag=nonblock bs=4096 count=99
  has 'the nonblocking read fails with EAGAIN' 'temporarily unavailable' "$scratch/err"
  kill -CONT $pid
  timeout 60 cat "$dir/trace" > "$scratch/events" & reader=$!
  has_opened() { readlink /proc/"$(pgrep -P $reader)"/fd/* | grep -qxF "$dir/trace"; }
  ok 'a reader has the file' until_ok has_opened
  sleep 0.3; kill $pid; wait $pid 2>/dev/null
  ok 'the end of the process is the end of the file' wait $reader
  status 'trace reads it' 0 "$PSUITE" trace -v "$scratch/events"
  text 'its death' 1 "$(grep -c "^$pid .* Dead\$" "$scratch/out")"
else
  skip 'events' "$(cat "$scratch/err")"
  kill $pid; wait $pid 2>/dev/null
fi
status 'unmounted by umount' 0 umount "$dir"
gone 'the server has ended, too'

# --- trace reads the stream while it grows, and asks for the processes that it is to have
status 'bound again' 0 bind '#p' "$dir"
sh -c 'while :; do sleep 0.05; done' & pid=$!
if echo trace 1 > "$dir/$pid/ctl" 2>"$scratch/err"; then
  echo trace 0 > "$dir/$pid/ctl"
  timeout 100 "$PSUITE" trace -d "$dir/trace" -v $pid > "$scratch/live" 2>"$scratch/err" & reader=$!
  runs_seen() { [ "$(grep -c "^$pid .* Run\$" "$scratch/live")" -gt "$1" ]; }
  ok 'events while the process runs' until_ok runs_seen 10
  kill $pid; wait $pid 2>/dev/null
  wait $reader; text 'the end of the process ends the trace' 0 $?
  text 'with its death' 1 "$(grep -c "^$pid .* Dead\$" "$scratch/live")"
  sh -c 'while :; do sleep 0.05; done' & pid=$!
  timeout 100 "$PSUITE" trace -d "$dir/trace" -v > "$scratch/live" 2>"$scratch/err" & reader=$!
  sleep 0.5; echo trace 1 > "$dir/$pid/ctl"
  ok 'events of who is traced later' until_ok runs_seen 5
  kill -INT $reader; kill -TERM $reader; wait $reader; text 'a signal ends it in order' 0 $?
  # Who is kept from every CPU meanwhile has no events: then for longer.
  summed() { timeout 60 "$PSUITE" trace -d "$dir/trace" -s "$1" --summary > "$scratch/out" && grep -q "^ *$pid " "$scratch/out"; }
  summed_up() { summed 0.5 || summed 5; }
  ok 'until a time, and sums up' summed_up
  status 'a process that there is not' 1 timeout 60 "$PSUITE" trace -d "$dir/trace" -v 4194300
  has 'is reported' 'trace: .*/4194300/ctl: No such file' "$scratch/err"
else
  skip 'a stream that grows' "$(cat "$scratch/err")"
fi
kill $pid; wait $pid 2>/dev/null
status 'unmounted' 0 umount "$dir"

# --- all of it, to applets that read a folder; and -n
status 'the whole tree' 0 bind / "$dir"
text 'what Plan 9 binds' 'dev mnt net proc prof' "$(ls "$dir" | paste -sd' ')"
text 'a line a CPU' "$(grep -c '^cpu[0-9]' /proc/stat)" "$(wc -l < "$dir/dev/sysstat")"
status 'ns reads it' 0 timeout 60 "$PSUITE" ns -n "$dir" cat '#c/sysname'
text 'ns reads the host name of the mounted tree' "$(uname -n)" "$(cat "$scratch/out")"
status 'stats reads it' 0 timeout 60 "$PSUITE" stats --namespace "$dir" --once -m
mkdir -p "$scratch/folder/dev" "$scratch/m"; echo hello > "$scratch/folder/dev/greeting"
status 'a folder' 0 sh -c 'cd "$scratch" && timeout 60 "$PSUITE" bind -n folder /dev "$scratch/m"'
text 'a file of the bound folder is readable' hello "$(cat "$scratch/m/greeting")"
ok 'a file of the bound folder is writable' sh -c 'echo goodbye > "$scratch/m/greeting"'
text 'the write arrives in the original folder' goodbye "$(cat "$scratch/folder/dev/greeting")"
status 'unbind takes two mounts' 0 unbind --json "$dir" "$scratch/m"
text 'unbind --json prints a line per mount' 2 "$(grep -c '"mounts":1}$' "$scratch/out")"
gone 'both servers have ended'

# --- another machine, by 9P
start_server 'serving at' "$scratch/serving" "$PSUITE" export -w "unix!$scratch/s"; other=$!
status 'another machine' 0 bind "unix!$scratch/s" "$dir"
text 'the remote tree has dev, mnt, net, proc and prof' 'dev mnt net proc prof' "$(ls "$dir" | paste -sd' ')"
text 'the remote host name is readable' "$(uname -n)" "$(timeout 60 cat "$dir/dev/sysname")"
sleep 100 & pid=$!; becomes $pid sleep
ok 'a remote executable is readable' timeout 60 cmp "$dir/proc/$pid/text" "/proc/$pid/exe"
ok 'a write to it' timeout 60 sh -c 'echo kill > "$dir/proc/$pid/ctl"'
wait $pid; text 'a kill written to a remote ctl file ends the process' 137 $?
kill -STOP $other
timeout 60 cat "$dir/dev/sysname" 2>"$scratch/err"
has 'reads fail while the remote server is stopped' 'Host is down' "$scratch/err"
kill -CONT $other
reads_again() { timeout 60 cat "$dir/dev/sysname" > "$scratch/out"; }
until_ok reads_again
text 'reads succeed again when the remote server continues' "$(uname -n)" "$(cat "$scratch/out")"
kill $other; wait $other
status 'reads fail when the remote server has ended' 1 timeout 60 cat "$dir/dev/sysname"
has 'the failed read says: Host is down' 'Host is down' "$scratch/err"
status 'unbind goes' 0 unbind "$dir"
status 'bind of a server that does not run fails' 1 bind "unix!$scratch/s" "$dir"
gone 'a failed bind leaves no mount'

# --- a union
union=$scratch/u; mkdir "$union"; echo mine > "$union/sysname"; echo other > "$union/other"
before=$(ls -la "$union" | tail -n +4)
status 'after' 0 bind -a '#c' "$union"
text "bind -a: the directory's own file hides the device's" mine "$(cat "$union/sysname")"
text 'bind -a: other files of the directory remain' other "$(cat "$union/other")"
holds "bind -a: the device's other files are there" "$(wc -l < "$union/sysstat") > 0"
ok 'a file is made in it' touch "$union/made"
status 'unbind takes all of it away' 0 unbind "$union"
rm "$union/made"
text 'unbind leaves the directory as before' "$before" "$(ls -la "$union" | tail -n +4)"
status 'before' 0 bind -bc --json '#c' "$union"
text "the device's goes first" "$(uname -n)" "$(cat "$union/sysname")"
kill -9 "$(sed 's/.*"pid":\([0-9]*\)}/\1/' "$scratch/out")"
gone 'its server is killed'
text "the server was killed: the directory's own files are readable" other "$(cat "$union/other")"
text 'the server was killed: the directory is as before' "$before" "$(ls -la "$union" | tail -n +4)"
status 'before' 0 bind -bc --json '#c' "$union"
kill_all "$union"
gone 'and its guardian as well'
status 'server and guardian were killed: bound files are not readable' 1 cat "$union/sysstat"
has 'server and guardian were killed: a read fails and does not hang' 'not connected' "$scratch/err"
status 'unbind clears it' 0 unbind "$union"
text 'unbind clears a dead mount: the directory is as before' "$before" "$(ls -la "$union" | tail -n +4)"
if command -v unshare >/dev/null; then # kprof(3)'s own words, in a /dev of other mounts
  status "bind -a '#T' /dev" 0 unshare -m sh -c '"$PSUITE" bind -a "#T" /dev && ls /dev/kpctl /dev/kpdata && echo x > /dev/null && "$PSUITE" unbind /dev'
  text 'bind in another mount namespace leaves /dev as it was' '' "$(ls /dev | grep '^kp')"
fi

# --- the mount has copies
mkdir "$scratch/copy"
status 'one that has a second place' 0 bind '#c' "$dir"
mount --bind "$dir" "$scratch/copy"
status 'unbind of the first' 0 unbind "$dir"
text 'the second place still has the files' "$(uname -n)" "$(cat "$scratch/copy/sysname")"
umount "$scratch/copy"
gone 'without any place'
# A container that was started meanwhile has a mount of its own, which the unmount here does not reach.
status 'one that a container has as well' 0 bind '#c' "$dir"
unshare -m --propagation private sh -c 'echo has it; exec sleep 100' > "$scratch/container" & container=$!
until_ok grep -q has "$scratch/container"
ok 'the container has the files' test -e "/proc/$container/root$dir/sysname"
status 'unbind' 0 unbind "$dir"
gone 'although the container lives'
ok 'which has not ended' kill -0 $container
status 'its copy is dead' 2 ls "/proc/$container/root$dir/"
has 'as the kernel says' 'Transport endpoint is not connected' "$scratch/err"
kill $container; wait $container 2>/dev/null

# --- two at one place, one in use, one that is killed
status 'one' 0 bind '#c' "$dir"
status 'another over it' 0 bind --json '#K' "$dir"
text 'the later of two mounts is visible' 'kpctl kpdata' "$(ls "$dir" | paste -sd' ')"
kill "$(sed 's/.*"pid":\([0-9]*\)}/\1/' "$scratch/out")"
ok 'terminated it unmounts itself, and the first is seen' until_ok test -e "$dir/sysname"
# A busy machine may not let sleep end within the half second that unbind waits.
waits_for_users() {
  local _ user
  for _ in {1..5}; do
    exec 3< "$dir/sysname"
    sleep 0.1 & user=$!
    exec 3<&-
    ! unbind "$dir" || return 0
    wait $user
  done
  return 1
}
ok 'unbind waits for what is in use for a moment' waits_for_users
status 'and again' 0 bind '#c' "$dir"
exec 3< "$dir/sysname"
status 'unbind of a mount in use fails' 1 unbind "$dir"
has 'unbind of a mount in use says busy, with a hint' 'Device or resource busy' "$scratch/err"
status 'lazily' 0 unbind -l "$dir"
text 'unbind -l: the directory is empty' '' "$(ls -A "$dir")"
text 'unbind -l: an open file is still readable' "$(uname -n)" "$(cat <&3)"
exec 3<&-
gone 'until the end'
status 'one more' 0 bind --json '#c' "$dir"
kill -9 "$(sed 's/.*"pid":\([0-9]*\)}/\1/' "$scratch/out")"
gone 'is killed'
text 'the mount is taken away' 0 "$(mounted)"
status 'one more, in another place as well' 0 bind --json '#c' "$dir"
kill_all "$dir"
gone 'is killed, and its guardian as well'
status 'ls of a dead mount fails and does not hang' 2 timeout 60 ls "$dir"
status 'bind there' 1 bind '#c' "$dir"
has 'says why' 'the server of what is mounted there has died' "$scratch/err"
has 'bind over a dead mount has a hint to unbind' "psuite unbind $dir" "$scratch/err"
status 'unbind clears the dead mount' 0 unbind "$dir"
status 'in the foreground' 124 timeout 2 "$PSUITE" bind -f '#c' "$dir"
text 'an interrupt takes the mount away' 0 "$(mounted)"
gone 'and ends it'
"$PSUITE" bind -f '#c' "$dir" & held=$!
until_ok test -e "$dir/sysname"
status 'and unbind' 0 unbind "$dir"
ok 'ends it well' wait $held

# --- users
if command -v setpriv >/dev/null; then
  open=$scratch/open; mkdir "$open" "$scratch/his"; install -m 755 "$PSUITE" "$open/psuite"; chown 65534:65534 "$scratch/his"
  user() { timeout 60 setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
  status "root's" 0 bind / "$dir"
  status 'is not for others' 1 user cat "$dir/dev/sysname"
  unbind "$dir"
  status 'unless it is said' 0 bind -o / "$dir"
  status 'then it is, by the modes' 0 user cat "$dir/dev/sysname"
  status 'which keep what is root'"'"'s' 1 user cat "$dir/dev/kpdata"
  unbind "$dir"
  status 'a user' "$([ -w /dev/fuse ] && user test -w /dev/fuse && echo 0 || echo 1)" user "$open/psuite" bind '#c' "$scratch/his"
  hint=$(grep -c -E 'hint: .*(fusermount3|mknod -m 666 /dev/fuse)' "$scratch/err")
  user "$open/psuite" unbind "$scratch/his" 2>/dev/null || text 'is told what is needed' 1 "$hint"
  # fusermount3, with a /dev/fuse for everybody, as most systems have it; in mounts of its own
  cat > "$scratch/as_user" <<'END'
  open=$1 his=$2 dev=$3
  mknod "$dev" c 10 229 && chmod 666 "$dev" && mount --bind "$dev" /dev/fuse || exit 9
  u() { timeout 60 setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
  u "$open/psuite" bind '#c' "$his" && u cat "$his/sysname" && echo && u ls -l "$his" | awk '/sysname/ { print $3 }' &&
    u "$open/psuite" unbind "$his" && mkdir "$his/sub" && chown 65534 "$his/sub" || exit 1
  u "$open/psuite" bind -a '#c' "$his/sub" && exit 2
  grep -q psuite-bind /proc/self/mountinfo && exit 3
  u "$open/psuite" bind '#c' /usr && exit 4
  ls -A "$his/sub"
END
  if [ -c /dev/fuse ] && command -v fusermount3 >/dev/null && command -v unshare >/dev/null && mkdir "$scratch/dev" &&
    unshare -m sh -c 'mknod "$scratch/dev/try" c 10 229 && : < "$scratch/dev/try"' 2>/dev/null; then
    status 'a user by fusermount3' 0 timeout 300 unshare -m sh "$scratch/as_user" "$open" "$scratch/his" "$scratch/dev/fuse"
    text 'has the files, which are his' "$(uname -n) nobody" "$(paste -sd' ' "$scratch/out")"
    has 'no single ones' 'only root can mount single files' "$scratch/err"
    has 'and none where he may not' 'no write access to mountpoint /usr' "$scratch/err"
  else
    skip 'a user by fusermount3' 'no fusermount3 (fuse3), /dev/fuse, unshare, or no devices below /tmp'
  fi
  status 'at a place that is not his' 1 user "$open/psuite" bind '#c' "$dir"
fi
gone 'no server is left'
text 'nor a mount' 0 "$(mounted)"
finish
