# tprof -g: chains to _start of what every Debian has and what `./dev test' installs, as they come: stripped, without frame
# pointers, with hand-written code. A row a program: at least 99% of its chains are whole. Then the known limits: programs
# whose chains break for one stated reason, and for no other.
. lib/check.sh
. lib/need.sh
: "${WORK:=$TESTS/../build/work}" "${SOURCE:=$TESTS/..}"
need /usr/bin/python3=python3 gzip bzip2 zstd xz=xz-utils sort=coreutils grep sed awk=mawk tar find=findutils perl=perl-base git openssl cmake make \
  ld=binutils gcc g++ clang diff=diffutils bash dash gdb file
if ! "$PSUITE" tprof -g -q --json -fo "$scratch/json" -x "$WORK/chains_bare" 50 2>/dev/null || ! grep -q '"chains":' "$scratch/json"; then
  skip 'chains' 'samples here have no registers and stacks'; finish
fi

# --- what they work on
archive=$(gcc -print-file-name=libc.a) libc=$(gcc -print-file-name=libc.so.6) text=$scratch/text
od -An -v -tx1 -w32 "$archive" | head -60000 >"$text"
sed 'n;n;n;n;s/0 /1 /' "$text" >"$text.2"
head -8000 "$text" >"$text.short"
sources=(sample/recording_read report/flat_report sample/sampled unwind/cfi_entry dwarf/lines)
sources=("${sources[@]/#/$SOURCE/src/core/}") sources=("${sources[@]/%/.c}")
flags=(-O2 -D_GNU_SOURCE -I"$SOURCE/include" -I"$SOURCE/src")
tar -cf "$scratch/tar" -C "$SOURCE" $(for ((i = 0; i < 150; i++)); do echo include; done)
printf '#include <regex>\nint main() { return std::regex_match("a", std::regex("a*")); }\n' >"$scratch/regex.cc"
g++ -O0 -g -S -o "$scratch/regex.s" "$scratch/regex.cc"
g++ -O1 -flto -c -o "$scratch/regex.lto" "$scratch/regex.cc"
cat >"$scratch/lists.cmake" <<'C'
foreach(i RANGE 12000)
  math(EXPR y "${i} * 7919 % 10007")
  list(APPEND all "x${y}")
  string(LENGTH "${y}${i}" n)
  string(REPLACE "1" "22" z "${y}${n}")
