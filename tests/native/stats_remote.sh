#!/bin/bash
# stats of other machines, here served by psuite export: by a command, unix, tcp; ten of them at 10 Hz; one that hangs, one
# that dies and comes back; and nothing is left running.
. lib/check.sh
cd "$scratch" || exit
servers=()
trap 'kill -CONT "${servers[@]}" 2>/dev/null; kill -9 "${servers[@]}" 2>/dev/null; rm -rf "$scratch"' EXIT
stats() { timeout 200 "$PSUITE" stats "$@"; }
# lines_of FILE NUMBER: it has so many; until_lines waits for that, and with it for the clock of the stats that writes it
lines_of() { [ "$(wc -l < "$1")" -ge "$2" ]; }
until_lines() { until_ok lines_of "$@"; }

# serve ADDRESS: exported there when it returns; $server is its pid
serve() {
  served=served.${#servers[@]}
  start_server 'serving at' "$served" "$PSUITE" export "$1"; server=$!
  disown $server
  servers+=("$server")
}

# --- the three ways there
serve unix!s0
serve tcp!127.0.0.1!0
port=$(sed -nE 's/.*127\.0\.0\.1:([0-9]+)$/\1/p' "$served")
export PSUITE_DIAL="sh -c 'echo welcome to %h >&2; \"$PSUITE\" export -'"
status 'a command, a unix socket, tcp' 0 stats --csv -clm -T 0.3 --samples 3 user@board.lan unix!s0 "tcp!127.0.0.1!$port"
# A sample's age is over 0 where the machine's words came too late for it.
text 'each has a line a sample, and tells' "3 1 tcp!127.0.0.1!$port 3 1 unix!s0 3 1 user@board.lan" \
  "$(awk -F, 'NR > 1 { gsub(/"/, "", $2); n[$2]++; if ($4 == 0 && $6 > 0) told[$2] = 1 } END { for (s in n) print n[s], told[s] + 0, s }' out | sort -k3 | paste -sd' ')"
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
# waited_ms PID...: how long they have been runnable and had no CPU
waited_ms() { for pid; do cat "/proc/$pid/schedstat"; done 2>/dev/null | awk '{ ns += $2 } END { printf "%d\n", ns / 1e6 }'; }
before_ms=$(waited_ms "${servers[@]}")
# waited_to_end PID: the same of a child until it ends, in $waited; its exit status
waited_to_end() {
  local now
  while kill -0 "$1" 2>/dev/null; do now=$(waited_ms "$1"); [ "$now" = 0 ] || waited=$now; sleep 0.05; done
  wait "$1"
}
"$PSUITE" stats --csv -cfml -T 0.1 --samples 50 unix!s{0..9} > out 2> err & run=$!
waited_to_end $run; text 'ten machines at 10 Hz' 0 $?
waited=$((waited + $(waited_ms "${servers[@]}") - before_ms))
awk -F, 'NR == 2 { first = $1 } NR > 1 { lines++; late += $4 > 0; last = $1 }
  END { printf "%d %d %d\n", lines, late, int((last - first) * 10 + 0.5) - 49 }' out > ten
read -r lines late missed < ten
echo "$lines lines, $late late, $missed missed; the eleven processes waited $waited ms for a CPU; load $(cut -d' ' -f1-3 /proc/loadavg)"
text 'all that was asked for' 500 "$lines"
# One refresh of ten machines is missed for each 100 ms without a CPU.
holds 'without a missed refresh, but for want of a CPU' "$missed <= $waited / 100"
holds 'and none late, but for want of a CPU' "$late <= 25 + $waited / 10"

