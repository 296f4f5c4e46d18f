# tprof --top on the scripted terminal: every key's screen, small and poor terminals, and ways to end.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/golden/tprof_top

# view NAME STATUS ARG...: the view under NAME.scenario shows NAME.out, and after it the report
view() {
  local name=$1 want=$2; shift 2
  PSUITE_FAKE=$own/$name.scenario status "$name" "$want" "$PSUITE_FAKE_BIN" tprof --top "$@"
  cat "$scratch/err" >> "$scratch/out"
  same "$name: the screens" "$own/$name.out" "$scratch/out"
}
view keys 0 -a -k
view vt100 0 -a -k
view empty 0 -a -t 3
view hangup 0 -a -k
view events 0 -e page-faults 7
hasnt 'nothing but what a terminal knows' 'STRANGE|not restored' "$own"/keys.out
hasnt 'nothing but what a VT100 knows' 'STRANGE|not restored' "$own"/vt100.out

# --- colours: the same screens, in fewer bytes without them
bytes() { sed -nE 's/^--- .* ([0-9]+) bytes.*/\1/p' "$1" | awk '{ sum += $1 } END { print sum + 0 }'; }
cells() { sed -E 's/ [0-9]+ bytes//' "$1"; }
{ cat "$own/keys.scenario"; echo 'env NO_COLOR 1'; } > "$scratch/plain.scenario"
sed -i "s|\.\./|$TESTS/golden/|" "$scratch/plain.scenario"
cp -r "$own/root" "$scratch/"
PSUITE_FAKE=$scratch/plain.scenario "$PSUITE_FAKE_BIN" tprof --top -a -k > "$scratch/plain" 2>/dev/null
PSUITE_FAKE=$scratch/plain.scenario "$PSUITE_FAKE_BIN" tprof --top -k > "$scratch/alone" 2>/dev/null
same '--top without -a and PID: the same' "$scratch/plain" "$scratch/alone"
cells "$own/keys.out" > "$scratch/coloured"; cells "$scratch/plain" > "$scratch/uncoloured"
same 'NO_COLOR: the same cells' "$scratch/coloured" "$scratch/uncoloured"
holds 'in fewer bytes' "$(bytes "$scratch/plain") < $(bytes "$own/keys.out")"

# --- the report is of all that was counted
has 'the report after q' '^fake clock, user and kernel mode, 1000 Hz: [0-9]+ samples, 7 lost' "$own/keys.out"
cp -r "$TESTS/applets/tprof/root" "$TESTS/applets/tprof"/sampled.{maps,comm} "$scratch/"
seq 0 29 | awk '{ printf "7f1000000%03x 10 function%d\n", $1 * 16, $1 }' > "$scratch/jit.map"
{ echo 'terminal 80x24'; echo live; grep -E '^(thread|program|proc|rate|alive)' "$TESTS/applets/tprof/jit.scenario"; echo 'jit 7 jit.map'
  seq 0 29 | awk '{ printf "sample 7 7 %d 7f1000000%03x x2\n", 100 + $1, $1 * 16 }'; } > "$scratch/many.scenario"
PSUITE_FAKE=$scratch/many.scenario status 'many functions' 0 "$PSUITE_FAKE_BIN" tprof --top -t 3 7
has 'a report that the screen holds' '^    24	 40\.0	\(12 more rows: --rows all\)$' "$scratch/out"
PSUITE_FAKE=$scratch/many.scenario status 'more rows are asked for' 0 "$PSUITE_FAKE_BIN" tprof --top -t 3 --rows 29 7
has 'and shown' '^     2	  3\.3	\(1 more\)$' "$scratch/out"
status 'no terminal' 1 "$PSUITE" tprof --top -a
has 'is said' '^tprof: standard output is not a terminal$' "$scratch/err"
has 'with a way' '^tprof: hint: use -t SECONDS instead of --top for a report$' "$scratch/err"
finish
