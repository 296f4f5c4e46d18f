# export under the kernel's own 9P client: by a socket, a port and standard input; files, directories, writes.
mount_9p() { mount -t 9p -o "$2,version=9p2000.L,cache=none" "$1" /tmp/nine; }
mkdir -p /tmp/nine
modprobe 9p 2>/dev/null
modprobe 9pnet_fd 2>/dev/null
if ! grep -q '	9p$' /proc/filesystems; then
  skip 'export' 'this kernel has no 9P client'
else
  psuite export -w unix!/tmp/nine.s 2>/dev/null & nine=$!
  listens /tmp/nine.s
  ok 'a socket is mounted' mount_9p /tmp/nine.s trans=unix
  ok 'its root' ls /tmp/nine
  text 'what Plan 9 binds' 'dev mnt net proc prof' "$(sort $out | paste -sd' ')"
  ok 'ls -l' ls -l /tmp/nine/dev
  ok 'sysstat' cat /tmp/nine/dev/sysstat
  text 'a line a CPU' "$(grep -c '^cpu[0-9]' /proc/stat)" "$(wc -l < $out)"
  ok 'a byte at a time' dd if=/tmp/nine/dev/sysname bs=1
  text 'the whole name' "$(psuite ns cat '#c/sysname')" "$(cat $out)"
  ok 'every process' ls /tmp/nine/proc
  has 'init, too' '^1$' $out
  ok 'cp' cp /tmp/nine/proc/1/status /tmp/nine.status
  has 'what proc(3) says' "^$(cat /proc/1/comm) " /tmp/nine.status
  status 'no such file' 1 cat /tmp/nine/dev/nothing
  sleep 1000 & victim=$!
  sleep 0.2
  if echo kill > /tmp/nine/proc/$victim/ctl; then wait $victim; text 'a process is killed by a write' 137 $?; else kill $victim; fail 'a write to ctl'; fi
  # kprof(3) over it; what one client starts another reads
  if echo start > /tmp/nine/dev/kpctl 2>$err; then
    dd if=/dev/zero of=/dev/null bs=1 count=25000 2>/dev/null
    ok 'stop' sh -c 'echo stop > /tmp/nine/dev/kpctl'
    ok 'cp' cp /tmp/nine/dev/kpdata /tmp/kpdata
    ok 'kprof' kprof /proc/kallsyms /tmp/kpdata
    has 'functions of the work' '	[a-z_]*(read|write|zero)' $out
    ok 'kpdata for another client' psuite ns -n unix!/tmp/nine.s cat /dev/kpdata
    cp $out /tmp/kpdata.1
    ok 'is the same' cmp /tmp/kpdata.1 /tmp/kpdata
  else
    skip 'the kernel profile over 9P' "$(cat $err)"
  fi
  ok 'stats of it' psuite stats --once -T 0.5 -clm unix!/tmp/nine.s
  has 'load' '^load +[0-9.]+' $out
  has 'memory' '^mem +[0-9.]+[kMG]B ' $out
  has 'switches' '^context +[0-9.]+k?/s' $out
  umount /tmp/nine
  kill $nine; wait $nine
  psuite export -w 'tcp!localhost!5640' 2>/dev/null & nine=$!
  listens_at 1608
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

  # --- a directory of the machine itself: every kind of file, and what is done with them
  mkdir -p /tmp/host /tmp/src/a/b
  echo inside > /tmp/src/a/b/f; ln -s b/f /tmp/src/a/link; mkfifo /tmp/src/pipe; mknod /tmp/src/null c 1 3
  n255=$(printf '%255s' '' | tr ' ' n)
  echo long > "/tmp/src/$n255"
  echo two > '/tmp/src/two
