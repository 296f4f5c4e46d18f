# iostats -b fuse by root: a command of another user has that user's groups, all of them, and none of root's.
. lib/check.sh
if [ "$(id -u)" != 0 ] || ! "$PSUITE" iostats -b fuse true >/dev/null 2>"$scratch/err"; then
  skip 'groups' "not root, or $(head -1 "$scratch/err")"; finish
fi
if ! command -v setpriv >/dev/null; then skip 'groups' 'no setpriv (util-linux)'; finish; fi
chmod 755 "$scratch"
# as GROUPS COMMAND...: under iostats, as a user of that many groups from 100000000 on
as() { local groups=$1; shift; timeout 100 "$PSUITE" iostats -b fuse setpriv --reuid=65534 --regid=65534 --groups="$groups" "$@"; }
for count in 1 1000 1100 60000; do
  groups=$(seq -s, 100000000 $((100000000 + count - 1)))
  # A command line has 128 KB an argument: more groups come by steps of the first digit.
  [ ${#groups} -lt 130000 ] || groups=$(seq -s, 0 20000)
  last=${groups##*,}
  echo text > "$scratch/file"; chown 0:"$last" "$scratch/file"; chmod 640 "$scratch/file"
  status "the last of $count groups" 0 as "$groups" cat "$scratch/file"
  for other in 1 1000 1000000; do # what is left of a number that was cut
    chown 0:$other "$scratch/file"
    case ",$groups," in *,$other,*) continue ;; esac
    status "no group $other, with $count others" 1 as "$groups" cat "$scratch/file"
  done
done
# Root's own supplementary groups
chown 0:54321 "$scratch/file"
status "what root's groups may read" 0 setpriv --groups=54321 "$PSUITE" iostats -b fuse cat "$scratch/file"
status "is not another user's" 1 setpriv --groups=54321 "$PSUITE" iostats -b fuse "$WORK/as_user" 65534 cat "$scratch/file"
has 'and is refused as without us' 'ermission denied' "$scratch/err"
finish
