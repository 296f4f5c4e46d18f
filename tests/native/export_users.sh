# export by root to clients who are not root: who they are says the kernel, not they. On this machine each has the rights of
# its own user, over unix sockets as over TCP; of another machine none is root, or makes what root's rights are in.
. lib/check.sh
. lib/need.sh
if [ "$(id -u)" != 0 ]; then skip 'clients of other users' 'not root'; finish; fi
if ! unshare -n true 2>/dev/null || ! command -v ip >/dev/null; then
  skip 'clients of other users' 'no network namespace, or no ip (iproute2)'; finish
fi
# A network of its own: its ports are free, and the other machine is another network behind a cable.
if [ -z "${INSIDE:-}" ]; then INSIDE=1 exec unshare -n bash "$0"; fi
chmod 755 "$scratch"
tree=$scratch/tree server= elsewhere=
trap 'kill $server $elsewhere 2>/dev/null' EXIT
ip link set lo up
unshare -n sleep 600 & elsewhere=$!
becomes $elsewhere sleep
if ip link add here type veth peer name there netns $elsewhere 2> "$scratch/err"; then
  ip addr add 10.9.8.1/24 dev here && ip link set here up
  nsenter -n -t $elsewhere sh -c 'ip addr add 10.9.8.2/24 dev there && ip link set there up && ip link set lo up'
else
  skip 'another machine' "$(head -1 "$scratch/err")"
fi
fresh() {
  mkdir -p "$tree"; find "$tree" -mindepth 1 -delete; mkdir "$tree/own"; chmod 777 "$tree"
  echo secret > "$tree/secret"; chmod 600 "$tree/secret"
  echo public > "$tree/public"; chmod 644 "$tree/public"
  echo group > "$tree/group"; chown 0:54321 "$tree/group"; chmod 640 "$tree/group"
  echo mine > "$tree/mine"; chown 65534:65534 "$tree/mine"; chmod 600 "$tree/mine"
  echo yours > "$tree/yours"; chown 54320:54320 "$tree/yours"; chmod 600 "$tree/yours"
}
# serve ADDRESS OPTION...: until `stop'
serve() {
  local where=$1; shift
  start_server 'serving at' "$scratch/serving" env -C / "$PSUITE" export "$@" "$where"; server=$!
}
stop() { kill $server; wait $server; server=; }
client="python3 $TESTS/lib/ninep_user.py"
nobody() { "$WORK/as_user" 65534 timeout 60 $client "$@"; }
root() { timeout 60 $client "$@"; }
# may WHAT COMMAND..., may_not WHAT COMMAND...: of `who', which is a function and what it says of itself
may() { local what=$1; shift; status "$how: $what" 0 "$who" "$at" "$claim" "$@"; }
may_not() { local what=$1; shift; status "$how: not $what" 1 "$who" "$at" "$claim" "$@"; has "$how: not $what, and is told so" '^refused: ' "$scratch/out"; }
set_ids() { find "$tree" -perm /6000 | paste -sd' '; }
devices() { find "$tree" -type b -o -type c | paste -sd' '; }

# The class: whatever is asked, by whichever name, the outcome is what the user could do without a server.
as_nobody() {
  fresh
  may 'what everybody may read' read public
  may 'its own file' read mine
  may_not "another user's" read yours
  may_not "root's" read secret
  may_not 'to write what everybody may read' write public x
  may_not "to change root's mode" mode secret 666
  may_not 'a device' mknod dev 20666 1 3
  may_not 'a block device' mknod disk 60666 8 0
  may 'a FIFO' mknod fifo 10644 0 0
  touch "$scratch/before"; sleep 0.05
  may 'a file where everybody may make one' create made 644 text
  text "$how: which is its own" "$who_owns" "$(stat -c %u "$tree/made")"
  may 'a directory' mkdir dir 755
  text "$how: which is its own" "$who_owns" "$(stat -c %u "$tree/dir")"
  may_not "in root's directory" create own/made 644 text
  may_not "in root's directory" mkdir own/dir 755
  chmod 1777 "$tree"
  may_not "to unlink root's file in a sticky directory" unlink secret
  "$who" "$at" "$claim" orclose secret > "$scratch/out" 2>&1; sleep 0.2
  ok "$how: nor by a file that is removed when it is closed" test -e "$tree/secret"
  text "$how: no file is root's that was made" '' "$(find "$tree" -newer "$scratch/before" -user 0 ! -path "$tree" | paste -sd' ')"
  text "$how: no device is there" '' "$(devices)"
}

