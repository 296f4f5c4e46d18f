# tprof --browse on the scripted terminal: a recording's lists, trees, code and ranges of time, on large and poor terminals.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/golden/tprof_browse root=$TESTS/golden/tprof_system/root
cd "$scratch"

# view NAME [FILE]: the browser under NAME.scenario shows NAME.out
view() {
  local name=$1 file=${2:-board.rec}
  PSUITE_FAKE=$own/$name.scenario status "$name" 0 "$PSUITE_FAKE_BIN" tprof --browse --sysroot "$root" "$file"
  cat "$scratch/err" >> "$scratch/out"
  same "$name: the screens" "$own/$name.out" "$scratch/out"
  hasnt "$name: nothing but what a terminal knows" 'STRANGE|not restored' "$own/$name.out"
}
PSUITE_FAKE=$own/record.scenario status 'a recording' 0 "$PSUITE_FAKE_BIN" tprof -a -k -g -t 1 -q --record board.rec
view keys
view wide
view vt100
PSUITE_FAKE=$own/record.scenario status 'a recording by two events' 0 "$PSUITE_FAKE_BIN" tprof -a -k -g -t 1 -q -e cpu-clock,faults --record events.rec
view events events.rec

# --- what it shows are the numbers of the reports
# The numbers and names of functions between the header and the keys of a screen, by MS.
screen() { sed -n "/^--- $1 ms/,/^q quit/p" "$own/keys.out" | awk '$3 ~ /^[0-9.]+$/ && $4 !~ /^sample/ { printf "%.1f %s %s", $3, $4, $5; for (i = 6; i <= NF; i++) printf " %s", $i; print "" }' | sort; }
status 'the report' 0 "$PSUITE" tprof --sysroot "$root" -g --rows all board.rec
awk '$2 ~ /^[0-9.]+$/ && $5 != "" && !/\(all\)/ { printf "%.1f %s %s", $1, $3, $5; for (i = 6; i <= NF; i++) printf " %s", $i; print "" }' "$scratch/out" | sort > "$scratch/want"
screen 0 > "$scratch/got"
holds 'the report has functions' "$(wc -l < "$scratch/want") >= 8"
same 'the same functions with the same numbers' "$scratch/want" "$scratch/got"

# --- what cannot be browsed
says() { # says STATUS MESSAGE ARGUMENT...
  local want=$1 message=$2; shift 2
  status "$*" "$want" "$PSUITE" tprof "$@"
  has 'is said' "^tprof: $message\$" "$scratch/err"
}
says 1 'standard output is not a terminal' --browse board.rec
has 'with a way' '^tprof: hint: without --browse the report is printed$' "$scratch/err"
says 1 'nowhere: No such file or directory' --browse nowhere
says 2 '--browse takes one FILE: a recording or perf.data' --browse
says 2 '--browse takes one FILE: a recording or perf.data' --browse -a
for option in --json --tree -q '-m prog' '-o x'; do
  says 2 '--browse cannot be used with options of reports: its keys choose what is shown' --browse $option board.rec
done
says 2 '--asm needs --annotate FUNCTION' --asm board.rec

finish
