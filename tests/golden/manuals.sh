#!/bin/bash
# The manual pages against the program: options, rendering, and every example is run. MANUAL: only that applet's, or psuite.
#   An example is a line `$ COMMAND' between .EX and .EE; lib/examples.sh tells how it is run, and what its comment says.
. "$(dirname "$0")/../lib/check.sh"
. "$TESTS/lib/examples.sh"
. "$TESTS/lib/tracefs.sh" # own_pids
trap 'leave_place 2>/dev/null; rm -rf "$scratch"' EXIT
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
mkdir -p "$scratch/path"
export PSUITE TESTS
ln -s "$PSUITE" "$scratch/path/psuite"
"$PSUITE" --install -s "$scratch/path"
examples_tools "$scratch/path"
PATH=$scratch/path:$PATH

# roff's escapes and font changes, undone
plain() { sed -E 's/\\f(\(..|\[[^]]*\]|.)//g; s/\\-/-/g; s/\\(\(aq|\[aq\])/'\''/g; s/\\(\(dq|\[dq\])/"/g; s/\\(\(ti|\[ti\])/~/g; s/\\(\(ha|\[ha\])/^/g; s/\\(\(ga|\[ga\])/`/g; s/\\(\(rs|\[rs\]|e)/\\/g; s/\\&//g'; }

# The options that the OPTIONS section tags (the line after .TP or .TQ), one a line
manual_options() {
  awk '/^\.SH/ { in_options = $2 ~ /OPTIONS/ } in_options && tag { print; tag = 0 } /^\.T[PQ]/ { tag = 1 }' "$1" |
    plain | sed -E 's/^\.(B|I|BR|BI|IR|RB|RI|IB) //; s/"//g; s/ *, */ /g' | grep -oE '(^| )--?[A-Za-z0-9][A-Za-z0-9-]*' | tr -d ' ' | sort -u
}
help_all() { if [ "$1" = psuite ]; then psuite --help=all; else psuite "$1" --help=all; fi; }
options_in() { grep -E '^  +-' "$@"; } # a row an option
help_options() { help_all "$1" | help_names; }
help_names() {
  awk '/^  +-/ { sub(/^ +/, ""); sub(/  .*/, ""); n = split($0, word, /, /)
    for (i = 1; i <= n; i++) { sub(/[[ ].*/, "", word[i]); print word[i] } }' | sort -u
}
examples() { awk '/^\.EE/ { on = 0 } on && sub(/^\$ /, "") { print } /^\.EX/ { on = 1 }' "$1" | plain; }

# Two builds' tests take turns at a page: mounts on files of /dev are gone everywhere when one of the two removes the files.
run_examples() { # run_examples PAGE_FILE NAME
  local line turn
  exec {turn}< "$1"
  flock "$turn"
  mkdir "$scratch/$2"
  cd "$scratch/$2" || exit
  enter_place "$PWD"
  [ ! -e "$TESTS/golden/manuals.d/$2.sh" ] || inside bash "$TESTS/golden/manuals.d/$2.sh" || fail "$2: its files"
  while IFS= read -r line <&3; do run_example "$2" "$line"; done 3< <(examples "$1")
  leave_place
  exec {turn}<&-
  cd "$TESTS" || exit
}

check() { # check NAME PAGE: the applet NAME, its manual man/PAGE.1
  local page=$SOURCE/man/$2.1
  text "$2: --version" "$(psuite --version)" "$(if [ "$1" = psuite ]; then psuite -V; else psuite "$1" --version; fi)"
  text "$2: options of the manual and of the help" "$(help_options "$1")" "$(manual_options "$page")"
  psuite help "$1" > "$scratch/help"
  help_all "$1" > "$scratch/help_all"
  holds "$2: help of at most 23 lines, a screen with its prompt" "$(wc -l < "$scratch/help") <= 23"
  hasnt "$2: help of at most 80 columns" '^.{81}' "$scratch/help"
  hasnt "$2: all of it too" '^.{81}' "$scratch/help_all"
  holds "$2: help tells how many options it leaves out" \
    "$(options_in "$scratch/help" | wc -l) + $(sed -nE 's/.* ([0-9]+) more: --help=all.*/\1/p' "$scratch/help" | grep . || echo 0) == $(options_in "$scratch/help_all" | wc -l)"
  if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww -z "$page" 2> "$scratch/warnings"
    text "$2: renders without warnings" '' "$(cat "$scratch/warnings")"
  else
    skip "$2: rendering" 'no groff'
  fi
  run_examples "$page" "$2"
}

if [ -n "${MANUAL:-}" ] && [ "$MANUAL" != psuite ]; then
  check "$MANUAL" "psuite-$MANUAL"
  finish
fi
check psuite psuite
[ -n "${MANUAL:-}" ] || for applet in $(psuite --list); do check "$applet" "psuite-$applet"; done

# psuite(1) leads to all other pages.
sed -n '/^\.SH SEE ALSO/,$p' "$SOURCE/man/psuite.1" | plain > "$scratch/see_also"
for page in "$SOURCE"/man/psuite-*.1; do has "psuite(1) names $(basename "$page")" "^\.BR $(basename "$page" .1) \(1\)" "$scratch/see_also"; done

# The README's commands exist.
if [ -e "$SOURCE/README.md" ]; then
  for command in $(awk '/^ *```/ { on = !on } on || /^    / { if ($1 == "$") $1 = ""; if ($1 == "./dev" && $2 ~ /^[a-z]/) print $2 }' "$SOURCE/README.md" | sort -u); do
    has "README: ./dev $command exists" "^ +$command( |\$)" <("$SOURCE/dev")
  done
fi

finish
