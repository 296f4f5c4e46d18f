# sym --style=llvm on this machine: the bytes of llvm-symbolizer 14, of real programs, with each of its options.
. lib/check.sh
: "${PSUITE_SANITIZE:=}"
llvm=$(type -P llvm-symbolizer-14 || type -P llvm-symbolizer)
if [ -z "$llvm" ] || ! "$llvm" --version | grep -q 'version 14\.'; then skip 'sym --style=llvm' 'no llvm-symbolizer 14'; finish; fi
for tool in g++ readelf objcopy python3; do
  command -v $tool >/dev/null || { skip 'sym --style=llvm' "no $tool"; finish; }
done
asked=200 thirds=3 # addresses of each program; it is asked with every third of the options
[ -z "${WHOLE:-}" ] || asked=700 thirds=1 # ./dev soak native
[ -z "$PSUITE_SANITIZE" ] || asked=60
cp native/sym_llvm/prog.cc "$scratch"
cd "$scratch" || exit

# --- programs
programs=()
made() { programs+=("$1"); }
g++ -g -O2 -o gcc prog.cc && made gcc
g++ -gdwarf-4 -O2 -no-pie -o gcc-dwarf4 prog.cc && made gcc-dwarf4
g++ -g -O2 -flto=1 -o gcc-lto prog.cc && made gcc-lto
g++ -g -O2 -gsplit-dwarf -c -o split.o prog.cc && g++ -o gcc-split split.o && made gcc-split
strip -o stripped gcc && made stripped
strip -g -o without-lines gcc && made without-lines
if command -v clang++ >/dev/null; then
  clang++ -std=c++17 -g -O2 -o clang prog.cc && made clang
  clang++ -std=c++17 -gline-tables-only -O2 -o clang-lines prog.cc && made clang-lines
else
  skip 'programs of clang' 'no clang++'
fi
ln -s "$PSUITE" own && made own
holds 'programs' "${#programs[@]} >= 7"

