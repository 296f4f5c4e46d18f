# prof: Plan 9's files on the worked examples, ours in both byte orders, damaged ones, and what it says when it cannot.
#   tests/applets/prof/NAME.text is a profile of ours as tests/tools/profmake.c reads it.
. lib/check.sh
golden=$TESTS/golden/prof own=$TESTS/applets/prof
make=$(dirname "$PSUITE")/tests/profmake
unset objtype tabstop

# --- version 1: every worked example, by the 32 and the 64 bit program
for elf in elf32 elf64; do
  for data in "$golden"/*.prof; do
    name=$(basename "$data" .prof)
    for out in "$golden/$name".*.out; do
      form=${out#"$golden/$name."} form=${form%.out}
      stop=
      case $form in *.ts*) stop=${form#*.ts} form=${form%.ts*} ;; esac
      option=-$form; [ "$form" != flat ] || option=
      status "prof $option of $name, $elf" 0 env ${stop:+tabstop=$stop} "$PSUITE" prof $option "$golden/prog.$elf" "$data"
      same "$name: its lines" "$out" "$scratch/out"
      err=$golden/$name.$form.err; [ -e "$err" ] || err=/dev/null
      same "$name: its errors" "$err" "$scratch/err"
    done
  done
done

# --- calls that `5l -p -1' counts
counts=$golden/mcount.prof
status 'counts by function' 0 "$PSUITE" prof -c "$golden/prog.elf32" "$counts"
has 'are calls, not times' '^202 calls; exact, calls only, by function$' "$scratch/out"
status 'counts as JSON' 0 "$PSUITE" prof --json "$golden/prog.elf32" "$counts"
has 'have their type' '"version":1,"type":"count"' "$scratch/out"
status 'counts as version 1' 0 "$PSUITE" prof -q --v1 "$scratch/counts" "$golden/prog.elf32" "$counts"
status 'read again' 0 "$PSUITE" prof "$golden/prog.elf32" "$scratch/counts"
same 'the same calls' "$golden/mcount.flat.out" "$scratch/out"
head -c 22 "$counts" > "$scratch/counts.cut"
status 'counts cut off' 0 "$PSUITE" prof "$golden/prog.elf32" "$scratch/counts.cut"
text 'are told' 'prof: __mcount: cut off: 22 of 36 bytes' "$(cat "$scratch/err")"
text 'and the rest is read' "$(sed '/bar/d' "$golden/mcount.flat.out")" "$(cat "$scratch/out")"
{ cat "$counts"; head -c 28 /dev/zero; } > "$scratch/counts.page"
status 'counts with what follows them in memory' 0 "$PSUITE" prof "$golden/prog.elf32" "$scratch/counts.page"
text 'which is told' 'prof: __mcount: 28 bytes after its end are ignored' "$(cat "$scratch/err")"
same 'and is not read' "$golden/mcount.flat.out" "$scratch/out"
# 2097155 words in little-endian order, a function more than are read.
{ printf '\003\000\040\000'; head -c 8388616 /dev/zero; } > "$scratch/counts.many"
status 'too many functions' 1 "$PSUITE" prof "$golden/prog.elf32" "$scratch/counts.many"
text 'are refused' "prof: $scratch/counts.many: __mcount: 1048577 functions, at most 1048576 are read" "$(cat "$scratch/err")"
rm "$scratch/counts.many"

# --- Plan 9's names of files
cd "$scratch" || exit
cp "$golden/funcs.prof" prof.out
for pair in : none:8.out amd64:6.out arm:5.out spim:0.out; do
  type=${pair%:*} file=${pair#*:} file=${file:-8.out}
  cp "$golden/prog.elf32" "$file"
  status "objtype=$type" 0 env ${type:+objtype=$type} "$PSUITE" prof
  same "objtype=$type: by $file" "$golden/funcs.flat.out" out
  rm "$file"
done
cp "$golden/prog.elf64" a.out
status 'without these' 0 "$PSUITE" prof
same 'a.out it is' "$golden/funcs.flat.out" out
rm a.out
status 'without any' 1 "$PSUITE" prof
text 'names what is missing' 'prof: 8.out: No such file or directory' "$(head -1 err)"
status 'a program that is none' 1 "$PSUITE" prof prof.out
text 'says so, and what is missing' 'prof: prof.out: text file not an a.out
prof: hint: name the program that was profiled: psuite prof PROGRAM prof.out' "$(cat err)"
rm prof.out
status 'nothing to read' 1 "$PSUITE" prof
text 'tells where it looked' 'prof: nothing to read: there is no prof.out here, and no profile was named' "$(head -1 err)"
has 'and how a profile is made' 'prof --cflags' err
status 'an operand that is not there' 1 "$PSUITE" prof prof.99
text 'is named' 'prof: prof.99: No such file or directory' "$(head -1 err)"
has 'and how a profile is made' 'prof --cflags' err
status 'a profile that is not there' 1 "$PSUITE" prof "$golden/prog.elf32" none
text 'is named' 'prof: none: No such file or directory' "$(head -1 err)"
status 'a program for a profile' 1 "$PSUITE" prof "$golden/prog.elf32" "$golden/prog.elf64"
text 'is told as such' "prof: $golden/prog.elf64: is a program, not a profile
prof: hint: \`psuite prof --coverage -x $golden/prog.elf64' counts the calls of any program" "$(cat err)"

# --- version 2
made() { sed "s|ORDER|$2|; s|PROG|${3:-$golden/prog.elf64}|" "$own/$1.text" | "$make" > "prof.$1"; }
for order in little big; do
  for name in funcs recur; do
    made $name $order
    for out in "$golden/$name".*.out; do
      form=${out#"$golden/$name."} form=${form%.out}
      stop=
      case $form in *.ts*) stop=${form#*.ts} form=${form%.ts*} ;; v) continue ;; esac
      option=-$form; [ "$form" != flat ] || option=
      status "prof $option of $name, $order" 0 env ${stop:+tabstop=$stop} "$PSUITE" prof $option prof.$name
      same "$name, $order: the same lines" "$out" out
    done
    text "$name, $order: nothing beside them" '' "$(cat err)"
  done
  for name in threads costs adaptive count twice damaged; do
    made $name $order
    { for option in '' -d -v -c --threads; do
        echo "--- prof $option $name"
        "$PSUITE" prof $option prof.$name 2>&1
      done; } | grep -v 'cut off' > shown
    same "$name, $order" "$own/$name.out" shown
  done
done
status 'two profiles' 1 "$PSUITE" prof prof.funcs prof.costs
text 'how they are shown' "prof: prof.funcs: text file not an a.out: it is a profile
prof: hint: \`psuite prof prof.funcs' shows one, \`psuite prof --diff prof.funcs prof.costs' compares the two" "$(cat err)"
status 'the profile first' 1 "$PSUITE" prof prof.funcs "$golden/prog.elf64"
text 'how it is' "prof: prof.funcs: text file not an a.out: it is a profile
prof: hint: the program comes first: psuite prof $golden/prog.elf64 prof.funcs" "$(cat err)"
status 'raw times' 0 "$PSUITE" prof -R prof.costs
has 'have the cost of the probes' '^35.0    0.014  1000000	foo$' out
status 'errors' 0 "$PSUITE" prof --errors prof.costs
text 'have a column: what main is off by changes both shares' "$(printf '  %%    Error     Time     Calls  Name\n66.7  +-16.5    0.020        1\tmain\n33.3  +-16.5    0.010  1000000\tfoo')" "$(cat out)"
status 'no errors' 0 "$PSUITE" prof --errors --rows 1 prof.funcs
text 'have an empty column' "$(printf '60.0            0.060      100\tfoo\n40.0            0.040      102\t(2 more)')" "$(tail -n +2 out)"
status 'errors and lines' 0 "$PSUITE" prof -l --errors --rows 1 prof.adaptive
text 'with the rest' "$(printf '80.0   +-4.2    0.080    16000\tfoo\n20.0   +-4.2    0.020        1\t(1 more)')" "$(tail -n +2 out)"
status 'errors of the tree' 2 "$PSUITE" prof -d --errors prof.costs
has 'are not there' '^prof: --errors: only the table of functions has error bounds' err
sed "s|ORDER|big|; s|PROG|$golden/prog.elf64|; s/000000/000/g" "$own/costs.text" | "$make" > prof.brief
status 'a brief program' 0 "$PSUITE" prof --errors prof.brief
has 'may be off by much of its time' '^[0-9. ]+ \+-16.5 .*	main$' out
text 'and that is not said in 0 ms' '' "$(cat err)"
# unsampled FIELD VALUE...: the head of a report of prof.costs, with fields of its header (264 sampling, 268 sample_cost_ns)
unsampled() {
  { sed "s|ORDER|little|; s|PROG|$golden/prog.elf64|" "$own/costs.text"; printf 'set32 %s %s\n' "$@"; } | "$make" > prof.unsampled
  status "a header with $*" 0 "$PSUITE" prof -c prof.unsampled
  head -1 out
}
text 'samples were refused' '30.00 ms; exact, elapsed by tsc (1.0 ns), probes of 10.0 ns a call taken out, not sampled: perf events are not permitted' \
  "$(unsampled 264 4)"
text 'samples of kernel mode were refused' '30.00 ms; exact, elapsed by tsc (1.0 ns), probes of 10.0 ns a call taken out, not sampled: perf events of kernel mode are not permitted' \
  "$(unsampled 264 20)"
text 'would have cost too much' '30.00 ms; exact, elapsed by tsc (1.0 ns), probes of 10.0 ns a call taken out, not sampled: a timer interrupt takes 312 us' \
  "$(unsampled 264 8 268 312400)"
text 'would have cost an unknown time' '30.00 ms; exact, elapsed by tsc (1.0 ns), probes of 10.0 ns a call taken out, not sampled: too few timer interrupts came to measure one' \
  "$(unsampled 264 64)"
text 'were not wanted' '30.00 ms; exact, elapsed by tsc (1.0 ns), probes of 10.0 ns a call taken out, not sampled: profsample=0' "$(unsampled 264 32)"
text 'or the file does not say why' '30.00 ms; exact, elapsed by tsc (1.0 ns), probes of 10.0 ns a call taken out, not sampled' "$(unsampled 264 8)"
unsampled 260 100000 272 3 > head
has 'some threads were not sampled' \
  "^prof: prof.unsampled: 3 threads could not be sampled: the cost of their probes is taken from the program's start\$" err
unsampled 260 100000 272 3 264 2 > head
has 'and have no times' '^prof: prof.unsampled: 3 threads could not be sampled: their times are missing$' err
unsampled 48 0 240 40000000 1304 39000000 > head
has 'what the process took, with the probes' \
  '^prof: prof.unsampled: shown: 30 ms; the run with its probes: 40 ms, CPU time 39 ms$' err
unsampled 48 0 240 40000000 1304 20000000 > head
has 'also if it waited' 'CPU time 20 ms$' err
status 'JSON' 0 "$PSUITE" prof --json --threads prof.threads
sed "s|$golden|GOLDEN|g" out > json
same 'has it all' "$own/threads.json" json
status 'JSON of the tree' 0 "$PSUITE" prof --json --tree prof.funcs
has 'has the nodes' '"nodes":\[' out
status 'two rows' 0 "$PSUITE" prof --rows 1 prof.funcs
text 'and the rest in one' '40.0    0.040      102	(2 more)' "$(sed -n 3p out)"
status 'around' 0 "$PSUITE" prof --around bar prof.funcs
has 'its callers' '20.0 +66.7  <- foo' out
has 'the other one, too' '10.0 +33.3  <- main' out
status 'the tree' 0 "$PSUITE" prof --tree prof.recur
has 'from main' '100.0 +36.00 +1.00  main' out
status 'upwards' 0 "$PSUITE" prof --callers prof.recur
has 'from g' '^ *52.8 ' out

# --- written
status 'as version 1' 0 "$PSUITE" prof -q --v1 again prof.recur
status 'read again' 0 "$PSUITE" prof "$golden/prog.elf64" again
same 'the same' "$golden/recur.flat.out" out
status 'and its tree' 0 "$PSUITE" prof -d "$golden/prog.elf64" again
same 'is the same' "$golden/recur.d.out" out
status 'what is of libraries' 0 "$PSUITE" prof -q --v1 other prof.threads
has 'is told' '^prof: other: 1 node of other modules than the program: the pc is 0$' err
status 'never over a file' 1 "$PSUITE" prof -q --v1 again prof.recur
status 'as folded stacks' 0 "$PSUITE" prof -q -o folded:folded prof.funcs
has 'by time' '^main;foo;bar 20000000$' folded
status 'as callgrind' 0 "$PSUITE" prof -q -o callgrind:grind prof.funcs
has 'with calls' '^calls=100 ' grind
status 'as a flame graph' 0 "$PSUITE" prof -q -o flame:flame prof.funcs
has 'a picture' '^<svg' flame
made funcs little; cp prof.funcs prof.old; made recur big
status 'two compared' 0 "$PSUITE" prof --diff prof.old prof.recur
has 'what is new' 'g \[prog.elf64\] \(new\)' out

status 'from another machine' 0 sh -c '"$1" prof - < prof.old' sh "$PSUITE"
same 'by standard input' "$golden/funcs.flat.out" out

# --- programs
status 'the program named' 0 "$PSUITE" prof "$golden/prog.elf64" prof.funcs
same 'is that' "$golden/funcs.flat.out" out
byid=$TESTS/data/debug/full
id=$(readelf -n "$byid" 2>/dev/null | sed -n 's/.*Build ID: //p')
if [ -n "$id" ]; then
  status 'another program' 1 "$PSUITE" prof "$byid" prof.funcs
  has 'is refused' "^prof: $byid: not the build that was profiled \(build-id $id, the profile has none\)$" err
  has 'with what it is of' "^prof: hint: the profile is of $golden/prog.elf64$" err
  sed "s|ORDER|big|; s|PROG 10000 -|/gone/prog 10000 $id|" "$own/funcs.text" | "$make" > prof.id
  status 'a program moved' 0 "$PSUITE" prof "$byid" prof.id
  text 'is found by its build-id' '' "$(cat err)"
  status 'its own file gone' 0 "$PSUITE" prof prof.id
  has 'says so' '^prof: /gone/prog: no names: no file with its build-id was found$' err
  has 'and shows addresses' '	#1040$' out
else
  skip 'build-ids' 'no readelf'
fi

# --- sizes: a million nodes, a million deep
for name in bushy deep; do
  made $name little
  status "$name: a million nodes" 0 "$PSUITE" prof prof.$name
  if [ -z "${PSUITE_SANITIZE:-}" ]; then
    "$PSUITE" time --json "$PSUITE" prof prof.$name > /dev/null 2> cost
    kb=$(grep -oE '"peak_rss_bytes":[0-9]+' cost | head -1 | grep -oE '[0-9]+$')
    holds "$name: under 200 MB" "${kb:-999999999} < 200000000"
    user=$(grep -oE '"user_ns":[0-9]+' cost | head -1 | grep -oE '[0-9]+$')
    holds "$name: in ten times what an idle machine needs" "${user:-90000000000} < 8000000000"
  fi
done
has 'recursion is one function' '^100.0    1.000  1000000	foo$' out
status 'its graph' 0 "$PSUITE" prof -d prof.deep
text 'is cut at the second' '3' "$(wc -l < out)"
rm -f prof.bushy prof.deep

# --- damaged files
printf '\0\0\0\0psprof2\nabc' > short
head -c 8192 /dev/zero > begun; : > none
for file in begun none; do
  status "$file: a program killed at its start" 1 "$PSUITE" prof $file
  text 'is told' "prof: $file: empty: the program ended before recording began" "$(cat err)"
done
status 'a head cut off' 1 "$PSUITE" prof short
text 'is told' 'prof: short: cut off: 15 bytes, the header alone has 4096' "$(cat err)"

# --- what a Makefile needs
status 'for the compiler' 0 "$PSUITE" prof --cflags
has 'calls of functions are told' '^-finstrument-functions' out
status 'for both' 0 "$PSUITE" prof --cflags --libs
text 'a line each' "$("$PSUITE" prof --cflags; "$PSUITE" prof --libs)" "$(cat out)"
mkdir -p inst/bin inst/lib && cp "$PSUITE" inst/bin/psuite && echo archive > inst/lib/libpsprof.a
mkdir inst/include && touch inst/include/psprof.h
status 'for the compiler, installed apart' 0 inst/bin/psuite prof --cflags
has 'where the header is' " -I$(realpath inst)/include$" out
status 'for the linker' 0 inst/bin/psuite prof --libs
has 'the installed library' "^$(realpath inst)/lib/libpsprof.a( |\$)" out

# --- a program of ours, where the runtime is built
cat > calls.c <<'END'
void bar(void) { __asm__ volatile(""); }
void foo(void) { bar(); }
int main(void) { for (int i = 0; i < 100; i++) foo(); bar(); return 0; }
END
if "$PSUITE" prof --libs > libs 2> err && command -v cc > /dev/null; then
  ok 'a program is built' sh -c 'cc -g $("$1" prof --cflags) calls.c $(cat libs) -o calls' sh "$PSUITE"
  rm -f prof.[0-9]*
  status 'runs' 0 ./calls
  status 'and is profiled' 0 "$PSUITE" prof -l prof.[0-9]*
  text 'its calls' '100 foo calls.c:2,101 bar calls.c:1,1 main calls.c:3' \
    "$(awk 'NR > 1 { sub(/.*\//, "", $5); print $3, $4, $5 }' out | awk '{ l[$2] = $0 } END { print l["foo"] "," l["bar"] "," l["main"] }')"
  status 'its tree' 0 "$PSUITE" prof -d prof.[0-9]*
  text 'two places of bar' 'main. foo/100.	bar/100. bar' "$(sed -E 's/:[0-9]+//' out | tr -d '\n')"
else
  skip 'a program of ours' 'no libpsprof is built'
fi

# --- usage
status 'three operands' 2 "$PSUITE" prof a b c
has 'tells the usage' '^usage: prof \[-drv\]' err
status '-d with another report' 2 "$PSUITE" prof -dc prof.funcs
status 'one profile to compare' 2 "$PSUITE" prof --diff prof.funcs
status 'quiet without a file' 2 "$PSUITE" prof -q prof.funcs
# --- programs that were not built for it
cd "$TESTS" || exit
status 'how they can be patched' 0 "$PSUITE" prof --dry-run --unpatched data/probe/x86_64
same 'a table, and a list' golden/probe/x86_64.out "$scratch/out"
status 'the same as JSON' 0 "$PSUITE" prof --dry-run --unpatched --json data/probe/x86_64
same 'with its keys' golden/probe/x86_64.json "$scratch/out"
status 'of one row' 0 "$PSUITE" prof --dry-run --unpatched --rows 1 data/probe/x86_64
has 'the rest is counted' '^\(6 more\)$' "$scratch/out"
status 'one of two' 1 "$PSUITE" prof --dry-run data/probe/x86_64.s data/probe/x86_64
has 'is no program' 'x86_64.s: not an ELF file' "$scratch/err"
has 'the other is reported' 'can be patched' "$scratch/out"
status 'of 32-bit ARM' 0 "$PSUITE" prof --dry-run data/cfi/armhf
has 'of all functions' '^data/cfi/armhf: arm, 7 of 7 functions can be patched \(100.00%\)$' "$scratch/out"
status 'of another processor' 1 "$PSUITE" prof --dry-run data/elf/armeb-be8.so
has 'it is refused' 'armeb-be8.so: probes are planned for x86-64, arm64 and 32-bit ARM alone' "$scratch/err"
status 'no index' 1 "$PSUITE" prof --dry-run data/elf/x86_64.pie
has 'is told' 'eh_frame_hdr' "$scratch/err"
status 'no file' 2 "$PSUITE" prof --dry-run
status 'a profile' 2 "$PSUITE" prof --dry-run --tree x
has 'is not read' 'dry-run reads no profile' "$scratch/err"
status 'a list of nothing' 2 "$PSUITE" prof --unpatched x
has 'is not made' 'unpatched needs' "$scratch/err"
finish
