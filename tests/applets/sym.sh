# sym: names for addresses: files with their debug files, a process of the fake platform, a kernel's symbols, logs.
. lib/check.sh
own=$TESTS/applets/sym data=$TESTS/data/debug
cd "$data" || exit
"$PSUITE" --version | grep -q libiberty || { skip 'sym' 'names are not demangled in this build'; finish; }

# --- debug files: every function of the stripped program, by whatever file has its name
starts() { nm "$1" | awk '/ [tT] / { print $1 }' | sort; }
if command -v nm >/dev/null; then starts full > "$scratch/starts"; text 'the addresses asked' '' "$(diff "$scratch/starts" "$own/starts")"
else skip 'the addresses asked' 'no nm'; fi
names() { local what=$1; shift; status "$what" 0 "$PSUITE" sym "$@" < "$own/starts"; }
names 'a whole file' full
same 'its names' "$own/names.out" "$scratch/out"
text 'no warning' '' "$(cat "$scratch/err")"
for at in "--debug-dir nothing --debug-dir dbg by-id/prog" by-link/prog by-folder/prog; do
  names "a debug file: $at" $at
  same "the same names: $at" "$own/names.out" "$scratch/out"
done
mkdir -p "$scratch/root/usr/lib/debug" "$scratch/root/bin" "$scratch/host"
cp -r dbg/.build-id "$scratch/root/usr/lib/debug/"; cp by-id/prog "$scratch/root/bin/by-id"; cp full "$scratch/root/bin/prog"
cp by-id/prog "$scratch/host/prog"
names 'a debug file below the sysroot' --sysroot "$scratch/root" by-id/prog
same 'the same names' "$own/names.out" "$scratch/out"
rm -r "$scratch/root/usr"
names 'a path below the sysroot' --sysroot "$scratch/root" /bin/prog
same 'the same names' "$own/names.out" "$scratch/out"
names 'raw names' --no-demangle full
same 'as they stand in the file' "$own/raw.out" "$scratch/out"

# --- debug files that are none
plain() { sed "s|$data|DATA|g; s|$scratch|SCRATCH|g" "$scratch/err"; }
names 'a debug file of another checksum' wrong/prog
plain > "$scratch/said"; same 'is told' "$own/wrong.err" "$scratch/said"
text 'and not used' '??' "$(sort -u "$scratch/out")"
names 'a debug file of another build' --debug-dir dbg stale/prog
plain > "$scratch/said"; same 'is told' "$own/stale.err" "$scratch/said"
names 'packed symbols' packed
has 'are told' '^sym: .*/packed has its symbols packed in .gnu_debugdata, which is not supported$' "$scratch/err"
names 'without a debug file' by-id/prog
plain > "$scratch/said"; same 'the places where it was looked for' "$own/none.err" "$scratch/said"
mkfifo "$scratch/host/prog.debug"; cp by-link/prog "$scratch/host/prog"
names 'a pipe in the place of a debug file' "$scratch/host/prog"

# --- the styles of others
if command -v addr2line >/dev/null; then
  strip -g -o "$scratch/nolines" full 2>/dev/null
  for options in '' -f -fC -fp -fa -fap -a -p; do
    "$PSUITE" sym --style=gnu $options "$scratch/nolines" < "$own/starts" > "$scratch/got" 2>/dev/null
    addr2line $options -e "$scratch/nolines" < "$own/starts" > "$scratch/want"
    same "addr2line $options" "$scratch/want" "$scratch/got"
  done
else
  skip 'as addr2line' 'no addr2line'
fi
# Their own options, of a file with inlined functions.
informed=$TESTS/data/dwarf/gcc-O2 asked='0x10000 0x10010 0x5000 0x10042 0x100c1'
if command -v addr2line >/dev/null; then
  for options in -f '-f -i' -fip '-afip' -s -fs '-fCi' '--functions --demangle -i' '-b elf64-x86-64 -f' '-R -f' '-r -f' '-p -i -f -C -s -a'; do
    "$PSUITE" sym --style=gnu $options -e "$informed" $asked > "$scratch/got" 2>&1
    addr2line $options -e "$informed" $asked > "$scratch/want"
    same "addr2line $options -e" "$scratch/want" "$scratch/got"
  done
  for options in '-j .text -a' '-j.text -fi' '--section=.text'; do
    "$PSUITE" sym --style=gnu $options "$informed" 0 10 42 > "$scratch/got" 2>&1
    addr2line $options -e "$informed" 0 10 42 > "$scratch/want"
    same "addr2line $options" "$scratch/want" "$scratch/got"
  done
