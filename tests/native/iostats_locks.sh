# Locks by fuse: what a program sees of them is what it sees without us, and outside is no other world.
. "$(dirname "$0")/../lib/check.sh"
. "$(dirname "$0")/../lib/need.sh"
[ "$(id -u)" = 0 ] || { skip 'locks by fuse' 'not root'; finish; }
"$PSUITE" iostats -b fuse true >/dev/null 2>"$scratch/err" || { skip 'locks by fuse' "$(head -1 "$scratch/err")"; finish; }
need python3 sqlite3 flock=util-linux || finish
i() { timeout -k 5 120 "$PSUITE" iostats -b fuse "$@"; }

mkdir "$scratch/bare" "$scratch/fuse"
status 'kinds, ranges, waiting, ends of locks' 0 timeout 120 python3 -uSE "$TESTS/lib/iolocks.py" "$scratch/bare"
cp "$scratch/out" "$scratch/expected"
status 'the same by fuse' 0 i python3 -uSE "$TESTS/lib/iolocks.py" "$scratch/fuse"
same 'line by line' "$scratch/expected" "$scratch/out"
holds 'many of them' "$(wc -l < "$scratch/out") > 30"

# --- inside and outside
python='import fcntl, sys, time
f = open(sys.argv[2], "r+"); fcntl.lockf(f, fcntl.LOCK_EX); open(sys.argv[2] + ".held", "w").close()
while not __import__("os").path.exists(sys.argv[2] + ".done"): time.sleep(0.05)'
try='import fcntl, sys
f = open(sys.argv[2], "r+")
try: (fcntl.flock if sys.argv[1] == "flock" else fcntl.lockf)(f, fcntl.LOCK_EX | fcntl.LOCK_NB); print("got")
except OSError as e: print("refused")'
for kind in flock lockf; do
  for side in outside inside; do
    rm -f "$scratch"/l*; touch "$scratch/l"
    hold=(python3 -SE -c "${python/fcntl.lockf/fcntl.$kind}" $kind "$scratch/l") ask=(python3 -SE -c "$try" $kind "$scratch/l")
    [ $side = inside ] && hold=(timeout 120 "$PSUITE" iostats -b fuse "${hold[@]}") || ask=(timeout 120 "$PSUITE" iostats -b fuse "${ask[@]}")
    "${hold[@]}" 2>/dev/null & holder=$!
    until_ok test -e "$scratch/l.held"
    text "$kind: one $side holds it" refused "$("${ask[@]}" 2>/dev/null)"
    touch "$scratch/l.done"; wait $holder
    freed() { [ "$("${ask[@]}")" = got ]; } # the kernel tells a server later that a file was closed
    ok "$kind: and no more" until_ok freed
  done
done

# --- several who wait for one, each with a descriptor of its own
echo first > "$scratch/l"
echo 'tail -1 "$1"; sleep 0.1; echo "$2" >> "$1"' > "$scratch/turn"
status 'three by turns' 0 i sh -c 'for n in 1 2 3; do flock "$2" sh "$1" "$2" $n & done; wait' sh "$scratch/turn" "$scratch/l"
text 'each has had it' '1 2 3 first' "$(sort "$scratch/l" | paste -sd' ')"
text 'and saw whom it waited for' "$(head -3 "$scratch/l")" "$(cat "$scratch/out")"

# --- sqlite3: two who write, inside and out
add="i=0; while [ \$i -lt 30 ]; do sqlite3 -cmd '.timeout 60000' '$scratch/db' 'insert into t values(1)' || exit; i=\$((i + 1)); done"
sqlite3 "$scratch/db" 'create table t(a)'
sh -c "$add" & outside=$!
status 'sqlite3: two inside, one outside' 0 i sh -c "($add) & $add; wait"
wait $outside
text 'each row is there' 90 "$(sqlite3 "$scratch/db" 'select count(*) from t')"
text 'and the file is whole' ok "$(sqlite3 "$scratch/db" 'pragma integrity_check')"
finish
