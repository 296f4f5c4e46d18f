# debian_guest.sh: an amd64 guest whose programs are those of this machine's Debian, on a kernel that may be traced. Sourced by
# bench/functions.sh and soak/functions.sh. It needs root, as files that only root may read are read there, too.

# debian_guest FOLDER COMMAND: runs COMMAND, below this machine's root, with a copy of FOLDER in /tmp/guest. The root cannot be
# written there; /tmp is memory. The environment is that of guest/run.
debian_guest() {
  local guest stage status
  guest=$(cd "$(dirname "${BASH_SOURCE[0]}")/../guest" && pwd)
  "$guest/prepare" guest amd64 > /dev/null || return
  stage=$(mktemp -d)
  cp -r "$1" "$stage/guest"
  echo "$2" > "$stage/guest/command"
  cat > "$stage/guest/below" <<'G'
mount -o remount,bind,ro /host
for m in proc sys dev; do mount --bind /$m /host/$m; done
mount -t tmpfs tmp /host/tmp && mount -t tracefs tracefs /host/sys/kernel/tracing && cp -r /guest /host/tmp/
TMPDIR=/tmp HOME=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot /host sh -c 'cd /tmp && . /tmp/guest/command'
G
  SHARE=/ APPEND="no_timer_check ${APPEND:-}" "$guest/run" amd64 'sh /guest/below' "$stage/guest" | grep --line-buffered -v '^qemu-system'
  status=${PIPESTATUS[0]}
  rm -rf "$stage"
  return $status
}