fi
status 'a section that is not there' 1 "$PSUITE" sym --style=gnu -j .none -e "$informed" 0
has 'is told' "^sym: $informed: no section .none\$" "$scratch/err"
status 'a format that is not ELF' 2 "$PSUITE" sym --style=gnu -b pei-x86-64 -e "$informed" 0
has 'is refused' '^sym: --target: pei-x86-64: only formats of ELF can be read$' "$scratch/err"
if llvm-symbolizer --version 2>/dev/null | grep -q 'version 14\.'; then
  for options in -a -p '-a -p' -s --no-inlines --functions=none '--functions=none -p' '--no-inlines -p -a' --output-style=GNU \
    '--output-style=GNU -a -p' '--output-style=GNU --no-inlines -s' '-f -i --basenames' '--functions=linkage --addresses --pretty-print'; do
    for file in "-e $informed" "--obj=$informed" "-e=$informed"; do
      "$PSUITE" sym --style=llvm --no-demangle $options $file $asked > "$scratch/got" 2>&1
      llvm-symbolizer --no-demangle $options $file $asked > "$scratch/want"
      same "llvm-symbolizer $options ${file%%/*}" "$scratch/want" "$scratch/got"
    done
  done
  other=$TESTS/data/dwarf/clang-O2
  printf '%s\n' "$informed 0x10010" "\"$other\" 65552" "CODE '$other' 0x10010" "$informed 0x10010 more" "$informed 10010" 'hello' \
    "$scratch/none 0x10" "$informed" '' "$other 0x10000" > "$scratch/lines"
  "$PSUITE" sym --style=llvm --no-demangle < "$scratch/lines" > "$scratch/got" 2> "$scratch/err"
  text 'a file that is not there: status 1' 1 $?
  llvm-symbolizer --no-demangle < "$scratch/lines" > "$scratch/want" 2>/dev/null
  same 'lines with their files' "$scratch/want" "$scratch/got"
  text 'what is not there is told once' 1 "$(grep -c '/none: No such file or directory$' "$scratch/err")"
  "$PSUITE" sym --style=llvm --no-demangle "$informed 0x10010" "$other 0x10000" > "$scratch/got"
  llvm-symbolizer --no-demangle "$informed 0x10010" "$other 0x10000" > "$scratch/want"
  same 'operands with their files' "$scratch/want" "$scratch/got"
else
  skip 'the options of llvm-symbolizer' 'no LLVM 14'
fi
# What llvm-symbolizer 14 printed for the same words: sym/llvm.sh asks it again.
ask() { (cd "$TESTS/data/dwarf" && timeout 60 "$PSUITE" sym --style=llvm --no-demangle "$@"); }
. "$own/llvm.sh" > "$scratch/got" 2> "$scratch/err"
same 'every option of llvm-symbolizer' "$own/llvm-options.out" "$scratch/got"
ask() { (cd "$TESTS/data/dwarf" && llvm-symbolizer --no-demangle "$@"); }
if llvm-symbolizer --version 2>/dev/null | grep -q 'version 14\.'; then
  . "$own/llvm.sh" > "$scratch/want" 2>/dev/null
  same 'as it prints it here' "$scratch/want" "$own/llvm-options.out"
else
  skip 'as it prints it here' 'no LLVM 14'