lines'
  head -c 300001 /usr/bin/psuite > /tmp/src/a/bytes
  chmod 4751 /tmp/src/a/bytes; chown 7:8 /tmp/src/a/b/f; touch -d '2001-02-03 04:05:06' /tmp/src/a/b/f /tmp/src/a/b
  tree() { (cd "$1" && find . | sort && find . ! -type l ! -name . -exec stat -c '%n %F %a %u:%g %s %Y %t:%T' {} + | sed 's/^\(.* directory [^ ]* [^ ]*\) [0-9]*/\1/' | sort && find . -type f -exec md5sum {} + | sort && readlink a/link); }
  psuite export -w -r /tmp/host unix!/tmp/nine.s 2>/dev/null & nine=$!
  listens /tmp/nine.s
  ok 'a host tree is mounted' mount_9p /tmp/nine.s trans=unix
  ok 'cp -a into it' cp -a /tmp/src /tmp/nine/
  tree /tmp/src > /tmp/tree.want
  tree /tmp/host/src > /tmp/tree.is
  text 'behind the server all is as it was: kinds, modes, owners, sizes, times, contents' '' "$(diff /tmp/tree.want /tmp/tree.is)"
  tree /tmp/nine/src > /tmp/tree.is
  text 'and seen through it' '' "$(diff /tmp/tree.want /tmp/tree.is)"
  ok 'tar out of it' tar cf /tmp/nine.tar -C /tmp/nine src
  ok 'and into it' sh -c 'mkdir /tmp/nine/again && tar xf /tmp/nine.tar -C /tmp/nine/again'
  tree /tmp/host/again/src > /tmp/tree.is # busybox' tar leaves directories their new times
  text 'brings the same' '' "$(no_times() { sed 's/^\(.* directory .*\) [0-9]* /\1 /' "$1"; }; no_times /tmp/tree.want > /tmp/tree.a; no_times /tmp/tree.is | diff /tmp/tree.a -)"
  ok 'the workload that checks what it reads' $work/iomessages /tmp/nine /tmp/nine.expected
  text '5 GB with a hole' '5368709121' "$(stat -c %s /tmp/host/sparse)"
  holds 'which takes no room' "$(stat -c %b /tmp/host/sparse) < 1000"
  cd /tmp/nine
  text 'a hard link is the same file' '2 2' "$(ln "src/$n255" hard && stat -c %h "src/$n255" hard | paste -sd' ')"
  ok 'a file over another' mv hard new
  text 'is there' long "$(cat new)"
  exec 5<>gone; rm gone; echo still >&5
  text 'an unlinked file is read' still "$(cat /proc/self/fd/5)"
  exec 5>&-
  (for i in 1 2 3 4 5; do echo $i >> appended & done; wait)
  text 'five append at once' '1 2 3 4 5' "$(sort appended | paste -sd' ')"
  # of a file system that has them
  mkdir attributes && mount -t tmpfs none /tmp/host/attributes && echo > attributes/file
  ok 'extended attributes' $work/attribute attributes/file
  umount /tmp/host/attributes
  ok 'locks' $work/locks /tmp/nine/src/a/bytes /tmp/host/src/a/bytes
  status 'rmdir of what is full' 1 rmdir src
  mkdir -m 777 open
  ok 'a user makes a file' $work/as_user 65534 sh -c 'echo mine > open/file && chmod 600 open/file'
  text 'that is his' 65534 "$(stat -c %u /tmp/host/open/file)"
  status 'who is refused by the directory' 1 $work/as_user 65534 sh -c 'echo mine > src/file'
  cd /
  ok 'all is removed' sh -c 'rm -r /tmp/nine/*'
  text 'and gone' '' "$(ls -A /tmp/host)"
  umount /tmp/nine
  kill $nine; wait $nine
  cp -a /tmp/src /tmp/host/
  psuite export -r /tmp/host 'tcp!localhost!5640' 2>/dev/null & nine=$!
  listens_at 1608
  ok 'by a port, for reading' mount_9p 127.0.0.1 trans=tcp,port=5640
  ok 'diff -r' diff -r /tmp/src/a /tmp/nine/src/a
  status 'nothing is written without -w' 1 sh -c 'echo x > /tmp/nine/src/a/b/f'
  umount /tmp/nine
  kill $nine; wait $nine
  rm -f /tmp/nine.in /tmp/nine.out; mkfifo /tmp/nine.in /tmp/nine.out
  psuite export -w -r /tmp/host - < /tmp/nine.in > /tmp/nine.out & nine=$!
  exec 4> /tmp/nine.in 3< /tmp/nine.out
  ok 'by standard input and output' mount_9p none trans=fd,rfdno=3,wfdno=4
  exec 3<&- 4>&-
  ok 'cp -r' cp -r /tmp/src/a /tmp/nine/b
  ok 'the same' diff -r /tmp/src/a /tmp/host/b
  kill -9 $nine; wait $nine 2>/dev/null
  status 'a killed server is an error, and no hang' 1 cat /tmp/nine/b/bytes
  umount /tmp/nine
  rm -rf /tmp/host /tmp/src /tmp/nine.tar /tmp/tree.* /tmp/nine.in /tmp/nine.out
fi
. /test/inside.d/iostats_proxy.sh
