# sym on this machine: psuite's own functions against nm, a process, the kernel, files that change under it.
. lib/check.sh
: "${WORK:=$TESTS/../build/work}" "${PSUITE_SANITIZE:=}"
command -v nm >/dev/null || { skip 'sym' 'no nm'; finish; }

# --- a file: each function by its own address, and in the middle of it
nm -S --defined-only "$PSUITE" | awk 'NF == 4 && $3 ~ /^[tT]$/ && $2 !~ /^0+$/ && !seen[$1]++ { print $1, $4 }' > "$scratch/functions"
awk '{ print $1 }' "$scratch/functions" > "$scratch/asked"
status 'its own functions' 0 "$PSUITE" sym --no-demangle "$PSUITE" < "$scratch/asked"
sed 's/ at .*//; s/+0x0$//' "$scratch/out" | paste -d' ' "$scratch/functions" - | awk '$2 != $3' > "$scratch/differ"
nm --defined-only "$PSUITE" | awk '{ print $1, $3 }' > "$scratch/aliases"
awk 'NR == FNR { has[$1, $2]; next } !(($1, $3) in has)' "$scratch/aliases" "$scratch/differ" > "$scratch/wrong"
holds 'several hundred' "$(wc -l < "$scratch/functions") > 300"
text 'go by the names nm has, or an alias' '' "$(head -3 "$scratch/wrong")"