fi
refused() { # refused MESSAGE WORD...: usage, and that message
  local message=$1; shift
  status "$*" 2 "$PSUITE" sym "$@" 0
  text 'is refused' "sym: $message" "$(head -1 "$scratch/err")"
}
refused '--functions: long: no such kind (linkage, short, none)' --style=llvm --functions=long -e "$informed"
refused '--output-style: XML: no such style (LLVM, GNU, JSON)' --style=llvm --output-style XML -e "$informed"
refused '--adjust-vma: -1: not a number, or too large' --style=llvm --adjust-vma=-1 -e "$informed"
refused '--print-source-context-lines: 0x80000000: not a number, or too large' --style=llvm --print-source-context-lines=0x80000000 -e "$informed"
refused '--inlining: no: neither true nor false' --style=llvm --inlining=no -e "$informed"
refused '--demangle: lisp: no such style (auto, gnu-v3, rust, none)' --style=gnu --demangle=lisp -e "$informed"
refused '--style: lldb: no such style (psuite, gnu, llvm)' --style=lldb -e "$informed"
status 'a package that is not there' 0 "$PSUITE" sym --style=llvm --dwp="$scratch/none" -e "$informed" 0x10000
has 'is reported' "^sym: $scratch/none: no such debug package\$" "$scratch/err"
status 'its version' 0 "$PSUITE" sym --style=llvm --version
has 'is that of psuite' '^psuite [0-9]' "$scratch/out"
status 'its help' 0 "$PSUITE" sym --style=llvm --help
has 'has its options' '^ *--print-source-context-lines N' "$scratch/out"
mkfifo "$scratch/pipe"
status 'a response file that is a pipe' 0 timeout 60 "$PSUITE" sym --style=llvm -e "$informed" "@$scratch/pipe"
text 'is no response file' "@$scratch/pipe" "$(cat "$scratch/out")"
printf -- '-f -p "-e" %s\n0x10\\000' "$informed" > "$scratch/words"
status 'a response file of addr2line' 0 "$PSUITE" sym --style=gnu -a "@$scratch/words" 10010
text 'has options and addresses' '0x0000000000010000: second at /src/prog.c:24,0x0000000000010010: inner at /src/prog.c:8' "$(paste -sd, "$scratch/out")"
status 'version of --style=gnu' 0 "$PSUITE" sym --style=gnu -v
has 'is that of psuite' '^psuite [0-9]' "$scratch/out"
status 'its other spellings' 0 "$PSUITE" sym --style=gnu --no-recursion-limit --recursion-limit --demangle=none -e "$informed" 10000
text 'are taken' /src/prog.c:24 "$(cat "$scratch/out")"

printf '0x239\nhello\n\n0\n0x239 \nface\n' > "$scratch/asked"
status 'as llvm-symbolizer' 0 "$PSUITE" sym --style=llvm "$data/by-link/prog" < "$scratch/asked"
same 'function, place, blank line; what is no address passes' "$own/llvm.out" "$scratch/out"

# --- JSON
status 'JSON' 0 "$PSUITE" sym -j by-link/prog 24b 239 0
same 'an object a line' "$own/json.out" "$scratch/out"
status 'JSON of a log' 0 "$PSUITE" sym -j by-link/prog < "$own/log"
if command -v python3 >/dev/null; then
  ok 'is JSON' python3 -c "import json,sys; [json.loads(l) for l in open('$scratch/out')]"
else skip 'is JSON' 'no python3'; fi

# --- logs
status 'a log' 0 "$PSUITE" sym by-link/prog < "$own/log"
same 'answers below its lines' "$own/log.out" "$scratch/out"
status 'a base' 0 "$PSUITE" sym -a --base 0x55d000000000 by-link/prog 0x55d00000023a 23a
same 'is subtracted' "$own/base.out" "$scratch/out"
status 'return addresses' 0 "$PSUITE" sym -r by-link/prog 23e 'prog(plain+0x5)[0x1]' 239
text 'are told by the call before' 'plain+0x5 at /src/prog.c:3,prog(plain+0x5)[0x1],    plain+0x5 at /src/prog.c:3,??,' "$(tr '\n' , < "$scratch/out")"
status 'a last line without its end' 0 sh -c "printf 239 | '$PSUITE' sym by-link/prog"
text 'is answered' 'plain+0x0 at /src/prog.c:3' "$(cat "$scratch/out")"
coproc "$PSUITE" sym by-link/prog
echo 239 >&"${COPROC[1]}"; read -r -t 5 answer <&"${COPROC[0]}"; text 'a conversation' 'plain+0x0 at /src/prog.c:3' "${answer:-}"
echo 26c >&"${COPROC[1]}"; read -r -t 5 answer <&"${COPROC[0]}"; text 'goes on' 'outer+0x0 at /src/prog.c:20' "${answer:-}"
exec {COPROC[1]}>&-; wait

