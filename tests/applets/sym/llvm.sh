# Sourced: asks `ask' with each option of llvm-symbolizer 14; the functions of gcc-O2 and clang-O2, and what has no answer.
some='0x10000 0x10010 0x1001f 0x10042 0x5000 hello 0'
words() { echo "--- $*"; ask "$@" </dev/null; }
for options in '' --functions=short '-f=none -a' --functions=linkage '--no-inlines --functions=short' -fip --inlining=false --inlining=true --inlining \
  '--inlines --no-inlines' '--output-style=GNU -a' '--output-style GNU --no-inlines' --output-style=LLVM --output-style=JSON '--output-style=JSON --pretty-print' \
  '--output-style=JSON --no-inlines' '--output-style=JSON -f=none' --verbose '--verbose --no-inlines' '--verbose --output-style=GNU -p -a' \
  '--adjust-vma=0x10 --print-address' '--adjust-vma 8 --relative-address' --relativenames '--relativenames --basenames' '--basenames --relativenames' \
  '--basenames --print-source-context-lines=3' '--basenames --print-source-context-lines 12 -p --output-style=GNU' '--basenames --print-source-context-lines=0b101 --output-style=JSON' '--no-untag-addresses --untag-addresses' '--default-arch=arm64 --dsym-hint=x.dSYM' '--debug-file-directory=none --fallback-debug-path none' \
  '--demangle --no-demangle' -demangle=false; do
  words $options -e gcc-O2 $some
done
words --obj=clang-O2 --output-style=JSON $some
words $some --exe clang-O2 --verbose
words --output-style=JSON 'gcc-O2 0x10010' "'clang-O2' 65536 more" 'CODE none 1' 'none 2' gcc-O2 '"gcc-O2' '' '0b1'
words --output-style=JSON --no-inlines -e none 1 2
words --output-style=JSON -p -e gcc-O2.lines 1 2
words --output-style=JSON -e . 1
printf '%s\n' 0x10010 hello '' '0x10042 more' | ask --output-style=JSON -e gcc-O2
printf '%s\n' 'gcc-O2 0x10010' 'tab	"quoted" \ back' 'none 1' | ask --output-style=JSON -p
printf '%s\n' 'gcc-O2 0x10010' 'gcc-O2' | ask --output-style=GNU -p
