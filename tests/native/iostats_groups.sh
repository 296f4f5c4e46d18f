# iostats -b fuse by root: a command of another user has that user's groups, all of them, and none of root's.
. lib/check.sh
. lib/need.sh
if [ "$(id -u)" != 0 ] || ! "$PSUITE" iostats -b fuse true >/dev/null 2>"$scratch/err"; then
  skip 'groups' "not root, or $(head -1 "$scratch/err")"; finish
fi
if ! command -v setpriv >/dev/null; then skip 'groups' 'no setpriv (util-linux)'; finish; fi
need python3 || exit
chmod 755 "$scratch"
# as COUNT COMMAND...: under iostats, as a user of that many groups from 100000000 on. setpriv would look for a name of each.
as() {
  local count=$1; shift
  timeout 300 "$PSUITE" iostats -b fuse python3 -ISc 'import os, sys
os.setgroups(range(100000000, 100000000 + int(sys.argv[1]))); os.setgid(65534); os.setuid(65534); os.execvp(sys.argv[2], sys.argv[2:])' "$count" "$@"
}
for count in 1 1000 1100 60000; do
  last=$((100000000 + count - 1))
  echo text > "$scratch/file"; chown 0:$last "$scratch/file"; chmod 640 "$scratch/file"
  status "the last of $count groups" 0 as $count cat "$scratch/file"
  for other in 1 1000 1000000; do # what is left of a number that was cut
    chown 0:$other "$scratch/file"
    status "no group $other, with $count others" 1 as $count cat "$scratch/file"
    has 'is refused' "^cat: .*ermission denied" "$scratch/err"
  done
done
# Root's own supplementary groups
chown 0:54321 "$scratch/file"
status "what root's groups may read" 0 setpriv --groups=54321 "$PSUITE" iostats -b fuse cat "$scratch/file"
status "is not another user's" 1 setpriv --groups=54321 "$PSUITE" iostats -b fuse "$WORK/as_user" 65534 cat "$scratch/file"
has 'and is refused as without us' 'ermission denied' "$scratch/err"
finish