# --- many lines: asked by blocks in order of file and address, answered in the order of the lines
many_lines() { awk '{ at[NR] = $1 } END { for (i = 0; i < 20000; i++) { x = (x * 1103515245 + 12345) % 2147483648; print at[int(x / 65536) % NR + 1] } }' "$own/starts"; }
many_lines > "$scratch/many"
paste "$own/starts" "$own/names.out" | awk -F '\t' 'NR == FNR { answer[$1] = $2; next } { print answer[$1] }' - "$scratch/many" > "$scratch/want"
status 'lines in no order' 0 "$PSUITE" sym full < "$scratch/many"
same 'answers in the order of the lines' "$scratch/want" "$scratch/out"
status 'the same through a pipe' 0 sh -c "cat '$scratch/many' | '$PSUITE' sym full"
same 'answers in the order of the lines, too' "$scratch/want" "$scratch/out"
# Each missing file is reported when it is opened: once a block, though more are named than stay open.
for round in 1 2 3; do for ((i = 0; i < 65; i++)); do echo "$scratch/missing$i 0x10"; done; done > "$scratch/asked"
status 'more files than stay open' 1 "$PSUITE" sym --style=llvm < "$scratch/asked"
text 'each is opened once a block' 65 "$(grep -c 'missing[0-9]*: No such file' "$scratch/err")"
text 'each line is answered' 195 "$(grep -c '^??$' "$scratch/out")"
# A program that writes much and waits for the answers, its end of the pipe open: less than a block is answered, too.
coproc "$PSUITE" sym full
head -2200 "$scratch/many" >&"${COPROC[1]}"
answers=0; while ((answers < 2200)) && read -r -t 60 answer <&"${COPROC[0]}"; do answers=$((answers + 1)); done
text 'answers without the end of input' 2200 "$answers"
exec {COPROC[1]}>&-; wait

# --- a process
fake() { local s=$1; shift; PSUITE_FAKE=$TESTS/applets/$s.scenario "$PSUITE_FAKE_BIN" sym "$@"; }
status 'a process' 0 fake tprof/jit 7 401000 40103f 7f0000001048 7f1000000010 7f1000000210 10
same 'its program, library, compiled code' "$own/process.out" "$scratch/out"
status 'a log of the process' 0 fake tprof/jit 7 < "$own/process.log"
same 'by address, by file' "$own/process.log.out" "$scratch/out"
status 'no such process' 1 fake tprof/jit 8
has 'is told' '^sym: process 8: No such process$' "$scratch/err"

# --- the kernel
status 'a System.map' 0 "$PSUITE" sym -k --system-map "$own/System.map" < "$own/oops"
same 'an ARM oops' "$own/oops.out" "$scratch/out"
status 'moved' 0 "$PSUITE" sym -k --system-map "$own/System.map" --base c1008000 c1008110
text 'by its _text' 'start_kernel+0x10' "$(cat "$scratch/out")"
status 'a vmlinux' 0 "$PSUITE" sym -k --vmlinux full 23a
text 'has names' 'plain+0x1 at /src/prog.c:3' "$(cat "$scratch/out")"
echo "kallsyms hidden" > "$scratch/hidden.scenario"; printf '0000000000000000 T _text\n' > "$scratch/hidden"
PSUITE_FAKE=$scratch/hidden.scenario status 'a kernel that hides its addresses' 1 "$PSUITE_FAKE_BIN" sym -k 0
has 'is told' '^sym: /proc/kallsyms: the kernel hides its addresses$' "$scratch/err"
has 'with the remedy' '^sym: hint: run as root, with sysctl kernel.kptr_restrict=1 or 0; or use --system-map' "$scratch/err"
status 'a map without symbols' 1 "$PSUITE" sym -k --system-map make.sh 0
has 'is told' '^sym: make.sh: has no symbols$' "$scratch/err"

# --- declarations
types="$PSUITE sym -k --btf $TESTS/data/types/sample.btf"
status 'definitions and prototypes' 0 $types --struct node --struct counter --struct 'enum color' --struct mask --struct number \
  --signature compare --signature nothing --signature printed --signature chosen --signature flags --signature find
same 'as C declares them' "$own/types.out" "$scratch/out"
status 'as JSON' 0 $types -j --struct node --struct counter --struct 'enum color' --struct mask --struct number \
  --signature compare --signature nothing --signature printed --signature chosen --signature flags --signature find
