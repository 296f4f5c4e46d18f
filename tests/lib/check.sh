# check.sh: what every shell test sources. A test calls these and ends with `finish`.
#   PSUITE, PSUITE_FAKE_BIN  the executables under test (absolute)      TESTS  the folder tests/
#   UPDATE=1                 goldens that differ are rewritten instead of failing
set -u
: "${TESTS:=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}"
: "${PSUITE:=$TESTS/../build/psuite}" "${PSUITE_FAKE_BIN:=$TESTS/../build/psuite-fake}"
export LC_ALL=C
unset PSUITE_FAKE NO_COLOR
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)); echo "ok $1"; }
fail() { failed=$((failed + 1)); echo "FAILED $1"; shift; [ $# -eq 0 ] || printf '    %s\n' "$@"; }
skip() { skipped=$((skipped + 1)); echo "skipped $1: $2"; }

# ok WHAT COMMAND...: the command must succeed.
ok() { local what=$1; shift; if "$@" >"$scratch/ok.out" 2>&1; then pass "$what"; else fail "$what" "$* gave $?" "$(head -20 "$scratch/ok.out")"; fi; }

# status WHAT WANTED COMMAND...: the command must exit with that status. Its output is left in $scratch/out and err.
status() {
  local what=$1 want=$2 got=0; shift 2
  "$@" >"$scratch/out" 2>"$scratch/err" || got=$?
  if [ "$got" = "$want" ]; then pass "$what"; else fail "$what" "$*: exit status $got, want $want" "$(head -5 "$scratch/err")"; fi
}

# same WHAT WANTED_FILE GOT_FILE
same() {
  if cmp -s "$2" "$3"; then pass "$1"
  elif [ "${UPDATE:-}" = 1 ]; then cp "$3" "$2"; pass "$1 (updated)"
  else fail "$1" "$(diff -u "$2" "$3" | head -40)"; fi
}

# text WHAT WANTED GOT
text() { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "want: $2" "got:  $3"; fi; }

# has WHAT PATTERN FILE: an extended regular expression matches a line of the file.
has() { if grep -Eq -- "$2" "$3"; then pass "$1"; else fail "$1" "no line matches: $2" "$(head -20 "$3")"; fi; }
hasnt() { if grep -Eq -- "$2" "$3"; then fail "$1" "a line matches: $2" "$(grep -E -- "$2" "$3" | head -5)"; else pass "$1"; fi; }

# holds WHAT 'awk condition on numbers'
holds() { if awk "BEGIN { exit !($2) }"; then pass "$1"; else fail "$1" "not so: $2"; fi; }

finish() { echo "$passed passed, $failed failed, $skipped skipped"; [ "$failed" = 0 ]; exit; }
