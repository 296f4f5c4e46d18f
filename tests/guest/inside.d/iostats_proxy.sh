# iostats between the kernel's own 9P client and what we export: the same files, and the counts of what is known.
rm -rf /tmp/tree /tmp/copy
mkdir -p /tmp/nine /tmp/tree/sub
if ! grep -q '	9p$' /proc/filesystems; then
  skip 'iostats -l' 'this kernel has no 9P client'
else
  dd if=/dev/urandom of=/tmp/tree/big bs=1000 count=300 2>/dev/null
  for i in 1 2 3 4 5 6 7 8; do echo "file $i" > /tmp/tree/sub/$i; done
  psuite export -w -n /tmp/tree unix!/tmp/tree.s 2>/dev/null & server=$!
  listens /tmp/tree.s
  psuite iostats -f /tmp/between.log -l unix!/tmp/between.s -s unix!/tmp/tree.s 2>/tmp/between & proxy=$!
  listens /tmp/between.s
  ok 'mounted through iostats' mount -t 9p -o trans=unix,version=9p2000.L,cache=none,msize=8216 /tmp/between.s /tmp/nine
  ok 'cp -r' cp -r /tmp/nine /tmp/copy
  ok 'is the same' diff -r /tmp/copy /tmp/tree
  ok 'a write' sh -c 'echo fourteen bytes > /tmp/nine/sub/3'
  text 'has happened' 'fourteen bytes' "$(cat /tmp/tree/sub/3)"
  status 'what is not there' 1 cat /tmp/nine/none
  kill -USR1 $proxy
  until_ok grep -q ' 300000 .* /big$' /tmp/between
  has 'SIGUSR1 reports' ' 300000 +0 +0 /big$' /tmp/between
  ok 'and it goes on' cmp /tmp/nine/big /tmp/tree/big
  umount /tmp/nine
  kill $proxy; wait $proxy
  text 'an interrupt ends it well' 0 $?
  has 'two opens of the file' '^ +2 +[0-9]+ +600000 +0 +0 /big$' /tmp/between
  has 'one of what was written' '^ +[12] .* 15 /sub/3$' /tmp/between
  has 'all could be read' '^messages counted by proxy; not counted: nothing$' /tmp/between
  has 'the walk that failed' ' walk .* /none: No such file or directory$' /tmp/between.log
  kill $server; wait $server
fi
