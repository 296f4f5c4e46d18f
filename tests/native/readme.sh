# README.md's sample of output: the command of `./dev run' prints such lines, but for names and numbers.
. lib/check.sh
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
command -v perl > /dev/null || { skip 'the sample of output' 'no perl'; finish; }

# shapes FILE: its lines without what differs from run to run
shapes() {
  sed -E 's/^ +//; s/0x[0-9a-f]+/NAME/; s/^TEXT [0-9a-f]+$/TEXT #/; s/[0-9]+([.][0-9]+)?/#/g; s/[ \t]+/ /g
    s/^(# #) \(# more\)$/\1 REST/; s/^(# #) [^ ]+( \[[^]]+\])?$/\1 NAME/; s/^perf cpu-clock/METHOD/' "$1" | sort -u
}
sed -n '/^    total: /,/^$/s/^    //p' "$SOURCE/README.md" | grep -v '^ *[.][.][.]$' > "$scratch/shown"
status 'the command of ./dev run' 0 "$PSUITE" tprof --rows 20 -x perl "$TESTS/work/modules.pl"
if grep -q '^ptrace' "$scratch/err"; then skip 'the sample of output' 'no perf events here: sampled by ptrace'; finish; fi
holds 'README.md has a sample' "$(wc -l < "$scratch/shown") >= 8"
sed '/^tprof: /,$d' "$scratch/err" > "$scratch/report" # which names are missing depends on what is installed
text 'the lines of the sample are those that tprof prints' "$(shapes "$scratch/shown")" "$(shapes "$scratch/report")"
finish