who=nobody who_owns=65534
for where in 'tcp!localhost!5640 127.0.0.1:5640' 'tcp!::1!5641 [::1]:5641' "unix!$scratch/s $scratch/s"; do
  set -- $where; at=$2
  fresh
  serve "$1" -w -r "$tree"
  [ "$at" != "$scratch/s" ] || chmod 777 "$scratch/s"
  for claim in - 65534; do how="over $1 as $claim"; as_nobody; done
  for claim in 0 54320; do
    how="over $1 as $claim"
    may_not 'to be another user' read public
  done
  who=root claim=0 how="root over $1"
  may "root's file" read secret
  claim=54320 how="root over $1 for a user"
  may 'a file' create given 4755
  text "$how: it is that user's, with its mode" '54320 4755' "$(stat -c '%u %a' "$tree/given")"
  who=nobody
  stop
done

# The kernel forgets whose a socket was when it is closed, and then calls it root's.
serve 'tcp!localhost!5640' -w -r "$tree"
fresh; at=127.0.0.1:5640
for claim in 0 - 65534; do
  kill -STOP $server
  nobody "$at" $claim gone create "gone.$claim" 4755 text
  nobody "$at" $claim gone mode secret 666
  kill -CONT $server
  status "the server goes on ($claim)" 0 root "$at" 0 read secret
  text "what was asked by a socket that was closed at once ($claim)" '' "$(find "$tree" -user 0 -name 'gone.*' | paste -sd' ')"
  text 'nor is another file changed' 600 "$(stat -c %a "$tree/secret")"
done
stop

# An IPv6 socket for both kinds of address: 127.0.0.1 is ::ffff:127.0.0.1 there.
if serve 'tcp!::!5642' -A -w -r "$tree"; then
  at=127.0.0.1:5642 claim=0 how='as ::ffff:127.0.0.1'
  may_not 'to be root' read secret
  claim=-; may_not "root's file" read secret
  may 'its own' read mine
  at=10.9.8.1:5642 how='by the address of the network'
  [ ! -e /sys/class/net/here ] || { may_not "root's file" read secret; may 'its own' read mine; }
  stop
fi

# What is made for another user is closed until it is given away: here it cannot be, and stays as it was made.
fresh
if command -v setpriv >/dev/null && setpriv --bounding-set=-chown true 2>/dev/null; then
  start_server 'serving at' "$scratch/serving" setpriv --bounding-set=-chown "$PSUITE" export -w -r "$tree" "unix!$scratch/s"; server=$!
  for mode in 4755 2755 6777 0644; do
    status "a file of mode $mode" 1 root "$scratch/s" 54320 create "half.$mode" $mode
    status "a directory of mode $mode" 1 root "$scratch/s" 54320 mkdir "half.dir.$mode" $mode
    status "a FIFO of mode $mode" 1 root "$scratch/s" 54320 mknod "half.fifo.$mode" "1$mode" 0 0
  done
  text 'all are there' 12 "$(find "$tree" -name 'half*' | wc -l)"
  text 'and closed' '' "$(find "$tree" -name 'half*' -perm /6777 -printf '%f %m ')"
  stop
else
  skip 'what cannot be given away' 'no setpriv (util-linux)'
fi

# A user's supplementary groups, as the process had them that connected.
fresh
serve "unix!$scratch/s" -w -r "$tree"; chmod 777 "$scratch/s"
if command -v setpriv >/dev/null; then
  status 'a file of one of its groups' 0 setpriv --reuid=65534 --regid=65534 --groups=7,54321 timeout 60 $client "$scratch/s" - read group
  status 'not one of its groups' 1 setpriv --reuid=65534 --regid=65534 --groups=7 timeout 60 $client "$scratch/s" - read group
else
  skip 'groups' 'no setpriv (util-linux)'
fi
stop

