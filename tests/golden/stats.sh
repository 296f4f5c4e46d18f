# The screen of stats: pictures of a recording, byte for byte, with colours and without; every key on the scripted
# terminal; how many bytes a refresh takes at most; folders whose files are missing or turn to garbage.
. "$(dirname "$0")/../lib/check.sh"
: "${WORK:=$TESTS/../build/work}"
own=$TESTS/golden/stats picture=$(dirname "$WORK")/tests/statspicture
awk -f "$own/recording.awk" > "$scratch/two"
awk -v noise=1 -f "$own/recording.awk" > "$scratch/noise"

# --- pictures
draw() { # draw NAME SIZE COLOURS LETTERS
  "$picture" "$2" "$3" "$4" < "$scratch/two" > "$scratch/$1"
  same "the picture $1" "$own/$1" "$scratch/$1"
}
for size in 80x24 120x40; do
  draw "$size.colour" $size 256 cfmlsi
  draw "$size.plain" $size 0 cfmlsi
  draw "$size.ascii" $size -0 cfmlsi
done
draw labels.colour 120x40 16 Ycmt
draw log.plain 80x24 0 LYcs
draw all.plain 80x24 0 8bceEfiIlmnpstwz
draw console.colour 80x24 8 cls
draw small.plain 40x8 0 cflmsi
draw overview-80x24.plain 80x24 0 o
draw overview-120x40.plain 120x40 0 o
draw overview-120x40.colour 120x40 256 o
draw parts-120x40.plain 120x40 0 uN
draw fit-120x40.plain 120x40 0 aYdN
hasnt 'ASCII is ASCII' '[^[:print:][:cntrl:]]' "$own/80x24.ascii"

# --- at most 4 KB a refresh of 80x24, even of values by chance
for letters in c Yc cf Lcf cfm cfml cfmls cfmlsi cfmlsie cfmlsiE cfmlsiIE cfmlsiIEwz 8bceEfiIlmnpstwz o aodN; do
  for colours in 256 8 0 -0; do
    most=$("$picture" -s 80x24 $colours $letters < "$scratch/noise" | tail -n +2 | sort -n | tail -1)
    holds "-$letters, $colours colours: $most bytes" "$most > 500 && $most <= 4096"
  done
done

# --- the view
view() { # view NAME STATUS ARG...: under NAME.scenario it shows NAME.out
  local name=$1 want=$2; shift 2
  PSUITE_FAKE=$own/$name.scenario status "$name" "$want" "$PSUITE_FAKE_BIN" stats "$@"
  cat "$scratch/err" >> "$scratch/out"
  sed -i "s|$scratch|SCRATCH|g; s|$TESTS|TESTS|g" "$scratch/out"
  same "$name: the screens" "$own/$name.out" "$scratch/out"
}
view keys 0 -cml --replay "$scratch/two"
view folder 0 -mlbz8n "$TESTS/data/stats/m2/1"
view missing 0 -cem "$TESTS/data/stats/m2/0" "$own" "$TESTS/data/stats/m2/1"
hasnt 'nothing but what a terminal knows' 'STRANGE|not restored' "$own"/{keys,folder,missing}.out

# --- files that come, go and turn to garbage while they are read
mkdir -p "$scratch/live/dev"
counts() { printf '0 %s 0 0 0 0 0 500 60 1\n' "$1" > "$scratch/live/dev/sysstat"; }
live() { for text in "${@}"; do sleep 0.55; case $text in garbage | '') printf %s "$text" > "$scratch/live/dev/sysstat" ;; gone) rm "$scratch/live/dev/sysstat" ;; *) counts "$text" ;; esac; done; }
counts 100
live 200 garbage '' 400 & writer=$!
"$PSUITE" stats --csv -cl -T 0.5 --samples 12 "$scratch/live" > "$scratch/csv" 2> "$scratch/err"
wait $writer
has 'a gap while it is garbage' ',,$' "$scratch/csv"
has 'and values before' ',[0-9.]+,0\.5$' "$scratch/csv"
has 'and behind it' ',[0-9.]+,0\.5$' <(tail -2 "$scratch/csv")
finish
