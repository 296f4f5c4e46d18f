# iostats by fuse on a guest's kernel: the workload that knows its messages. The root is an initial ramfs here.
modprobe fuse 2>/dev/null
if [ ! -c /dev/fuse ]; then
  skip 'iostats by fuse' 'no /dev/fuse'
else
  echo hello > /tmp/io.in
  status 'iostats: status and report' 3 psuite iostats -b fuse sh -c 'cat /tmp/io.in /proc/self/mounts; exit 3'
  has 'a row of what was read' '^ +1 +[0-9]+ +[0-9]+ +0 +0 /tmp/io.in$' $err
  has 'the root is ours in there' '^psuite / fuse' $out
  rm -rf /tmp/io /tmp/io.expected; mkdir -p /tmp/io
  ok 'iostats: the workload' psuite iostats -b fuse $work/iomessages /tmp/io /tmp/io.expected
  text 'iostats: each file exactly' "$(grep / /tmp/io.expected | sort)" "$(grep ' /tmp/io/' $err | sort)"
  for m in create remove wstat; do
    text "iostats: all of $m" "$(awk -v m=$m '$1 == m { print $2 + (m == "create") }' /tmp/io.expected)" "$(awk -v m=$m '$1 == m { print $2 }' $err)"
  done
  text 'iostats: no mount is left' '' "$(grep psuite /proc/mounts)"
fi

# The same by 9P, where the kernel's client asks for what a call asks.
modprobe 9p 2>/dev/null
modprobe 9pnet_fd 2>/dev/null
if ! grep -q '	9p$' /proc/filesystems; then
  skip 'iostats by 9p' 'this kernel has no 9P client'
else
  echo hello > /tmp/io.in
  status 'by 9p, which is tried first' 3 psuite iostats sh -c 'cat /tmp/io.in /proc/self/mounts; exit 3'
  has 'the last line tells' '^messages counted by 9p; not counted: .*, inherited descriptors, copies of standard ones above 2$' $err
  has 'standard output is counted' '^ +1 +0 +0 +[1-9][0-9]* +[1-9][0-9]* \(stdout\)$' $err
  has 'and what the mount asks' '^attach +[12] ' $err
  has 'a row of what was read' '^ +1 +[0-9]+ +6 +0 +0 /tmp/io.in$' $err
  has 'the root is ours in there' '^psuite / 9p' $out
  rm -rf /tmp/io /tmp/io.expected && mkdir -p /tmp/io
  status 'the exec alone' 0 psuite iostats -b 9p $work/iomessages
  messages() { awk '/^Message/ { on = 1; next } on && !NF { exit } on { print $1, $2 }' $1; }
  messages $err > /tmp/io.before
  # The kernel asks once more behind what came short.
  status 'the workload' 0 psuite iostats -b 9p -f /tmp/io.log $work/iomessages /tmp/io /tmp/io.expected 9p
  text 'by 9p: each file exactly' "$(grep / /tmp/io.expected | sort)" "$(grep ' /tmp/io/' $err | sort)"
  # The file of the expectations is itself made: once.
  for m in create open remove wstat; do
    text "by 9p: all of $m" "$(awk -v m=$m '$1 == m { print $2 + (m == "create") }' /tmp/io.expected)" \
      "$(messages $err | cat /tmp/io.before - | awk -v m=$m '$1 == m { n = $2 - n } END { print n + 0 }')"
  done
  text 'the log has a line a message' "$(sed -n 's/^rpc *\([0-9]*\) count/\1/p' $err)" "$(wc -l < /tmp/io.log)"
  ok 'as JSON' psuite iostats --json true
  has 'with the way' '"method":"9p","unit":"messages"' $err
  text 'by 9p: no mount is left' '' "$(grep psuite /proc/mounts)"
  # iostats killed: the command goes on. Its server killed: the command's files fail, and nothing hangs.
  rm -f /tmp/io.goes
  psuite iostats -b 9p sh -c 'for i in 1 2 3; do echo $i >> /tmp/io.goes; sleep 1; done' >/dev/null 2>&1 & io=$!
  until_ok test -s /tmp/io.goes
  kill -9 $io; wait $io 2>/dev/null
  none_runs() { ! pidof psuite >/dev/null; }
  until_ok none_runs
  text 'killed: the command went on' '1 2 3' "$(paste -sd' ' /tmp/io.goes)"
  text 'and the server ended with it' '' "$(pidof psuite)"
  psuite iostats -b 9p sh -c 'trap "" HUP; echo >> /tmp/io.goes; for i in $(seq 40); do sleep 0.2; cat /etc/nothing /tmp/io.in; done' >/dev/null 2>&1 & io=$!
  goes() { [ $(wc -l < /tmp/io.goes) = 4 ]; }
  until_ok goes
  for p in $(pidof psuite); do [ $p = $io ] || kill -9 $p; done
  has_ended() { [ ! -e /proc/$io ] || grep -q '^State:.Z' /proc/$io/status; }
  until_ok has_ended
  wait $io; holds 'its server killed: it ends, and tells' "$? != 0"
  hanging() { ps | awk '/io.in/ && !/awk/'; }
  none_hangs() { [ -z "$(hanging)" ]; }
  until_ok none_hangs
  text 'no process hangs' '' "$(hanging)"
