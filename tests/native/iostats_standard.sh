# iostats' rows of the standard descriptors: the same by each backend, and the descriptors stay what they were.
. "$(dirname "$0")/../lib/check.sh"
cd "$scratch" || exit
backends=ptrace
if [ "$(id -u)" = 0 ] && [ -c /dev/fuse ]; then backends="$backends fuse"; else skip 'by fuse' 'not root, or no /dev/fuse'; fi
if [ "$(id -u)" = 0 ] && grep -q '\<9p$' /proc/filesystems; then backends="$backends 9p"; else skip 'by 9p' 'no 9P client in the kernel'; fi
"$PSUITE" iostats -b ptrace true 2>err || { skip 'standard descriptors' "$(head -1 err)"; finish; }
rows() { grep -o ' [0-9 ]* (std[a-z]*)$' "$1" | sort -k6; }
printf '%s\n' 'import os, sys' 'data = os.read(0, 100)' 'os.write(1, b"hello, world")' 'os.write(2, data)' 'os.write(2, b"!")' > known.py
need_python=$(command -v python3) || { skip 'standard descriptors' 'no python3'; finish; }
for b in $backends; do
  i() { timeout -k 5 100 "$PSUITE" iostats -b "$b" "$@"; }
  i "$need_python" -S known.py < <(printf 12345) > out 2> err; text "$b: status" 0 $?
  text "$b: what is written" 'hello, world' "$(cat out)"
  text "$b: rows" '     1        1        5        0        0 (stdin)
     1        0        0        1       12 (stdout)
     1        0        0        2        6 (stderr)' "$(rows err | sed 's/^ */     /' | sort -t'(' -k2.4,2.4r | awk '/stdin/ { a = $0 } /stdout/ { b = $0 } /stderr/ { c = $0 } END { print a; print b; print c }')"
  # To a file, a pipe, a terminal: whichever it is, it is counted, and it is that for the command.
  i sh -c 'echo abcd; [ ! -t 1 ]' > file 2> err; text "$b: a file" '0 abcd' "$? $(cat file)"
  has "$b: counted" '^ +1 +0 +0 +1 +5 \(stdout\)$' err
  { echo one; i sh -c 'echo two; exec echo three' 2> err; echo four; } > shared
  text "$b: the offset is shared" 'one two three four' "$(paste -sd' ' shared)"
  has "$b: two writes, one open" '^ +1 +0 +0 +2 +10 \(stdout\)$' err
  text "$b: a pipe is one" 'fifo' "$(i sh -c 'stat -L -c %F /proc/self/fd/1' 2> err)"
  has "$b: counted" '^ +1 +0 +0 +1 +5 \(stdout\)$' err
  text "$b: input that is not read is left" 'second' "$(printf 'first\nsecond\n' | { i sh -c 'read -r line' 2> err; cat; })"
  has "$b: read by bytes" '^ +1 +6 +6 +0 +0 \(stdin\)$' err
  i yes 2> err | head -1 > out; text "$b: a reader that leaves" '141 y' "${PIPESTATUS[0]} $(cat out)"
  i sh -c 'echo away > file; echo here' > out 2> err
  has "$b: a redirection is a file's" '^ +1 +0 +0 +1 +5 .*/file$' err
  has "$b: and the rest standard output's" '^ +1 +0 +0 +1 +5 \(stdout\)$' err
  i --json echo x > out 2> err
  has "$b: JSON has the name" '"path":"\(stdout\)","opens":1,"reads":0,"read_bytes":0,"writes":1,"written_bytes":2' err
  rm -f go
  i sh -c '(until [ -e go ]; do sleep 0.1; done; echo late) & echo now' > file 2> err
  has "$b: what outlives the command" '^ +1 +0 +0 +1 +4 \(stdout\)$' err
  touch go
  until_ok grep -q late file
  text "$b: goes on" 'now late' "$(paste -sd' ' file)"
  if [ $b != ptrace ]; then
    i "$PSUITE" iostats -b ptrace true > out 2>&1; has "$b: what traces in there is told" ', [0-9]+ calls? of ptrace, which failed here$' out
    status "$b: unless they do not count" 0 i --no-standard "$PSUITE" iostats -b ptrace echo x
    text "$b: then there is no row by $b" '' "$(sed '1,/counted by ptrace/d' err | rows /dev/stdin)"
    has "$b: and the last line says so" ', inherited descriptors$' err
  fi
  if command -v script > /dev/null; then
    timeout 100 script -qec "'$PSUITE' iostats -b $b sh -c 'test -t 0 && test -t 1 && echo terminal' 2>err" /dev/null < /dev/null > out
    has "$b: a terminal stays one" '^terminal' out
    has "$b: counted" '^ +1 +0 +0 +1 +9 \(stdout\)$' err
  else
    skip "$b: a terminal" 'no script'
  fi
done
finish
