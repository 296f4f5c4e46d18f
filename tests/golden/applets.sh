#!/bin/bash
# PSUITE_APPLETS: what a psuite of few applets says of itself and of the others, and how much smaller it is. psuite-small is
# linked from the archives of $PSUITE.
. "$(dirname "$0")/../lib/check.sh"
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
small=$(dirname "$PSUITE")/psuite-small

status 'few applets: --list' 0 "$small" --list
text 'names them alone' 'time sym doctor' "$(paste -sd' ' "$scratch/out")"
status 'few applets: one of them' 0 "$small" time true
status 'its help' 0 "$small" help sym
has 'is that of the applet' '^usage: sym' "$scratch/out"
hint='psuite: hint: build it with `cmake -DPSUITE_APPLETS=all'\'', or with NAME in that list'
left_out() { # left_out WHAT NAME COMMAND...
  local what=$1 name=$2; shift 2
  status "$what" 127 "$@"
  text "$what: says how to have it" "psuite: $name: this psuite was built without this applet
${hint/NAME/$name}" "$(cat "$scratch/err")"
}
left_out 'an applet that was left out' prof "$small" prof --flat
left_out 'its help' stats "$small" help stats
ln -s "$small" "$scratch/iostats"
left_out 'a link of its name' iostats "$scratch/iostats" true
status 'no applet at all' 127 "$small" symm
has 'another is offered' 'no such applet; did you mean .sym' "$scratch/err"
mkdir "$scratch/links"
status 'links' 0 "$small" --install -s "$scratch/links"
text 'are those of its applets' 'doctor sym time' "$(ls "$scratch/links" | paste -sd' ')"
status 'doctor' 0 "$small" doctor --json
text 'judges its applets' 'time sym' \
  "$(python3 -c 'import json, sys; print(*[a["name"] for a in json.load(sys.stdin)["applets"]])' < "$scratch/out")"

# --- what is not used is not linked
bytes() { strip -o "$scratch/stripped" "$1" && wc -c < "$scratch/stripped"; }
all=$(bytes "$PSUITE") few=$(bytes "$small")
holds "few applets: $few bytes of $all" "$few < 0.6 * $all"
if [ -z "${PSUITE_SANITIZE:-}" ]; then
  strings -a "$PSUITE" > "$scratch/all.strings"; strings -a "$small" > "$scratch/few.strings"
  has 'all: has the devices' sysstat "$scratch/all.strings"
  hasnt 'few: has no devices' sysstat "$scratch/few.strings"
fi

# --- the option
chosen() { cmake "-DPSUITE_APPLETS=$1" "-DTABLE_FOLDER=$scratch" -P "$SOURCE/cmake/Applets.cmake"; }
built() { sed -n 's/^APPLET(\([a-z]*\),.*/\1/p' "$scratch/applets_built.def" | paste -sd' '; }
status 'a list' 0 chosen 'sym;time;sym'
text 'is built in the order of the table' 'time sym' "$(built)"
status 'blanks between names' 0 chosen 'tprof stats'
text 'are as good' 'tprof stats' "$(built)"
status 'all' 0 chosen all
text 'is what there is' "$("$PSUITE" --list | paste -sd' ')" "$(built)"
status 'an unknown name' 1 chosen 'tprof;tproff'
has 'is named' 'PSUITE_APPLETS: tproff: no such applet' "$scratch/err"
status 'no name' 1 chosen ''
has 'is refused' 'names no applet' "$scratch/err"
finish
