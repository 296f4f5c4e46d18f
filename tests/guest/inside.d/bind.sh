# bind: the seeds' examples word for word, in /dev and beside it; a server that is killed; every process of a busy system.
if ! modprobe fuse 2>/dev/null && [ ! -c /dev/fuse ]; then
  skip 'bind' 'this kernel has no FUSE'
else
  mkdir -p /n/dev /n/proc
  # kprof(3): bind -a '#T' /dev
  ok "bind -a '#T' /dev" psuite bind -a '#T' /dev
  ok 'the rest of /dev is there' sh -c 'echo x > /dev/null'
  if echo start > /dev/kpctl 2>$err; then
    dd if=/dev/zero of=/dev/null bs=1 count=25000 2>/dev/null
    ok 'stop' sh -c 'echo stop > /dev/kpctl'
    ok 'cp' cp /dev/kpdata /tmp/kpdata
    ok 'kprof' kprof /proc/kallsyms /tmp/kpdata
    has 'functions of the work' '	[a-z_]*(read|write|zero)' $out
    cp /tmp/kpdata /tmp/kpdata.1
    cp /dev/kpdata /tmp/kpdata
    ok 'stopped it counts no more' cmp /tmp/kpdata /tmp/kpdata.1
  else
    skip 'the kernel profile' "$(cat $err)"
  fi
  ok 'unbind /dev' psuite unbind /dev
  text 'nothing stays in /dev' '' "$(ls /dev | grep '^kp')"
  # the same at a directory of its own
  ok "bind '#K' /n/dev" bind '#K' /n/dev
  text 'two files' 'kpctl kpdata' "$(echo $(ls /n/dev))"
  ok 'unbind' unbind /n/dev

  # a process: profile and trace 1 in its ctl
  ok "bind '#p' /n/proc" bind '#p' /n/proc
  sh -c 'while :; do :; done' & victim=$!
  until_ok grep -q while /proc/$victim/cmdline
  if echo profile > /n/proc/$victim/ctl 2>$err; then
    works $victim 800
    ok 'tprof -n' tprof -n /n/proc $victim
    holds "its time ($(head -1 $out))" "$(awk '/^total:/ { print $2 }' $out) > 100"
  else
    skip 'a profile' "$(cat $err)"
  fi
  if echo trace 1 > /n/proc/$victim/ctl 2>$err; then
    cat /n/proc/trace > /tmp/events & reader=$!
    reads() { ls -l /proc/$reader/fd | grep -q /n/proc/trace; }
    until_ok reads
    ok 'who reads waits, others do not' cat /n/proc/$victim/status
    kill $victim; wait $victim 2>/dev/null
    ok 'until its end' wait $reader
    ok 'trace reads it' trace -v /tmp/events
    text 'its death' 1 "$(grep -c "^$victim .* Dead\$" $out)"
  else
    skip 'events' "$(cat $err)"
    kill $victim; wait $victim 2>/dev/null
  fi
  ok 'ls -l of all' sh -c 'ls -l /n/proc > /dev/null; ls -lR /n/proc/1 /n/proc/[2-9] > /dev/null'
  ok 'cp' cp /n/proc/1/text /tmp/init
  ok 'cmp' cmp /tmp/init /proc/1/exe
  for size in 3 4097 131073; do
    dd if=/proc/1/exe of=/tmp/want bs=$size skip=2 count=3 2>/dev/null
    ok "dd bs=$size" dd if=/n/proc/1/text of=/tmp/got bs=$size skip=2 count=3
    ok 'the same' cmp /tmp/want /tmp/got
  done

  # killed, in use, twice
  status 'in use' 1 sh -c 'exec 3< /n/proc/1/status; psuite unbind /n/proc'
  has 'says so' 'busy' $err
  ok 'over it another' bind --json '#c' /n/proc
  kill -9 $(sed 's/.*"pid":\([0-9]*\)}/\1/' $out)
  until_ok test -e /n/proc/1/status
  ok 'its server is killed: its mount is taken away, and the first is there again' cat /n/proc/1/status
  ok 'umount ends it' umount /n/proc
  servers() { ps | grep '[b]ind.*#' | wc -l; }
  none_serves() { [ "$(servers)" = 0 ]; }
  until_ok none_serves
  text 'no mount is left' 0 "$(grep -c fuse.psuite /proc/mounts)"
  text 'nor a server' 0 "$(servers)"
fi