endforeach()
list(SORT all)
C
{ echo 'all: $(foreach i,$(shell seq 1 9000),t$(subst 1,2,$i)$i)'; seq 1 9000 | sed 's/\(.*\)/t$(subst 1,2,\1)\1: ; @:\nx\1=$(patsubst t%,%.o,$(sort a b c))/'; } >"$scratch/makefile"
repository() { # four commits, each to all sources
  git init -q "$1" && (cd "$SOURCE/src/core" && cp --parents */*.c "$1") && cd "$1" || return
  git config user.email a@b && git config user.name a && git config gc.auto 0 && git add . && git commit -qm 0 || return
  for ((i = 1; i <= 4; i++)); do sed -i "$((i * 3))s/\$/ x$i/" */*.c && git commit -qam $i || return; done
}
ok 'a repository' repository "$scratch/git"
cd "$TESTS" || exit

# --- a program a row
programs() {
  cat <<'T'
gzip      | gzip -6 -c "$archive" "$archive"
zstd      | zstd -q -10 -T1 -c "$archive"
xz        | xz -T1 -1 -c "$archive"
grep      | grep -Ec '(..) \1 \1 (.).*\2' "$text.short"
sed       | sed -E 's/([0-9a-f])([0-9a-f]) /\2\1/g' "$text"
awk       | awk '{ for (i = 1; i <= NF; i++) n[$i]++; gsub(/0/, "x"); s += length($0) } END { for (k in n) print k, n[k], s }' "$text"
tar       | tar -tvf "$scratch/tar" --transform='s/([a-z]*)_([a-z]*)/\2\1/x' --show-transformed-names
perl      | perl -e 'for my $i (1 .. 500000) { $h{$i % 977} .= sprintf "%x", $i } print length join ",", map { s/(\d)(\d)/$2$1/gr } values %h'
git log   | git -C "$scratch/git" log -p --stat
sha512    | openssl speed -seconds 1 -bytes 1024 sha512
aes-gcm   | openssl speed -seconds 1 -bytes 1024 -evp aes-256-gcm
ecdsa     | openssl speed -seconds 1 ecdsap256
make      | make -s -n -f "$scratch/makefile"
ld        | ld -r -o "$scratch/o" --whole-archive "$archive"
cc1       | gcc "${flags[@]}" -S -o /dev/null "${sources[0]}" -include "${sources[3]}"
cc1plus   | g++ -fsyntax-only "$scratch/regex.cc"
clang     | clang "${flags[@]}" -c -o "$scratch/o" "${sources[0]}"
objdump   | objdump -d --no-show-raw-insn --stop-address=0xa0000 "$libc"
bash      | bash -c 'for ((i = 0; i < 60000; i++)); do s=${i//1/22}; [[ $s =~ (2+) ]] && t=${BASH_REMATCH[1]}; done'
dash      | dash -c 'i=0; while [ $i -lt 150000 ]; do i=$((i+1)); case $i in *99) s=${i%99};; esac; done'
gdb       | gdb -q -nx -batch -ex 'python print(sum(hash(str(i)) for i in range(600000)))'
T
}
# With WHOLE=1 (./dev soak native): more of what is much like one above
more_programs() {
  cat <<'T'
bzip2     | bzip2 -c "$archive" "$archive" "$archive"
find      | find $(for ((i = 0; i < 400; i++)); do echo "$SOURCE/src/core"; done) -regextype posix-extended -regex '.*(a|b)+.*x'
git gc    | git -C "$scratch/git" -c gc.autoDetach=false repack -q -adf
sha256    | openssl speed -seconds 1 -bytes 1024 sha256
chacha20  | openssl speed -seconds 1 -bytes 1024 -evp chacha20-poly1305
as        | as -o "$scratch/o" "$scratch/regex.s"
lto1      | g++ -O1 -flto -o "$scratch/o" "$scratch/regex.lto"
readelf   | readelf -aW "$libc" "$libc" "$libc"
strings   | strings -n 3 "$archive" "$libc"
sha256sum | sha256sum "$archive" "$archive" "$archive" "$archive" "$archive" "$archive"
b2sum     | b2sum $(yes "$archive" | head -12)
od        | od -tx1z "$text"
dd        | dd if="$archive" of=/dev/null bs=16 cbs=80 conv=ebcdic,block status=none
diff      | diff "$text" "$text.2"
seq       | seq -f %g 1 400000
file      | file "$SOURCE"/src/*/*.c
nm        | nm -C "$archive"
T
}
# The least share that is whole, and the reason of all others, as an expression for `REASON, in MODULE':
#   cmake     functions with a frame of 90 KB, more than a sample can hold, that return within microseconds: what is read late
#             of them is another's
#   cksum     a frame of 64 KB that lasts for a file: a large one, as its callers are read late
#   sort      an array of 8 KB in a frame, never written, has no pages until the first samples were looked at: later beside other work
#   grep -P   code compiled at run time, without information or frame pointers
limits() {
  cat <<'T'
cmake     | 75 | stack slice too short, in cmake | cmake -P "$scratch/lists.cmake"
sort one  | 90 | stack slice too short, in sort | sort --parallel=1 -k 3 $(yes "$text" | head -10)
sort      | 90 | stack slice too short, in sort | sort -k 3 $(yes "$text" | head -10)
cksum     | 85 | stack slice too short, in cksum | cksum $(yes "$PSUITE" | head -150)
grep -P   | 0 | .*, in (.anon.|libpcre2.*) | grep -Pc '(..) \1 \1 (.).*\2' "$text" "$text.2" "$text" "$text.2"
T
}

# reached REASON: how many chains; of 100 how many are whole, and with those that broke for the reason; what else broke
reached() {
  /usr/bin/python3 - "$scratch/json" "$1" <<'P'
import json, re, sys
chains = json.load(open(sys.argv[1]))['chains']
n, why = chains['unwound'], lambda b: '%s, in %s' % (b['reason'], b['module'])
other = [b for b in chains['broken'] if not re.fullmatch(sys.argv[2], why(b))]
print(n, round(100 * chains['whole'] / n, 2), round(100 - 100 * sum(b['chains'] for b in other) / n, 2),
      '; '.join('%d %s' % (b['chains'], why(b)) for b in other[:4]))
P
}
program() { # program NAME LEAST REASON COMMAND; the best of $tries, where it depends on when there is a CPU to read what is late
  local name=$1 least=$2 reason=$3 chains whole share rest try
  [[ $name == ${ONLY:-*} ]] || return 0
  eval "set -- $4"
  for ((try = ${tries:-1}; try > 0; try--)); do
    rm -f "$scratch/json"
    "$PSUITE" tprof -g -q -F 4999 --json -o "$scratch/json" -x "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    [ -e "$scratch/json" ] || { fail "$name" "$(head -3 "$scratch/err")"; return; }
    read -r chains whole share rest < <(reached "$reason")
    awk "BEGIN { exit !($whole < $least) }" || break
  done
  holds "$name: $chains chains, $whole% whole${rest:+ ($rest)}" "$chains >= 50 && $whole >= $least && $share >= 99"
}
name_of() { sed 's/ *|.*//' <<<"$1"; }
while IFS= read -r line; do program "$(name_of "$line")" 99 '' "${line#* | }"; done < <(programs; [ -z "${WHOLE:-}" ] || more_programs)
while IFS= read -r line; do
  rest=${line#* | }
  least=${rest%% | *} rest=${rest#* | }
  tries=3 program "$(name_of "$line")" "$least" "${rest%% | *}" "${rest#* | }"
done < <(limits)
finish