# --- another machine
if [ -e /sys/class/net/here ]; then
  foreign() { nsenter -n -t $elsewhere timeout 60 $client "$@"; }
  serve 'tcp!10.9.8.1!5643' -A -w -r "$tree"
  has 'who may call is said' "rights of any user it names" "$scratch/serving"
  who=foreign at=10.9.8.1:5643
  for claim in 0 - 65534; do how="of another machine as $claim"; as_nobody; done
  claim=54320 who_owns=54320 how='of another machine as a user'
  fresh
  may "the user's file" read yours
  may_not "another's" read mine
  for mode in 4755 2755 6755; do may "a file ($mode)" create "suid.$mode" $mode text; may "its mode ($mode)" mode "suid.$mode" $mode; done
  may 'a directory' mkdir sgid 2755
  may 'a FIFO' mknod sfifo 16755 0 0
  text "$how: no set-id bit was set" '' "$(set_ids)"
  may_not 'a device' mknod dev 20666 1 3
  stop
  serve 'tcp!10.9.8.1!5643' -A -w --trust-clients -r "$tree"
  has 'what trust means is said' 'gives every client your rights' "$scratch/serving"
  claim=0 how='of another machine, which is trusted'
  may "root's file" read secret
  may 'a file that is set-user-id root' create trusted 4755 text
  text "$how: it is" '0 4755' "$(stat -c '%u %a' "$tree/trusted")"
  stop
fi
# --- who is not root serves root and himself
chmod 755 "$tree"; rm -rf "$tree/"*; echo mine > "$tree/mine"; chown -R 54320:54320 "$tree"
start_server 'serving at' "$scratch/serving" "$WORK/as_user" 54320 "$PSUITE" export -r "$tree" 'tcp!localhost!5644'; server=$!
at=127.0.0.1:5644 claim=- how="a user's server"
who=nobody; may_not 'to another user' read mine
who=root; may 'to root' read mine
own() { "$WORK/as_user" 54320 timeout 60 $client "$@"; }
who=own; may 'to that user' read mine
stop
status 'for other machines' 2 "$WORK/as_user" 54320 "$PSUITE" export -A -r "$tree" 'tcp!*!5645'
has 'consent is asked for' '--trust-clients' "$scratch/err"

# --- /proc: the kernel lets the server look at itself, with whatever user's rights
# Generated: whatever a process has in /proc, by the number of the server and of its thread. What the user could not read
# himself is refused.
sleep 600 & victim=$!; becomes $victim sleep
for root in /proc /; do
  serve 'tcp!localhost!5647' -r $root
  at=127.0.0.1:5647 claim=- who=nobody how="$root of root"; proc=proc/; [ $root = / ] || proc=
  for of in $server $server/task/$server $victim; do
    for path in $(cd /proc/$of && ls -d * fd/0 ns/mnt map_files/* attr/current 2> /dev/null | head -80); do
      case $path in task | net | *\*) continue ;; esac
      by_read=read look='timeout 60 head -c 1'
      if [ -L /proc/$of/$path ]; then by_read=link look=readlink; elif [ -d /proc/$of/$path ]; then look=ls; fi
      "$WORK/as_user" 65534 $look /proc/$of/$path > /dev/null 2>&1 && continue
      [ "$of" = $victim ] && [ $root = / ] && continue
      may_not "what it could not read: $of/$path" $by_read $proc$of/$path
    done
  done
  for path in $server/status $server/limits $server/mounts $server/net/dev $victim/status uptime; do may "what everybody may read: $path" read $proc$path; done
  who=root; may "root, the server's own maps" read $proc$server/maps
  who=nobody claim=0; may_not 'to be root' read uptime; claim=-
  stop
  has "$how: that is counted" '^export: [0-9]+ clients?: 0 sent no 9P, 0 closed as too slow or for others; 1 attach refused$' "$scratch/serving"
done
serve 'tcp!localhost!5647' -r /proc/self
at=127.0.0.1:5647 claim=- who=nobody how='/proc/self of root'
for path in maps auxv environ task/$server/maps; do may_not "$path" read $path; done
may_not 'a link' link fd/0
may 'a status' read status
may 'its network' read net/dev
stop
kill $victim; wait $victim 2> /dev/null

# --- devices: another user sees what ps shows, and no more
sleep 600 & victim=$!; becomes $victim sleep
serve 'tcp!localhost!5646' -w
at=127.0.0.1:5646 how=devices claim=- who=nobody
may 'the load' read dev/sysstat
may 'a status' read proc/$victim/status
for name in fd text profile; do may_not "a process's $name" read proc/$victim/$name; done
for name in fd text; do may_not "the server's own $name" read proc/$server/$name; done
may_not 'the events' read proc/trace
may_not 'to profile it' write proc/$victim/ctl profile
"$WORK/as_user" 65534 sleep 600 & own=$!
becomes $own sleep
may "its own process's descriptors" read proc/$own/fd
may "its own process's program" read proc/$own/text
who=root; may "root: a process's descriptors" read proc/$victim/fd
kill $own $victim
stop
finish
