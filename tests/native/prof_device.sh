# prof(3), the device #P, on this machine: a workload that knows its answer, and readers that get one pair a read.
. lib/check.sh
. lib/report.sh
: "${WORK:=$TESTS/../build/work}"
if [ "$(id -u)" != 0 ] || ! "$PSUITE" iostats -b fuse true >/dev/null 2>"$scratch/err"; then
  skip '#P' "not root, or $(head -1 "$scratch/err")"; finish
fi
if ! "$PSUITE" ns write '#P/ctl' start 2>"$scratch/err"; then
  skip '#P' "$(head -1 "$scratch/err")"; finish
fi
dir=$scratch/n; mkdir "$dir"; export dir
trap '"$PSUITE" unbind -l "$dir" 2>/dev/null; rm -rf "$scratch"' EXIT
status 'the device' 0 timeout 20 "$PSUITE" bind -o '#P' "$dir"
text 'has ctl alone' '--w--w--w- ctl' "$(ls -l "$dir" | awk 'NR > 1 { print $1, $NF }' | paste -sd' ')"
# pairs FILE: a line each, by reads of 64 bytes
pairs() {
  python3 - "$1" <<'END'
import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
while pair := os.read(fd, 64).decode():
    pc, count = pair.split()
    print(pc, count)
END
}
module() { local d; for d in "$dir"/0*; do [ "$(cat "$d/name")" != "$1" ] || echo "$d"; done; } # module NAME
counted() { pairs "$(module "$1")/histogram" | awk '{ s += $2 } END { print s + 0 }'; }
for message in 'module shares libshare_one.so libshare_two.so' 'interval 1' start; do
  ok "echo $message" sh -c 'echo "$1" > "$dir/ctl"' sh "$message"
done
"$WORK/shares" 600 > "$scratch/own"
ok 'echo stop' sh -c 'echo stop > "$dir/ctl"'
read -r own_main _ own_one _ own_two _ < "$scratch/own"
main=$(counted shares) one=$(counted libshare_one.so) two=$(counted libshare_two.so)
all=$((main + one + two))
holds "at least 300 samples ($all)" "$all >= 300"
for part in "shares $main $own_main" "libshare_one.so $one $own_one" "libshare_two.so $two $own_two"; do
  set -- $part
  near "the share of $1" "$(awk "BEGIN { print 100 * $2 / $all }")" "$3" "$(points "$3" "$all")"
done
first=$(module shares)
text 'its path' "$(realpath "$WORK/shares")" "$(cat "$first/path")"
text 'its files' 'histogram name path pctl' "$(ls "$first" | paste -sd' ')"

# --- where its time was
pairs "$first/histogram" > "$scratch/pairs"
ok 'addresses ascend, and counts are over 0' awk 'NR > 1 && $1 <= last || $2 < 1 { exit 1 } { last = $1 }' "$scratch/pairs"
text_start=$(($(readelf -lW "$WORK/shares" | awk '$1 == "LOAD" && / R E / { print $3; exit }')))
read -r at size < <(readelf -sW "$WORK/shares" | awk '$8 == "in_main" { print $2, $3; exit }')
inside=$(awk -v from=$((0x$at - text_start)) -v size=$((size)) '$1 >= from && $1 < from + size { s += $2 } END { print s + 0 }' "$scratch/pairs")
holds "in_main has what its module has ($inside of $main)" "$inside >= 0.98 * $main"

# --- what needs breakpoints: native_prof_counting has it in programs that `ns' runs
for word in startcp 'startcp 2147483647' startmp startmp12; do
  status "$word is refused in a mount" 1 sh -c 'echo "$1" > "$dir/ctl"' sh "$word"
done
"$PSUITE" export -w "unix!$scratch/socket" >/dev/null 2>&1 & export_pid=$!
until_ok test -S "$scratch/socket"
status 'startcp is refused by a server' 1 "$PSUITE" ns -n "unix!$scratch/socket" write '#P/ctl' startcp
has 'which says why' 'startcp: it needs breakpoints, and only programs that psuite started may have any' "$scratch/err"
status 'so is startmp' 1 "$PSUITE" ns -n "unix!$scratch/socket" write '#P/ctl' startmp
has 'which says why, too' 'startmp: it needs breakpoints' "$scratch/err"
kill "$export_pid"; wait "$export_pid" 2>/dev/null

# --- a reader, of a program whose time is at many addresses. It has a name that no other process of the machine has.
cp "$(command -v perl)" "$scratch/perl$$"
for message in end "module perl$$" 'interval 1' start; do ok "echo $message" sh -c 'echo "$1" > "$dir/ctl"' sh "$message"; done
ok 'perl' "$scratch/perl$$" "$TESTS/work/modules.pl"
ok 'echo stop' sh -c 'echo stop > "$dir/ctl"'
first=$(module perl$$)
pairs "$first/histogram" > "$scratch/pairs"
holds 'has time at ten addresses at least' "$(wc -l < "$scratch/pairs") >= 10"
cat > "$scratch/reads.py" <<'END'
import os, sys
def fails(f):
    try: f()
    except OSError as e: return True
    return False
path, ctl, want = sys.argv[1], sys.argv[2], open(sys.argv[3]).read().splitlines()
a, b = os.open(path, os.O_RDONLY), os.open(path, os.O_RDONLY)
assert os.read(a, 20).decode() == want[0]
assert os.pread(a, 64, 1000).decode() == want[1], 'the offset is ignored'
assert os.read(b, 64).decode() == want[0], 'each open file has its own place'
assert fails(lambda: os.read(a, 19)), '19 bytes are too few'
assert os.read(a, 64).decode() == want[2], 'and nothing is lost by that'
with open(ctl, 'w') as f: f.write('end\n')
assert not os.path.exists(path)
rest = want[1:]
while pair := os.read(b, 64).decode(): assert pair == rest.pop(0)
assert not rest, 'an open histogram outlives the end'
assert fails(lambda: open(path).read())
END
ok 'reads' python3 "$scratch/reads.py" "$first/histogram" "$dir/ctl" "$scratch/pairs"
text 'after the end' ctl "$(ls "$dir")"
status 'a word that is none' 1 sh -c 'echo begin > "$dir/ctl"'
status 'reading ctl' 1 cat "$dir/ctl"

# --- whoever is not root
if command -v setpriv >/dev/null; then
  chmod 755 "$scratch"
  status 'another user starts nothing' 2 setpriv --reuid 65534 --clear-groups sh -c 'echo start > "$dir/ctl"'
  has 'and is refused' 'Permission denied' "$scratch/err"
fi
status 'unbind' 0 "$PSUITE" unbind "$dir"
finish
