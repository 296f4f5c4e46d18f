#!/bin/bash
# doctor on scripted systems: what it says of each, as text, with -v, as JSON.
. "$(dirname "$0")/../lib/check.sh"
here=$TESTS/applets/doctor

for scene in "$here"/*.scene; do
  case $scene in */selftest*) continue ;; esac
  name=$(basename "$scene" .scene)
  status "$name reports" 0 env PSUITE_FAKE="$scene" "$PSUITE_FAKE_BIN" doctor
  same "$name: the report" "$here/$name.out" "$scratch/out"
  holds "$name fits a terminal" "$(wc -l < "$scratch/out") <= 56 && $(wc -L < "$scratch/out") <= 80"
  status "$name reports all" 0 env PSUITE_FAKE="$scene" "$PSUITE_FAKE_BIN" doctor -v
  holds "$name -v fits the width" "$(wc -L < "$scratch/out") <= 80"
  cp "$scratch/out" "$scratch/$name.all"
  status "$name reports JSON" 0 env PSUITE_FAKE="$scene" "$PSUITE_FAKE_BIN" doctor --json
  holds "$name --json is one line" "$(wc -l < "$scratch/out") == 1"
  cp "$scratch/out" "$scratch/$name.json"
done
# On a terminal that is too small for all of it: a shorter report, which fits, with each remedy.
for name in pc-user board small bare debian3 armv7; do
  { cat "$here/$name.scene"; echo 'terminal 80x24'; } > "$scratch/$name.scene"
  [ ! -e "$here/board.config.gz" ] || cp "$here/board.config.gz" "$scratch/"
  status "$name on a terminal of 24 lines" 0 env PSUITE_FAKE="$scratch/$name.scene" "$PSUITE_FAKE_BIN" doctor
  same "$name: the brief report" "$here/$name-24.out" "$scratch/out"
  holds "$name: with the prompt it fits 80x24" "$(wc -l < "$scratch/out") < 24 && $(wc -L < "$scratch/out") <= 80"
  tr -s ' \n' ' ' < "$scratch/out" > "$scratch/words"
  grep -E '^ +(sysctl|kernel option|run as root)' "$scratch/$name.all" | sed 's/^ *//' | sort -u > "$scratch/remedies"
  while read -r remedy; do
    case $remedy in 'kernel option'*) remedy=${remedy#* * } remedy=${remedy%% (*} ;; esac
    ok "$name: has: $remedy" grep -qF -- "$remedy" "$scratch/words"
  done < "$scratch/remedies"
done
{ cat "$here/pc-user.scene"; echo 'terminal 80x50'; } > "$scratch/large.scene"
status 'on a terminal of 50 lines' 0 env PSUITE_FAKE="$scratch/large.scene" "$PSUITE_FAKE_BIN" doctor
same 'all of it' "$here/pc-user.out" "$scratch/out"
same "all facts of a PC" "$here/pc-root-v.golden" "$scratch/pc-root.all"
same "JSON of a board" "$here/board.json" "$scratch/board.json"

json='import json,sys; d=json.load(open(sys.argv[1])); print(eval(sys.argv[2]))'
if command -v python3 >/dev/null; then
  for name in pc-root pc-user debian3 board armv7 bare small; do
    text "$name: JSON and text agree" \
      "$(awk '/^(time|tprof|kprof|sym|ns|iostats|trace|topo|bind) / { print $1, $2 }' "$here/$name.out" | tr '\n' ' ')" \
      "$(python3 -c "$json" "$scratch/$name.json" '" ".join(a["name"]+" "+a["works"] for a in d["applets"])') "
  done
  text "errors are numbers" 2 "$(python3 -c "$json" "$scratch/board.json" 'd["facts"]["tracefs"]["errno"]')"
else
  skip "JSON and text agree" "no python3"
fi

# Every row is an applet's.
"$PSUITE" --list > "$scratch/list"
if grep -qx time "$scratch/list" && grep -qx tprof "$scratch/list"; then
  for row in $(awk '/^system/ { exit } /^[a-z]/ && !/^applet/ { print $1 }' "$here/pc-root.out"); do
    ok "$row is an applet" grep -qx "$row" "$scratch/list"
  done
else
  skip "rows are applets" "time or tprof is not built"
fi

# --- the self-test
for name in selftest:1 selftest-idle:0; do
  status "${name%:*}: the exit status" "${name#*:}" env PSUITE_FAKE="$here/${name%:*}.scene" "$PSUITE_FAKE_BIN" doctor --selftest
  sed -i '/^psuite  /d' "$scratch/out" # the version
  same "${name%:*}: the report" "$here/${name%:*}.out" "$scratch/out"
  holds "${name%:*} fits the width" "$(wc -L < "$scratch/out") <= 80"
done
status "the self-test as JSON" 1 env PSUITE_FAKE="$here/selftest.scene" "$PSUITE_FAKE_BIN" doctor --selftest --json
holds "is one line" "$(wc -l < "$scratch/out") == 1"
has "with verdicts" '"name":"instructions .CPU 0-3.","unit":"M","verdict":"wrong","expected":66' "$scratch/out"
status "facts that cannot be had are no self-test" 1 env PSUITE_FAKE=<(echo "fail probe_run ENOMEM") "$PSUITE_FAKE_BIN" doctor --selftest
has "which says so" '^doctor: report: Cannot allocate memory' "$scratch/err"

status "an operand is wrong usage" 2 "$PSUITE_FAKE_BIN" doctor now
status "an unknown option too" 2 "$PSUITE_FAKE_BIN" doctor --colour
echo "fail probe_run ENOMEM" > "$scratch/none.scene"
status "no facts, no report" 1 env PSUITE_FAKE="$scratch/none.scene" "$PSUITE_FAKE_BIN" doctor
has "and it says so" '^doctor: report: Cannot allocate memory' "$scratch/err"
: > "$scratch/empty.scene"
status "a system that tells nothing" 0 env PSUITE_FAKE="$scratch/empty.scene" "$PSUITE_FAKE_BIN" doctor -v
[ -e /dev/full ] && status "a full disk is told" 1 bash -c "'$PSUITE_FAKE_BIN' doctor > /dev/full"

finish
