# functions: trace(3) on a real kernel: its events against the kernel's own counts, and what remains after a SIGKILL.
[ -e /sys/kernel/tracing/trace ] || mount -t tracefs tracefs /sys/kernel/tracing
if [ ! -w /sys/kernel/tracing/kprobe_events ]; then
  skip 'functions of the kernel' 'this kernel has no kprobes'
else
  tracing=/sys/kernel/tracing
  # shape: what of tracefs a trace could leave behind
  shape() { cat $tracing/kprobe_events $tracing/kprobe_profile $tracing/set_event $tracing/trace_clock $tracing/current_tracer; ls $tracing/instances $tracing/events; }
  address() { awk -v n="$1" '$3 == n { print $1; exit }' /proc/kallsyms; }
  after() { awk -v n="$1" '$3 == n { found = $1; next } found && $1 > found && (!next_ || $1 < next_) { next_ = $1 } END { print next_ }' /proc/kallsyms; }
  shape > /tmp/shape
  start=$(address vfs_read) end=$(after vfs_read)
  first=$(printf '%016x' "0x$start") # of 32-bit processors, too
  text 'vfs_read has an address' 'yes' "$([ -n "$start" ] && [ "$start" \< "$end" ] && echo yes)"
  # traced WORD COMMAND FUNCTION...: the device's events of functions, and the kernel's counts just before it stops
  traced() { # traced COMMAND SIZE FUNCTION...
    command=$1 size=$2; shift 2
    {
      echo "write #T/tracectl size $size"
      for name; do echo "write #T/tracectl trace $(address "$name") $(after "$name") new $name"; echo "write #T/tracectl trace $name on"; done
      echo 'write #T/tracectl start'
      echo "run $command"
      echo 'write #T/tracectl stop'
      echo 'cat #T/trace > /tmp/events'
      echo 'cat #T/tracectl > /tmp/state'
    } > /tmp/script
    ns -f < /tmp/script
  }
  comment() { awk -v w="#$1" '$1 == w { n = $2 } END { print n + 0 }' /tmp/state 2>/dev/null || echo 0; }
  # whole WHAT: events, those of psuite itself, and the lost ones are as many as the kernel counts
  whole() { text "$1: as many as the kernel counts" "$(comment kernelhits)" "$(($(cat /tmp/events | wc -l) + $(comment ownevents) + $(comment lost) + $(comment ininterrupts) + $(comment dropped)))"; }
  ok 'reads of one byte' traced 'dd if=/dev/zero of=/dev/null bs=1 count=3000' 16 vfs_read
  whole 'vfs_read'
  count() { awk -v w="$1" '$1 == w' /tmp/events | wc -l; }
  entries=$(count E) exits=$(count X)
  text 'lines of 121 bytes' 121 "$(awk '{ print length($0) + 1 }' /tmp/events | sort -u)"
  text 'no fewer than there were' yes "$([ "$entries" -ge 3000 ] && [ "$exits" -ge 3000 ] && echo yes)"
  text 'all at the first byte' "$first" "$(awk '$1 == "E" { print $2 }' /tmp/events | sort -u)"
  text 'time does not go back' '' "$(awk '"t" $3 < last { print NR; exit } { last = "t" $3 }' /tmp/events)"
  text 'the third argument of dd is 1' yes "$([ "$(awk '$1 == "E" && $7 == "0000000000000001"' /tmp/events | wc -l)" -ge 3000 ] && echo yes)"
  text 'and so is what is returned' yes "$([ "$(awk '$1 == "X" && $5 == "0000000000000001"' /tmp/events | wc -l)" -ge 3000 ] && echo yes)"
  text 'nothing is left' '' "$(shape | diff /tmp/shape -)"
  ok 'opens' traced 'cat /proc/self/status' 16 do_sys_openat2
  whole 'do_sys_openat2'
  text 'descriptors, or errors' '' "$(awk '$1 == "X" && $5 !~ /^00000000000000|^fffffffffffff/ && $5 !~ /^00000000fffff/' /tmp/events | head -3)"
  # Not vfs_write: psuite is in it when it ends the tracing, and the kernel counts its return.
  ok 'more than the log holds' traced 'dd if=/dev/zero of=/dev/null bs=1 count=4000' 8 vfs_read rw_verify_area
  whole 'a full log'
  text 'the log is full' 256 "$(wc -l < /tmp/events)"
  # --- for people
  if grep -q ' T vfs_read$' /proc/kallsyms; then
    ok 'trace --functions of a command' trace --functions vfs_read --where 'arg3 == 7' -x dd if=/dev/zero of=/dev/null bs=7 count=100
    if [ -e /sys/kernel/btf/vmlinux ]; then
      text 'each call with names, values and result' 100 "$(grep -c 'vfs_read(file=[^ ,]*, buf=[^ ,]*, count=7, pos=[^ ,]*) = 7  [0-9.]*[mun]*s$' $err)"
      ok 'a condition on a name' trace --functions 'vfs_read' --where 'count == 7 && ret == 7' -x dd if=/dev/zero of=/dev/null bs=7 count=100
      text 'holds for the same calls' 100 "$(grep -c 'vfs_read(' $err)"
      status 'a file that is missing' 1 trace --functions do_sys_openat2 --where 'ret < 0' -x cat /no/such/file
      has 'the text of a path, and the name of an error' 'do_sys_openat2\(dfd=-100, filename="/no/such/file", how=0x[0-9a-f]*\) = -2 ENOENT' $err
    else
      text 'each call with its registers and result' 100 "$(grep -c 'vfs_read([^ ,]*, [^ ,]*, 7, [^ ,]*) = 7  [0-9.]*[mun]*s$' $err)" # a low address is decimal
    fi
    if [ "$ARCH" = armhf ]; then
      status 'no stacks, which could crash this kernel' 1 trace --functions vfs_read --stack -x true
      has 'and the remedy' '^trace: hint: .* psuite tprof -a -k -g$' $err
    else
      ok 'with stacks' trace --functions vfs_read --stack -x dd if=/dev/zero of=/dev/null bs=7 count=100
      has 'who called' '^ {24,}[_a-z0-9]*sys_read\+0x|^ {24,}ret_fast_syscall' $err
    fi
    ok 'without them' trace --functions vfs_read -x true
    text 'no lines of stacks' '' "$(grep '^                        ' $err)"
    # as marks beside the scheduler's events
    ok 'events of both' trace --functions vfs_read -o /tmp/both -f -x dd if=/dev/zero of=/dev/null bs=7 count=100
    ok 'of a recording' trace -e /tmp/both
    holds 'calls' "$(grep -c ' Call vfs_read$' $out) >= 100 && $(grep -c ' Return vfs_read$' $out) >= 100"
    has 'and runs' ' Run' $out
    ok 'as a picture' trace --functions vfs_read -o svg:/tmp/both.svg -x dd if=/dev/zero of=/dev/null bs=7 count=100
    has 'with the calls' '<title>Call vfs_read</title>' /tmp/both.svg
    # system calls need no kprobes
    ok 'trace --calls of a command' trace --calls=read --where 'count == 7' -x dd if=/dev/zero of=/dev/null bs=7 count=100
    text 'each with its arguments' 100 "$(grep -c 'read(fd=0, buf=[^ ,]*, count=7) = 7  ' $err)"
    status 'a file that is missing' 1 trace '--calls=open*' --where 'ret < 0' -x cat /no/such/file
    has 'its path, and the name of the error' 'open(at)?\((dfd=AT_FDCWD, )?filename="/no/such/file", .*\) = -2 ENOENT  ' $err
    ok 'a file that is renamed' sh -c 'echo one > /tmp/one && rm -f /tmp/two'
    ok 'both of its names' trace '--calls=rename*' -x mv /tmp/one /tmp/two
    has 'in one line' 'rename(at2?)?\(.*oldname="/tmp/one", .*newname="/tmp/two".*\) = 0  ' $err
    ok 'what a program writes' trace --calls=write -x echo hello
    has 'is no path' 'write\(fd=1, buf=0x[0-9a-f]*, count=6\) = 6  ' $err
    ok 'as a summary' trace --functions vfs_read --functions vfs_write --summary -x dd if=/dev/zero of=/dev/null bs=7 count=1000
    text 'which counts them' yes "$(awk '$8 == "vfs_write" && $1 >= 1000 && $1 < 1010 { print "yes" }' $err)"
    ok 'for Chrome' trace --functions vfs_read -o chrome:/tmp/calls.json -x true
    module=$(awk '$3 == "fuse_init_inode" || $3 == "fuse_dev_read" || $3 == "p9_client_read" { print $4 ":" $3; exit }' /proc/kallsyms | tr -d '[]')
    [ -z "$module" ] || ok "a function of a module, $module" trace --functions "$module" -x true
    # counted COMMAND...: of functions that nobody else calls: what trace has of them, and the kernel's own hits of entries and exits
    counted() { # counted OPTION... -- COMMAND
      options=; while [ "$1" != -- ]; do options="$options $1"; shift; done; shift
      ok "trace$options -x ${1%%;*}" trace $options --json --summary -x sh -c "$1; cat $tracing/kprobe_profile > /tmp/profile"
      cat $out $err > /tmp/said
      hits=$(awk '$1 ~ /^[ex][0-9]+_/ { n += $2 } END { print n + 0 }' /tmp/profile)
      calls=$(grep -o '"calls":[0-9]*' /tmp/said | awk -F: '{ n += $2 } END { print n + 0 }')
      unended=$(grep -o '"unended":[0-9]*' /tmp/said | awk -F: '{ n += $2 } END { print n + 0 }')
      lost=$(sed -n 's/^trace: \([0-9]*\) events* lost at .*/\1/p' /tmp/said) single=$(sed -n 's/^trace: \([0-9]*\) events* without .*/\1/p' /tmp/said)
      events=$((2 * calls + unended + ${lost:-0} + ${single:-0}))
      [ "$hits" = "$events" ] || cat /tmp/said
    }
    counted --functions write_null --functions read_zero -- 'dd if=/dev/zero of=/dev/null bs=1 count=2000'
    text "none is lost: $calls calls" "$hits ${lost:-0}" "$events 0"
    counted --functions write_null --functions read_zero -b 64 -- 'kill -STOP $PPID; dd if=/dev/zero of=/dev/null bs=1 count=12000; kill -CONT $PPID'
    text "losses are counted exactly: ${lost:-0} of $hits events" "$hits" "$events"
    holds 'most were lost' "${lost:-0} > $hits / 2"
    # texts of different length: a full page has no room for the number of events that were lost before it
    counted --functions vfs_fstatat -b 64 -- 'for i in 1 2 3 4 5 6 7 8; do
      kill -STOP $PPID; n=$i; k=0
      while [ $k -lt 600 ]; do k=$((k + 1)); n=${n}x; [ ${#n} -lt 60 ] || n=; [ -e "$n" ]; done
      kill -CONT $PPID; usleep 60000; done'
    text "losses are counted exactly at many places: ${lost:-0} of $hits events" "$hits" "$events"
    if grep -q '[[]fuse[]]' /proc/kallsyms && mkdir -p /tmp/bound && psuite bind '#c' /tmp/bound; then
      counted --functions 'fuse:fuse_lookup_name' --functions 'fuse:fuse_permission' --functions 'fuse:fuse_readdir' -- 'ls -l /tmp/bound; cat /tmp/bound/none'
      text "functions of a module: $calls calls" "$hits" "$events"
      holds 'which were called' "$calls > 0"
      psuite unbind /tmp/bound
    fi
    text 'nothing is left by trace' '' "$(shape | diff /tmp/shape -)"
  fi
  # --- killed at any time
  for pause in 0 0.05 0.2 ${WHOLE:+0.02 0.1 0.3 0.4 0.5 0.7 1} $(awk -v n="${KILLS:-0}" 'BEGIN { srand(); for (; n > 0; n--) print rand() }'); do
    psuite ns -f -c "write #T/tracectl trace $start $end new a; write #T/tracectl trace a on; write #T/tracectl start; sleep 60" & victim=$!
    sleep $pause
    kill -9 $victim
    wait $victim 2>/dev/null
  done
  as_before() { shape | cmp -s /tmp/shape -; }
  until_ok as_before
  text 'nothing is left by those that were killed' '' "$(shape | diff /tmp/shape -)"
  # --- the words of the manual, by ns, bind and export, while another process reads
  zero=$(address _text)
  [ -n "$zero" ] || zero=$(address _stext) # arm64
  offset=$(printf %x $((0x$start - 0x$zero))) to=$(printf %x $((0x$end - 0x$zero)))
  sh -c 'while :; do read x < /proc/self/stat; sleep 0.1; done' & reader=$!
  # manual BY FOLDER: the example of trace(3), with the files of #T in FOLDER
  manual() {
    ok "$1: echo trace ... new a" sh -c "echo trace $offset $to new a > $2/tracectl"
    ok "$1: echo trace a on" sh -c "echo trace a on > $2/tracectl"
    ok "$1: echo start, sleep, echo stop" sh -c "echo start > $2/tracectl; sleep 1; echo stop > $2/tracectl"
    ok "$1: cat trace" cat $2/trace
    manual_events "$1"
  }
  manual_events() {
    has "$1: entries" "^E $first [0-9a-f]{16} [0-9a-f]{16}( [0-9a-f]{16}){4}\$" $out
    has "$1: exits" "^X [0-9a-f]{16} [0-9a-f]{16} [0-9a-f]{16} [0-9a-f]{16}( 0{16}){3}\$" $out
    text "$1: lines of 121 bytes" 121 "$(awk '{ print length($0) + 1 }' $out | sort -u)"
  }
  ok 'ns: the example' psuite ns -c "write #T/tracectl trace $offset $to new a; write #T/tracectl trace a on; write #T/tracectl start; sleep 1; write #T/tracectl stop; cat #T/trace"
  manual_events ns
  text 'nothing is left by ns' '' "$(shape | diff /tmp/shape -)"
  if modprobe fuse 2>/dev/null || [ -c /dev/fuse ]; then
    ok "bind -a '#T' /dev" psuite bind -a '#T' /dev
    manual bind /dev
    ok 'unbind /dev' psuite unbind /dev
    text 'nothing is left by bind' '' "$(shape | diff /tmp/shape -)"
  fi
  modprobe 9p 2>/dev/null
  modprobe 9pnet_fd 2>/dev/null
  if grep -q '	9p$' /proc/filesystems; then
    psuite export -w unix!/tmp/functions.s 2>/dev/null & server=$!
    mkdir -p /tmp/served
    listens /tmp/functions.s
    ok 'export: a mount' mount -t 9p -o trans=unix,version=9p2000.L,cache=none /tmp/functions.s /tmp/served
    manual export /tmp/served/dev
    umount /tmp/served
    kill $server
    wait $server 2>/dev/null
    text 'nothing is left by export' '' "$(shape | diff /tmp/shape -)"
  fi
  kill $reader
fi