fi

# Who does I/O on the machine: a program that waits when all is read, its child that is seen while it runs, and short ones. What
# the kernel has of the program then is of all of them, as it has waited for its children.
if [ ! -r /proc/self/io ]; then
  skip 'iostats of the machine' 'no CONFIG_TASK_IO_ACCOUNTING'
else
  rm -f /tmp/io.rounds /tmp/io.half /tmp/io.done /tmp/io.hold; mkfifo /tmp/io.hold
  psuite iostats -a -T 0.4 --json > /tmp/io.rounds 2> $err & io=$!
  has_rounds() { [ $(grep -c . /tmp/io.rounds) -ge $want ]; }
  rounds() { # rounds N: until there are so many more
    want=$(($(grep -c . /tmp/io.rounds) + $1))
    until_ok has_rounds
  }
  rounds 1
  sh -c 'printf knownself > /proc/self/comm; exec < /tmp/io.hold
    dd if=/dev/zero of=/tmp/io.file bs=65536 count=40 2>/dev/null
    { cat /tmp/io.file; echo > /tmp/io.half; read line; dd if=/tmp/io.file bs=1000 count=100 2>/dev/null; } | dd of=/tmp/io.copy bs=8192 2>/dev/null
    i=0; while [ $i -lt 10 ]; do cat /tmp/io.file > /dev/null; i=$((i + 1)); done
    echo > /tmp/io.done; read line' & worked=$!
  exec 4> /tmp/io.hold
  until_ok test -e /tmp/io.half
  rounds 2
  echo >&4
  until_ok test -e /tmp/io.done
  rounds 2
  cp /proc/$worked/io /tmp/io.known
  kill -TERM $io; wait $io
  text 'iostats -a: a SIGTERM ends it' 0 $?
  exec 4>&-; wait $worked
  known() { awk -v key=$1: '$1 == key { print $2 }' /tmp/io.known; }
  # sums KEY: over the rows of the program and of its children
  sums() {
    tr '{}' '\n\n' < /tmp/io.rounds | awk -F, -v pid=\"pid\":$worked -v key=\"$1\": '
      $1 == pid || $2 ~ /^"program":"(knownself( .ended.)?|dd|cat)"$/ { for (i = 3; i <= NF; i++) if (index($i, key) == 1) sum += substr($i, length(key) + 1) }
      END { print sum + 0 }'
  }
  text 'iostats -a: the bytes read, as the kernel has them' "$(known rchar)" "$(sums read_bytes)"
  text 'the bytes written' "$(known wchar)" "$(sums written_bytes)"
  text 'the calls' "$(known syscr) $(known syscw)" "$(sums reads) $(sums writes)"
  text 'the bytes of devices' "$(known read_bytes) $(known write_bytes)" "$(sums disk_read_bytes) $(sums disk_written_bytes)"
  holds 'which are as many as the commands have moved' "$(known rchar) > 12 * 40 * 65536 + 100000 && $(known wchar) > 12 * 40 * 65536 + 100000"
  has 'a child had a row of its own' '"program":"dd","ended":false' /tmp/io.rounds
  has 'and those that no reading saw' "\"pid\":$worked,\"program\":\"knownself \(ended\)\",\"ended\":true" /tmp/io.rounds
  rm -f /tmp/io.file /tmp/io.copy
fi
