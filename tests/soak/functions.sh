# functions TOP PSUITE: what trace says of calls in an amd64 guest against strace, which runs below it: paths and results of system
# calls, and buffers, lengths and results of vfs_read. PSUITE is a static one; the programs are those of this machine's Debian.
#   PARTS   paths or reads (both)
set -euo pipefail
top=$1 psuite=$2
. "$top/tests/lib/debian_guest.sh"
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp "$psuite" "$dir/psuite"
cp "$top/tests/soak/functions.py" "$dir/"
TMO=${TMO:-1500} debian_guest "$dir" 'python3 /tmp/guest/functions.py /tmp/guest/psuite '"${PARTS:-}"