same 'an object a line' "$own/types.json" "$scratch/out"
status 'names that are not there' 1 $types --struct none --signature none --signature compare --struct hidden
text 'the others are printed' 'int compare(const struct node *left, const struct node *right);' "$(cat "$scratch/out")"
text 'and they are named' 'sym: none: no struct, union or enum of that name
sym: none: no types of a function of that name
sym: hidden: no struct, union or enum of that name' "$(cat "$scratch/err")"
mkdir "$scratch/btf"
cp "$TESTS/data/types/module.btf" "$scratch/btf/module"
module="$PSUITE sym -k --btf $scratch/btf/module"
status 'a module'\''s without the kernel'\''s' 1 $module --struct holder
text 'is refused, with the remedy' "sym: $scratch/btf/module: damaged BTF
sym: hint: a module's needs the kernel's in the same folder, named vmlinux" "$(cat "$scratch/err")"
cp "$TESTS/data/types/sample.btf" "$scratch/btf/vmlinux"
status 'a module'\''s, with the kernel'\''s beside it' 0 $module --struct holder --signature hold --signature compare
text 'has both' 'struct holder {
    struct node *first;                         /*     0       8 */
    unsigned int held;                          /*     8       4 */
    enum {...} state;                           /*    12       4 */
};                                              /* size: 16, members: 3 */
int hold(struct holder *holder, struct node *node, long unsigned int times);
int compare(const struct node *left, const struct node *right);' "$(cat "$scratch/out")"
for i in 3 40 90 150 199; do
  head -c $i "$TESTS/data/types/module.btf" > "$scratch/btf/module"
  status "a module's, cut at $i" 1 $module --struct holder
done

# --- what it says when it cannot
status 'no file' 1 "$PSUITE" sym "$scratch/none" 0
has 'names it' "^sym: $scratch/none: No such file or directory$" "$scratch/err"
status 'no ELF file' 1 "$PSUITE" sym make.sh 0
has 'says so' '^sym: make.sh: not an ELF file$' "$scratch/err"
status 'no operand' 2 "$PSUITE" sym
has 'tells the usage' '^usage: sym ' "$scratch/err"
status 'a base that is none' 2 "$PSUITE" sym --base x full
status 'a style that is none' 2 "$PSUITE" sym --style=x full
status 'a System.map without -k' 2 "$PSUITE" sym --system-map x full
status 'a full disk' 1 sh -c "'$PSUITE' sym full 239 > /dev/full"
# --- what the debug information names and is not there
cp "$TESTS/data/dwarf/split-gcc5" "$TESTS/data/dwarf/dwz-one" "$scratch"
status 'split off and lost' 0 "$PSUITE" sym "$scratch/split-gcc5" 0x10080
text 'is named' "sym: $scratch/split-gcc5: functions are missing: ./split-gcc5-prog.dwo was not found" "$(cat "$scratch/err")"
status 'shared and lost' 0 "$PSUITE" sym "$scratch/dwz-one" 0x10080
text 'is named, too' "sym: $scratch/dwz-one: names are missing: they are in dwz-shared, which was not found" "$(cat "$scratch/err")"
if "$PSUITE" --version | grep -q ' libdwarf'; then
  status 'types that were shared' 1 "$PSUITE" sym --signature twice "$scratch/dwz-one"
  text 'are reported' "sym: $scratch/dwz-one: types are missing: dwz moved them to dwz-shared, which is not read
sym: hint: use a build without dwz -m; gdb reads this one: ptype, info scope
sym: twice: no types of a function of that name" "$(cat "$scratch/err")"
  status 'types that were split off' 1 "$PSUITE" sym --signature main "$scratch/split-gcc5"
  text 'are reported, too' "sym: $scratch/split-gcc5: types are missing: they are in .dwo files, which are not read
sym: hint: build it with -g alone, not with -gsplit-dwarf
sym: main: no types of a function of that name" "$(cat "$scratch/err")"
else skip 'types that are elsewhere' 'built without libdwarf'
fi
core=$TESTS/fuzz/corpus/core/02876b3ac8c06fc05a67d814ddffc2473ad1a513
status 'a core file as the program' 2 "$PSUITE" sym "$core" 0x1000
has 'is named as one, with what to type' "^sym: .*/02876.*: is a core file; did you mean .sym --core .*/02876" "$scratch/err"
cd "$TESTS/data/dwarf" || exit
status 'what was split off and shared' 0 "$PSUITE" sym --style=llvm dwz-one 0x10080
text 'is found beside the file' '' "$(cat "$scratch/err")"
finish
