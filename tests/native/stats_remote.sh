#!/bin/bash
# stats of other machines, here served by psuite export: by a command, unix, tcp; ten of them at 10 Hz; one that hangs, one
# that dies and comes back; and nothing is left running.
. lib/check.sh
cd "$scratch" || exit
servers=()
trap 'kill -CONT "${servers[@]}" 2>/dev/null; kill -9 "${servers[@]}" 2>/dev/null; rm -rf "$scratch"' EXIT
stats() { timeout 60 "$PSUITE" stats "$@"; }

# serve ADDRESS: exported there when it returns; $server is its pid
serve() {
  served=served.${#servers[@]}
  "$PSUITE" export "$1" 2> "$served" & server=$!
  disown
  servers+=("$server")
  for _ in $(seq 100); do grep -qs 'serving at' "$served" && return; sleep 0.05; done
  fail "export at $1" "$(cat "$served")"
}

# --- the three ways there
serve unix!s0
serve tcp!127.0.0.1!0
port=$(sed -nE 's/.*127\.0\.0\.1:([0-9]+)$/\1/p' "$served")
export PSUITE_DIAL="sh -c 'echo welcome to %h >&2; \"$PSUITE\" export -'"
status 'a command, a unix socket, tcp' 0 stats --csv -clm -T 0.3 --samples 3 user@board.lan unix!s0 "tcp!127.0.0.1!$port"
text 'each tells every time' "3 tcp!127.0.0.1!$port 3 unix!s0 3 user@board.lan" \
  "$(awk -F, 'NR > 1 && $4 == 0 && $6 > 0 { gsub(/"/, "", $2); n[$2]++ } END { for (s in n) print n[s], s }' out | sort -k2 | paste -sd' ')"
text 'a command talks past the screen' '' "$(cat err)"
status 'what a machine cannot tell has its reason' 0 stats --once -sp -T 0.2 unix!s0
status 'as here' 0 stats --once -sp -T 0.2
text 'the reasons are the same' "$(stats --once -sp -T 0.2 unix!s0 | grep -oE ' -  .*')" "$(grep -oE ' -  .*' out)"
status 'two machines, a folder, and one that is not there' 0 stats --once -l -T 0.2 unix!s0 unix!none "$TESTS/data/stats/m2/0"
has 'is left out' '^stats: unix!none: left out: ' err
status '--dial goes before the environment' 1 stats --once -l --dial 'echo no route to %h >&2; exit 3' board
has 'the last line of a command that failed is the reason' '^stats: board: left out: no route to board$' err

# --- ten machines at 10 Hz
for i in 1 2 3 4 5 6 7 8 9; do serve "unix!s$i"; done
"$PSUITE" stats --csv -l -T 0.1 --samples 5 unix!s{0..9} > /dev/null # warm
status 'ten machines at 10 Hz' 0 stats --csv -cfml -T 0.1 --samples 50 unix!s{0..9}
awk -F, 'NR == 2 { first = $1 } NR > 1 { lines++; late += $4 > 0; last = $1 }
  END { printf "lines=%d late=%d missed=%d in %.2f s\n", lines, late, int((last - first) * 10 + 0.5) - 49, last - first }' out > ten
cat ten; cut -d' ' -f1-3 /proc/loadavg
text 'without a missed refresh' 'lines=500 missed=0' "$(cut -d' ' -f1,3 ten)"
holds 'and none late, but for what else this machine does' "$(sed -E 's/.*late=([0-9]+).*/\1/' ten) <= 25"

# --- one that hangs, one that dies and is back; the third is disturbed by neither
of() { awk -F, -v s="\"$1\"" '$2 == s' csv; }
serve unix!hangs; hangs=$server
serve unix!dies; dies=$server
stats --csv -lm -T 0.1 --samples 130 unix!hangs unix!dies unix!s0 > csv 2> err & run=$!
sleep 2
kill -STOP $hangs
kill -9 $dies
sleep 3
serve unix!dies
sleep 4
kill -CONT $hangs
wait $run
text 'it ended in order' 0 $?
text 'nothing was said meanwhile' '' "$(cat err)"
of unix!s0 | awk -F, '{ late += $4 > 0; if ($4 > worst) worst = $4 } END { print NR, late + 0, worst + 0 }' > third
read -r told late worst < third
holds "the third is disturbed by neither: of $told samples $late late, by $worst ms at most" "$told == 130 && $late <= 6 && $worst < 1000"
for name in unix!hangs unix!dies; do
  of "$name" | awk -F, '{ if ($4 > most) most = $4; if ($4 > 0 && $5 == "") lost++ } END { print most + 0, lost + 0, $4 }' > ages
  read -r most lost last < ages
  holds "$name shows its age, up to $most ms" "$most > 1500 && $most < 11000"
  text "$name keeps its last value, and is back at the end" '0 0' "$lost $last"
done
serve unix!fourth
(sleep 1; kill -9 "$server") & killer=$!
stats --json -l -T 0.2 --samples 12 unix!fourth unix!s0 > json
wait $killer
has 'its reason stands in JSON' '"why":"[^"]' json

# --- a command that hangs is killed when stats ends, and reaped while it runs
printf '#!/bin/sh\necho $$ >> %s/started\nexec "%s" export -\n' "$scratch" "$PSUITE" > board; chmod +x board
stats --csv -l -T 0.1 --samples 60 --dial './board' a > csv & run=$!
for _ in $(seq 50); do [ -s started ] && break; sleep 0.1; done
sleep 1
kill -9 "$(head -1 started)"
wait $run
text 'a command that was killed is started again' 2 "$(wc -l < started)"
text 'its machine is back' 0 "$(tail -1 csv | cut -d, -f4)"
# Ended: gone, or a zombie that whoever inherited it has not waited for yet.
ended() { for _ in $(seq 20); do case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in '' | Z* | X*) return 0 ;; esac; sleep 0.1; done; return 1; }
ok 'nothing of it is left' ended "$(tail -1 started)"
printf '#!/bin/sh\necho $$ >> %s/hung\nexec sleep 100\n' "$scratch" > hung.sh
status 'a command that says nothing' 1 stats --once -l -T 0.1 --dial 'sh ./hung.sh' b
has 'is left out after five seconds' '^stats: b: left out: no answer$' err
ok 'and killed' ended "$(tail -1 hung)"
finish