# --- one that hangs, one that dies and is back; the third is disturbed by neither
of() { awk -F, -v s="\"$1\"" '$2 == s' csv; }
serve unix!hangs; hangs=$server
serve unix!dies; dies=$server
before_ms=$(waited_ms "${servers[@]}")
"$PSUITE" stats --csv -lm -T 0.1 --samples 130 unix!hangs unix!dies unix!s0 > csv 2> err & run=$!
until_lines csv 60 # of three machines at 10 Hz: two seconds
kill -STOP $hangs
kill -9 $dies
until_lines csv 150
serve unix!dies
until_lines csv 270
kill -CONT $hangs
waited_to_end $run; text 'it ended in order' 0 $?
waited=$((waited + $(waited_ms "${servers[@]}") - before_ms))
text 'nothing was said meanwhile' '' "$(cat err)"
of unix!s0 | awk -F, '{ late += $4 > 0; if ($4 > worst) worst = $4 } END { print NR, late + 0, worst + 0 }' > third
read -r told late worst < third
holds "the third is disturbed by neither: of $told samples $late late, by $worst ms at most; $waited ms without a CPU" \
  "$told == 130 && $late <= 6 + $waited / 10 && $worst < 1000 + $waited"
for name in unix!hangs unix!dies; do
  of "$name" | awk -F, '{ if ($4 > most) most = $4; if ($4 > 0 && $5 == "") lost++; back = back * (NR < 111) + ($4 == 0) }
    END { print most + 0, lost + 0, (back > 0) }' > ages
  read -r most lost back < ages
  holds "$name shows its age, up to $most ms" "$most > 1500 && $most < 11000"
  text "$name keeps its last value, and is back in the last 20 samples" '0 1' "$lost $back"
done
serve unix!fourth
stats --json -l -T 0.2 --samples 12 unix!fourth unix!s0 > json & run=$!
until_lines json 2
kill -9 "$server"
wait $run
has 'its reason stands in JSON' '"why":"[^"]' json

# --- boards whose logins take their time, as long as their names say, are waited for
printf 'stty cols 60\n"%s" stats --once -l -T 0.2 --dial "sleep %%h; %s export -" 7s 9s\n' "$PSUITE" "'$PSUITE'" > slow.sh
status 'slow logins' 0 script -qec 'sh slow.sh' /dev/null
has 'a terminal is told' '^waiting for 7s 9s, Ctrl-C ends' "$scratch/out"
text 'both have their values' 2 "$(grep -cE '^load +[0-9.]+ ' "$scratch/out")"

# --- a command that hangs is killed when stats ends, and reaped while it runs
printf '#!/bin/sh\necho $$ >> %s/started\nexec "%s" export -\n' "$scratch" "$PSUITE" > board; chmod +x board
stats --csv -l -T 0.1 --samples 60 --dial './board' a > csv & run=$!
until_lines csv 5
kill -9 "$(head -1 started)"
wait $run
text 'a command that was killed is started again' 2 "$(wc -l < started)"
holds 'its machine is back in the last 20 samples' "$(tail -20 csv | cut -d, -f4 | grep -c '^0$') > 0"
# Ended: gone, or a zombie that whoever inherited it has not waited for yet.
has_ended() { case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in '' | Z* | X*) ;; *) return 1 ;; esac; }
ended() { until_ok has_ended "$1"; }
ok 'nothing of it is left' ended "$(tail -1 started)"
printf '#!/bin/sh\necho $$ >> %s/hung\nexec sleep 100\n' "$scratch" > hung.sh
times > before
status 'a command that says nothing' 1 stats --once -l -T 0.1 --dial 'sh ./hung.sh' b
times > after
has 'is given up when dialling has taken its time' '^stats: b: left out: Connection timed out$' err
used=$(tr 'ms' '  ' < after | awk 'NR == FNR { after += $1 * 60 + $2 + $3 * 60 + $4; next } { gsub(/[ms]/, " "); before += $1 * 60 + $2 + $3 * 60 + $4 } END { print after - before }' - before)
holds "which are waited for without CPU time ($used s)" "$used < 2"
ok 'and killed' ended "$(tail -1 hung)"
status 'with a source that answers' 0 stats --once -l -T 0.1 --dial 'sh ./hung.sh' b unix!s0
has 'it is left out after five seconds' '^stats: b: left out: no answer$' err
ok 'and killed, too' ended "$(tail -1 hung)"
finish
