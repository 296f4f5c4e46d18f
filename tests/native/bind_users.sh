# bind -o by root: another user reads of processes what /proc shows it, and no more, whichever way the files come to it.
. lib/check.sh
if [ "$(id -u)" != 0 ] || ! "$PSUITE" iostats -b fuse true >/dev/null 2>"$scratch/err"; then
  skip 'bind' "not root, or $(head -1 "$scratch/err")"; finish
fi
# Mounts of its own
if [ -z "${INSIDE:-}" ]; then
  unshare -m true 2>/dev/null || { skip 'bind' 'no mount namespace'; finish; }
  INSIDE=1 exec unshare -m --propagation private bash "$0"
fi
chmod 755 "$scratch"
dir=$scratch/n server=
mkdir "$dir"
sleep 600 & roots=$!
"$WORK/as_user" 65534 sleep 600 & own=$!
"$WORK/as_user" 54320 sleep 600 & other=$!
cp "$(command -v sleep)" "$scratch/unread"; chmod 711 "$scratch/unread"
"$WORK/as_user" 65534 "$scratch/unread" 600 & unread=$!
clean_up() { kill $roots $own $other $unread $server 2>/dev/null; "$PSUITE" unbind -l "$dir" 2>/dev/null; }
trap clean_up EXIT
for pid in $roots $own $other; do becomes $pid sleep; done
becomes $unread "$scratch/unread"
nobody() { "$WORK/as_user" 65534 timeout 60 "$@"; }
# The class: each file of each process, against what the kernel says of the file in /proc that it is made of.
declare -A made_of=([args]=cmdline [status]=stat [fd]=fd/0 [text]=exe)
# may FILE: whether the kernel shows it to the user
may() { if [ -L "$1" ] && [ "$2" = fd ]; then nobody readlink "$1"; else nobody head -c 1 "$1"; fi >/dev/null 2>&1; }
compare() {
  local pid name want got
  for pid in $roots $own $other $unread $servers 1; do
    for name in args status fd text; do
      want=no; may "/proc/$pid/${made_of[$name]}" $name && want=yes
      got=no; nobody head -c 1 "$2/$pid/$name" >/dev/null 2>&1 && got=yes
      [ "$3" = exact ] || [ $got = yes ] || want=no # less is allowed there
      text "$1: $name of $pid" "$want" "$got"
    done
    for name in ctl profile; do
      nobody head -c 1 "$2/$pid/$name" >/dev/null 2>&1; holds "$1: not $name of $pid ($?)" "$? != 0"
      nobody sh -c "echo profile > $2/$pid/$name" 2>/dev/null; holds "$1: not to write $name of $pid ($?)" "$? != 0"
    done
  done
  nobody head -c 1 "$2/trace" >/dev/null 2>&1; holds "$1: not trace ($?)" "$? != 0"
}
# The kernel lets a process look at itself: the servers themselves are among those that are asked for.
status 'bind -o' 0 timeout 60 "$PSUITE" bind --json -o '#p' "$dir"
servers=$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$scratch/out")
holds "the server ($servers)" "${servers:-0} > 1"
compare 'bind' "$dir" exact
for name in args status fd text; do status "root reads $name" 0 head -c 1 "$dir/$other/$name"; done
status 'unbind' 0 timeout 60 "$PSUITE" unbind "$dir"

# The same by way of an export of devices that root's bind has mounted, whose kernel knows modes alone
start_server 'serving at' "$scratch/serving" "$PSUITE" export -w "unix!$scratch/s"; server=$!
status 'another machine' 0 timeout 60 "$PSUITE" bind -o "unix!$scratch/s" "$dir"
servers="$server $(pgrep -f "bind -o unix!$scratch/s")"
compare 'another machine' "$dir/proc" 'at most'
status 'root reads' 0 head -c 1 "$dir/proc/$other/fd"
status 'unbind' 0 timeout 60 "$PSUITE" unbind "$dir"
finish