# --- addresses: of the code, around it, and lines that are none
addresses_of() {
  readelf -SW "$1" | awk '{ for (i = 1; i <= NF; i++) if ($i == ".text") print $(i + 2), $(i + 4) }' | { read -r start size
    awk -v start=$((16#$start)) -v size=$((16#$size)) -v count=$asked 'BEGIN {
      step = size > count ? size / count : 1
      for (i = 0; i < count; i++) printf "0x%x\n", start + int(i * step)
      printf "0x%x\n0x%x\n0x%x\n%d\n0\n0x7fffffffffffffff\n18446744073709551615\n", start - 1, start + size - 1, start + size, start
      print "hello"; print ""; print "0x"; print "CODE 0x1140"; print "0x1140 more" }'
  }
}
for program in "${programs[@]}"; do addresses_of $program > $program.asked; done
holds 'thousands of addresses' "$(cat ./*.asked | wc -l) > ${#programs[@]} * $asked"

# differs OPTIONS FILE: the first lines in which the answers differ
differs() {
  local options=$1 program=$2
  "$llvm" --no-demangle $options -e $program < $program.asked > want 2>/dev/null
  "$PSUITE" sym --style=llvm --no-demangle $options -e $program < $program.asked > got 2>err
  [ -s want ] || echo "llvm-symbolizer says nothing"
  cmp -s want got || { echo "$program:"; diff want got | head -4; }
}
turn=0
while IFS= read -r options; do
  text "with ${options:-no options}" '' "$(for ((p = turn % thirds; p < ${#programs[@]}; p += thirds)); do differs "$options" ${programs[p]}; done)"
  turn=$((turn + 1))
done <<'end'

--functions=short
-f=short --no-inlines
--functions=none
-f=none --no-inlines --output-style=JSON
--no-inlines
--inlining=false --output-style=GNU -p
--inlining=true -aps
--output-style=GNU
--output-style=JSON
--output-style=JSON -p --no-inlines
--output-style=JSON --functions=short --relativenames
--output-style JSON --basenames --print-source-context-lines=2
--verbose
--verbose --no-inlines -p -a
--verbose --output-style=GNU --relativenames
--relativenames
--relativenames --basenames
--basenames --relativenames
--print-source-context-lines=5
--print-source-context-lines=12 --output-style=GNU -p
--adjust-vma=0x20 -a
--adjust-vma 010 --no-untag-addresses
--relative-address --default-arch=x86_64 --dsym-hint=x.dSYM
--demangle --no-demangle --untag-addresses --functions
end

# --- the same of operands and files
# same_words WHAT WORD...: the same standard output
same_words() {
  local what=$1; shift
  "$llvm" "$@" </dev/null > want 2>/dev/null
  timeout 60 "$PSUITE" sym --style=llvm "$@" </dev/null > got 2>err
  same "$what" want got
}
at=$(nm gcc | awk '$3 == "main" { print "0x" $1 }')
for style in LLVM GNU JSON; do
  same_words "operands: $style" --output-style=$style -e gcc $at hello '' 0 "$at more" 08 0b11 0o7 010 1h
  same_words "operands with their files: $style" --output-style=$style --no-demangle "gcc $at" '"clang" 0x10' 'CODE gcc 0x1140' 'none 1' 'none 2' "'gcc" 'gcc x'
  same_words "a file that is not there: $style" --output-style=$style -e none 1 2
  same_words "the same without inlined functions: $style" --output-style=$style --no-inlines -e none 1 2
  same_words "a folder: $style" --output-style=$style -e . 1 2
  same_words "no object file: $style" --output-style=$style -p -e prog.cc 1 2
done
printf -- '-a\n--output-style=GNU -e "gc\\c" ' > words
printf -- "-p '@words'" > more
printf '@loop' > loop
same_words 'a response file' @words $at
same_words 'one in another' @more $at
same_words 'one that is not there' -e gcc @none $at
same_words 'options behind operands' $at -fpe gcc
same_words 'the letter -f with a value' -e gcc -f=none $at
same_words 'the word -demangle' -demangle=false -egcc $at

# --- tags of addresses
objcopy --add-symbol tagged=.text:0x0100000000000010,function,global without-lines tagged
tagged=0x$(nm tagged | awk '$3 == "tagged" { print $1 }')
for option in --untag-addresses --no-untag-addresses; do
  same_words "a tagged symbol $option" $option -e tagged "$tagged" $((tagged & 0xffffffffffffff))
done
has 'has its name with its tag alone' '^tagged$' got

# --- debug files
objcopy --only-keep-debug gcc gcc.debug
objcopy --strip-all --add-gnu-debuglink=gcc.debug gcc linked
g++ -g -O2 -Wl,--build-id=0x0123456789 -o identified prog.cc
mkdir -p empty by-id/.build-id/01 "by-link$PWD"
objcopy --only-keep-debug identified by-id/.build-id/01/23456789.debug
strip identified; mv gcc.debug "by-link$PWD"
for option in --debug-file-directory=by-id '--debug-file-directory=empty --debug-file-directory by-id' --debug-file-directory=empty \
  --fallback-debug-path=by-id; do
  same_words "by build-id: $option" $option --no-demangle -e identified $at
done
for option in --fallback-debug-path=by-link '--fallback-debug-path empty' --debug-file-directory=by-link \
  '--debug-file-directory=empty --fallback-debug-path=by-link'; do
  same_words "by debuglink: $option" $option --no-demangle -e linked $at
done
same_words 'the last of them is found' --fallback-debug-path=by-link --no-demangle -e linked $at
has 'with its lines' 'prog\.cc:[1-9]' got

# --- a package
packer=$(type -P llvm-dwp-14 || type -P llvm-dwp)
if [ -n "$packer" ] && "$packer" -e gcc-split -o package; then
  mkdir elsewhere; mv ./*.dwo elsewhere
  for option in --dwp=package '--dwp package --verbose' --dwp=none '--dwp=package --output-style=JSON'; do
    text "with $option" '' "$(differs "$option" gcc-split)"
  done
else
  skip 'a package of split debug information' 'no llvm-dwp'
fi
finish