# --- the same as llvm-symbolizer: functions, inlined ones too, files, lines, columns, also where there are none
if llvm-symbolizer --version 2>/dev/null | grep -q 'version 14\.'; then
  libc=$(readlink -f "$(ldd /bin/sleep | awk '/libc\.so/ { print $3 }')")
  for binary in "$PSUITE" "$libc"; do
    readelf -SW "$binary" | sed -n 's/.* \.text *PROGBITS *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/\1 \2/p' | { read -r start size
      seq $((16#$start)) $((16#$size / 1500)) $((16#$start + 16#$size - 1)) | xargs printf '0x%x\n'; } > "$scratch/asked"
    status "$(basename "$binary") as llvm-symbolizer has it" 0 "$PSUITE" sym --style=llvm --no-demangle "$binary" < "$scratch/asked"
    llvm-symbolizer --no-demangle --output-style=LLVM -e "$binary" < "$scratch/asked" > "$scratch/llvm"
    holds 'many answers' "$(grep -c '^$' "$scratch/out") > 1000"
    text 'the same' '' "$(diff "$scratch/llvm" "$scratch/out" | head -5)"
  done
else
  skip 'the same as llvm-symbolizer' 'no LLVM 14 here'
fi

# --- a process
libc=$(ldd /bin/sleep | awk '/libc\.so/ { print $3 }')
libc=$(readlink -f "$libc")
sleep 100 & pid=$!
sleep 0.2
base=$(awk -v f="$libc" '$6 == f && $3 == "00000000" { sub(/-.*/, "", $1); print $1; exit }' /proc/$pid/maps)
offset=$(nm -D --defined-only "$libc" 2>/dev/null | awk '$3 ~ /^nanosleep@/ { print $1; exit }')
if [ -n "$base" ] && [ -n "$offset" ]; then
  status 'an address in its libc' 0 "$PSUITE" sym $pid "$(printf %x $((0x$base + 0x$offset + 1)))"
  has 'by name and file' "^[_a-z]*nanosleep[_a-z]*\+0x1 \[$(basename "$libc")\]" "$scratch/out"
  status 'a line of a log' 0 sh -c "echo '$libc(+0x${offset##*0000})[0x1]' | '$PSUITE' sym $pid"
  has 'by file and offset' '^    [_a-z]*nanosleep[_a-z]*\+0x0 \[' "$scratch/out"
else
  skip 'an address in its libc' 'nm does not tell'
fi
kill $pid

# --- a process that is not ours to look at: the hint tells what is missing, and no more
as_other='setpriv --reuid 65534 --regid 65534 --clear-groups'
if [ "$(id -u)" = 0 ] && $as_other true 2>/dev/null; then
  $as_other sleep 100 & pid=$!
  sleep 0.2
  without=-sys_ptrace,-perfmon,-sys_admin # newer kernels show maps by the second, which the third contains
  status 'without the capability' 1 setpriv --bounding-set $without --inh-caps $without "$PSUITE" sym $pid 0
  has 'which the hint names' '^sym: hint: CAP_SYS_PTRACE is missing here' "$scratch/err"
  if unshare -r true 2>/dev/null; then
    status 'in a user namespace of our own' 1 unshare -r "$PSUITE" sym $pid 0
    has 'it is there, and does not help' '^sym: hint: a security module or a user namespace protects it' "$scratch/err"
  else
    skip 'in a user namespace of our own' 'none may be made'
  fi
  kill $pid
else
  skip 'a process that is not ours' 'not root, or no setpriv'
fi

# --- the kernel
if awk '$1 !~ /^0+$/ { found = 1; exit } END { exit !found }' /proc/kallsyms 2>/dev/null; then
  awk '$2 ~ /[tT]/ && NF == 3 && !seen[$1]++ { print $1, $3 }' /proc/kallsyms | awk 'NR % 50 == 7' > "$scratch/functions"
  awk '{ print $1 }' "$scratch/functions" > "$scratch/asked"
  status 'the kernel' 0 "$PSUITE" sym --no-demangle -k < "$scratch/asked"
  sed 's/+0x0.*//' "$scratch/out" | paste -d' ' "$scratch/functions" - | awk '$2 != $3' > "$scratch/differ"
  awk '{ print $1, $3 }' /proc/kallsyms > "$scratch/aliases"
  awk 'NR == FNR { has[$1, $2]; next } !(($1, $3) in has) && $2 !~ /^_e(init)?text$/' "$scratch/aliases" "$scratch/differ" > "$scratch/wrong"
  text "its functions ($(wc -l < "$scratch/functions")) go by the names kallsyms has" '' "$(head -3 "$scratch/wrong")"
else
  skip 'the kernel' 'its addresses are hidden'
fi

# --- compiled code
if "$PSUITE" tprof -x true >/dev/null 2>&1; then
  "$WORK/compiled" 2 & pid=$!
  status 'a JIT compiler at work' 0 "$PSUITE" tprof -t 0.5 $pid
  has 'its function' '^ *[0-9]+.* compiled::spin\(unsigned int\) \[JIT\]$|_ZN8compiled4spinEj \[JIT\]$' <(tr '\t' ' ' < "$scratch/out")
  at=$(awk '$2 ~ /x/ && $5 == 0 && !$6 { sub(/-.*/, "", $1); print $1 }' /proc/$pid/maps)
  status 'an address in it' 0 "$PSUITE" sym --no-demangle $pid "$at"
  text 'has its name' '_ZN8compiled4spinEj+0x0 [JIT]' "$(cat "$scratch/out")"
  wait $pid
  status 'one that has ended by the time of the report' 0 "$PSUITE" tprof -x sh -c 'echo $$ > "$1"; exec "$2" 0.3' sh "$scratch/pid" "$WORK/compiled"
  has 'has its names still' '\[JIT\]$' "$scratch/err"
  hasnt 'what it threw away is not told' thrown_away "$scratch/err"
  rm -f /tmp/perf-$pid.map "/tmp/perf-$(cat "$scratch/pid").map"
  "$WORK/compiled" 2 "$scratch" & pid=$!
  status 'a JIT compiler with a jitdump file' 0 "$PSUITE" tprof -t 0.5 $pid
  has 'its function' '^ *[0-9]+.* compiled::spin\(unsigned int\) \[JIT\]$|_ZN8compiled4spinEj \[JIT\]$' <(tr '\t' ' ' < "$scratch/out")
  at=$(awk '$2 ~ /x/ && $5 == 0 && !$6 { sub(/-.*/, "", $1); print $1 }' /proc/$pid/maps)
  status 'an address in it' 0 "$PSUITE" sym --no-demangle $pid "$at"
  text 'has its name' '_ZN8compiled4spinEj+0x0 [JIT]' "$(cat "$scratch/out")"
  wait $pid
  status 'one that is recorded' 0 "$PSUITE" tprof --record "$scratch/dump.rec" -q -x "$WORK/compiled" 0.3 "$scratch"
  rm -f "$scratch"/jit-*.dump
  status 'and whose file is gone' 0 "$PSUITE" tprof "$scratch/dump.rec"
  has 'has its names still' 'spin.* \[JIT\]$' "$scratch/out"
else
  skip 'a JIT compiler at work' 'no sampling here'
fi

# --- a file that shrinks while it is mapped
if [ "${PSUITE_SANITIZE#*address}" = "$PSUITE_SANITIZE" ]; then
  cp "$PSUITE" "$scratch/shrinks"
  address=$(nm "$PSUITE" | awk '$3 == "main" { print $1 }')
  coproc "$PSUITE" sym "$scratch/shrinks" 2>"$scratch/err"; pid=$COPROC_PID
  echo "$address" >&"${COPROC[1]}"; read -r -t 5 answer <&"${COPROC[0]}"
  has 'a file' '^main\+0x0' <(echo "$answer")
  : > "$scratch/shrinks"
  echo "$address" >&"${COPROC[1]}"; exec {COPROC[1]}>&-
  got=0; wait $pid || got=$?
  text 'that is truncated meanwhile is an error, no crash' 1 $got
  has 'and named as such' '^sym: .*: crashed with SIGBUS: it may have been rewritten$' "$scratch/err"
else
  skip 'a file that shrinks' 'crashes are not contained under the address sanitizer'
fi
finish
