# trace --calls=PATTERN: the same calls, arguments and results as strace sees, of one run of a program.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/tracefs.sh"
. "$(dirname "$0")/../lib/need.sh"
need strace python3 || finish
"$PSUITE" trace '--calls=getpid' -s 0.01 >/dev/null 2>"$scratch/err" || { skip 'trace --calls=' "$(head -1 "$scratch/err")"; finish; }
status 'several patterns with commas, one of no call' 1 "$PSUITE" trace '--calls=open*,nosuch' -x true
has 'which is named' '^trace: nosuch: there is no such system call$' "$scratch/err"
own_pids || { skip 'trace --calls=' "this is a pid namespace, whose processes have other numbers in the kernel's events"; finish; }
status 'several patterns with commas' 0 "$PSUITE" trace '--calls=openat,clo?e' --summary -x true
text 'are these calls' 'close openat' "$(awk '$NF ~ /^[a-z]+$/ && $1 + 0 { print $NF }' "$scratch/err" | sort | xargs)"
mkdir "$scratch/folder" && printf 'some bytes\n' > "$scratch/folder/a"
for command in "ls -la $scratch/folder" "cat $scratch/folder/a $scratch/folder/missing" "python3 -c import\ os;os.fork();os.listdir('$scratch')"; do
  # strace and what it runs are traced together: both see the same run
  # shellcheck disable=SC2086 # the words of a command; `\ ' is a blank
  IFS=' ' read -ra words <<< "${command//\\ /$'\x01'}"
  "$PSUITE" trace '--calls=*' --json -x strace -f -e raw=all -o "$scratch/strace" "${words[@]//$'\x01'/ }" > /dev/null 2>"$scratch/calls"
  ok "as strace: $command" python3 "$TESTS/native/trace_calls.py" "$scratch/strace" "$scratch/calls"
  has 'calls were compared' '^[1-9][0-9]* calls are equal$' "$scratch/ok.out"
done
# names of values, and what only strace has names for
rm -f "$scratch"/names.*
for command in "ls -la $scratch/folder" "python3 -c import\ subprocess,threading,socket;subprocess.run(['true']);threading.Thread(target=print).start();socket.socketpair()" \
  "git -C $SOURCE status -s" "sh -c seq\ 9|sort|tail\ -1;kill\ -0\ \$\$;exec\ 5>>$scratch/five" "xz -T2 -c /etc/services"; do
  IFS=' ' read -ra words <<< "${command//\\ /$'\x01'}"
  "$PSUITE" trace '--calls=*' --json -x strace -f -o "$scratch/strace" "${words[@]//$'\x01'/ }" > /dev/null 2>"$scratch/calls"
  ok "named as by strace: $command" python3 "$TESTS/native/trace_names.py" "$scratch/strace" "$scratch/calls"
  has 'values were compared' '^[1-9][0-9]* values are equal$' "$scratch/ok.out"
  cat "$scratch/ok.out" >> "$scratch/names.only"
done
[ -z "${V:-}" ] || sort -u "$scratch/names.only"
"$PSUITE" trace '--calls=*' -x sh -c 'true' 2>"$scratch/text"
has 'the end of a program has no result' 'exit_group\(error_code=0\) = \?$' "$scratch/text"
"$PSUITE" trace --calls=openat --where 'ret < 0' -x cat "$scratch/missing" 2>"$scratch/text" >/dev/null
has 'an error by its name' 'openat\(dfd=AT_FDCWD, filename=(0x[0-9a-f]*|"[^"]*"), flags=O_RDONLY(\|O_CLOEXEC)?, mode=0\) = -2 ENOENT  [0-9.]*[mun]*s$' "$scratch/text"
text 'nothing but errors' '' "$(grep -v ' = -[0-9]* E' "$scratch/text" | grep openat)"
"$PSUITE" trace --calls=openat --where 'flags & 0x80000' --json -x cat /dev/null 2>"$scratch/text"
has 'JSON has both' '"function":"openat","depth":0,"args":\["0xf*9c".*,"arguments":\{"dfd":-100,' "$scratch/text"
finish
