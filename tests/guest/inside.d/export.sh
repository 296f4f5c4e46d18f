# export under the kernel's own 9P client: by a socket, a port and standard input; files, directories, writes.
mount_9p() { mount -t 9p -o "$2,version=9p2000.L,cache=none" "$1" /tmp/nine; }
mkdir -p /tmp/nine
modprobe 9p 2>/dev/null
modprobe 9pnet_fd 2>/dev/null
if ! grep -q '	9p$' /proc/filesystems; then
  skip 'export' 'this kernel has no 9P client'
else
  psuite export -w unix!/tmp/nine.s 2>/dev/null & nine=$!
  sleep 1
  ok 'a socket is mounted' mount_9p /tmp/nine.s trans=unix
  ok 'its root' ls /tmp/nine
  text 'what Plan 9 binds' 'dev mnt net proc' "$(sort $out | paste -sd' ')"
  ok 'ls -l' ls -l /tmp/nine/dev
  ok 'sysstat' cat /tmp/nine/dev/sysstat
  text 'a line a CPU' "$(grep -c '^cpu[0-9]' /proc/stat)" "$(wc -l < $out)"
  ok 'a byte at a time' dd if=/tmp/nine/dev/sysname bs=1
  text 'the whole name' "$(psuite ns cat '#c/sysname')" "$(cat $out)"
  ok 'every process' ls /tmp/nine/proc
  has 'init, too' '^1$' $out
  ok 'cp' cp /tmp/nine/proc/1/status /tmp/nine.status
  has 'what proc(3) says' '^init ' /tmp/nine.status
  status 'no such file' 1 cat /tmp/nine/dev/nothing
  sleep 1000 & victim=$!
  sleep 0.2
  if echo kill > /tmp/nine/proc/$victim/ctl; then wait $victim; text 'a process is killed by a write' 137 $?; else kill $victim; fail 'a write to ctl'; fi
  umount /tmp/nine
  kill $nine; wait $nine
  psuite export -w 'tcp!localhost!5640' 2>/dev/null & nine=$!
  sleep 1
  ok 'a port is mounted' mount_9p 127.0.0.1 trans=tcp,port=5640
  ok 'the same' cat /tmp/nine/dev/swap
  has 'memory' ' memory$' $out
  status 'no process is killed from afar' 1 sh -c 'echo kill > /tmp/nine/proc/1/ctl'
  umount /tmp/nine
  kill $nine; wait $nine
  mkfifo /tmp/nine.in /tmp/nine.out
  psuite export - < /tmp/nine.in > /tmp/nine.out & nine=$!
  exec 4> /tmp/nine.in 3< /tmp/nine.out
  ok 'standard input and output are mounted' mount_9p none trans=fd,rfdno=3,wfdno=4
  exec 3<&- 4>&-
  ok 'a walk over all of it' sh -c 'cd /tmp/nine && find dev net proc/1 proc/self -type f | wc -l'
  status 'nothing is written without -w' 1 sh -c 'echo start > /tmp/nine/dev/kpctl'
  umount /tmp/nine
  wait $nine
  text 'unmounted, the server ends' 0 $?
  rm -f /tmp/nine.in /tmp/nine.out
fi
. /test/inside.d/iostats_proxy.sh
