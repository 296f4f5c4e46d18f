# check.sh: what every shell test sources. A test calls these and ends with `finish`.
#   PSUITE, PSUITE_FAKE_BIN  the executables under test (absolute)      TESTS  the folder tests/
#   UPDATE=1                 goldens that differ are rewritten instead of failing
#   V=1                      checks that pass are shown, too
#   RESULTS                  a folder: the test's numbers, its CPU time and what it skipped are written to a file there, for ./dev
#   TIME_LIMIT               seconds after which ctest ends the test: what it waits for is printed shortly before
# A failed check prints the file and line of the test that called it, and the command or the values.
set -u
: "${TESTS:=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}"
: "${PSUITE:=$TESTS/../build/psuite}" "${PSUITE_FAKE_BIN:=$TESTS/../build/psuite-fake}"
export LC_ALL=C
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH # Debian's programs, before others of their names (python3 without its modules)
unset PSUITE_FAKE NO_COLOR
scratch=$(mktemp -d) checks_finished=
# The user's caches of debug files name nothing (psuite-sym(1)): perf keeps there the programs that other tests record.
export PSUITE_GUEST_CACHE=${PSUITE_GUEST_CACHE:-${HOME:-/root}/.cache/psuite-guest} PSUITE_SOURCES_CACHE=${PSUITE_SOURCES_CACHE:-${HOME:-/root}/.cache/psuite-sources}
export HOME=$scratch
unset DEBUGINFOD_CACHE_PATH XDG_CACHE_HOME
passed=0 failed=0 skipped=0 skips=()

# Where a check was called: the innermost line outside this file, and that of the script if functions of its own are between.
calling_lines() {
  local i inner='' outer=''
  for ((i = 0; i < ${#BASH_LINENO[@]} - 1; i++)); do
    [ "${BASH_SOURCE[i + 1]}" != "${BASH_SOURCE[0]}" ] || continue
    outer=${BASH_SOURCE[i + 1]#"$TESTS/"}; outer=tests/${outer#tests/}:${BASH_LINENO[i]}
    : "${inner:=$outer}"
  done
  if [ "$inner" = "$outer" ]; then echo "$inner"; else echo "$inner, called at $outer"; fi
}
pass() { passed=$((passed + 1)); [ -z "${V:-}" ] || echo "ok $1"; }
# fail WHAT [LINE...]
fail() { failed=$((failed + 1)); echo "FAILED $1"; echo "    at $(calling_lines)"; shift; [ $# -eq 0 ] || printf '%s\n' "$@" | sed 's/^/    /'; }
skip() { skipped=$((skipped + 1)); skips+=("$1: $2"); echo "skipped $1: $2"; }

# ok WHAT COMMAND...: the command must succeed.
ok() {
  local what=$1 got=0; shift
  "$@" >"$scratch/ok.out" 2>&1 || got=$?
  if [ $got = 0 ]; then pass "$what"; else fail "$what" "$*: exit status $got" "$(head -20 "$scratch/ok.out")"; fi
}

# status WHAT WANTED COMMAND...: the command must exit with that status. Its output is left in $scratch/out and err.
status() {
  local what=$1 want=$2 got=0; shift 2
  last_command="$*"
  "$@" >"$scratch/out" 2>"$scratch/err" || got=$?
  if [ "$got" = "$want" ]; then pass "$what"; else fail "$what" "${last_command:0:2000}: exit status $got, want $want" "$(head -5 "$scratch/err")"; fi
}
# after_command FILE: the command behind $scratch/out and err
after_command() { case $1 in "$scratch/out" | "$scratch/err") echo "the output of: ${last_command:-}" ;; *) echo "in $1" ;; esac; }

# same WHAT WANTED_FILE GOT_FILE
same() {
  if cmp -s "$2" "$3"; then pass "$1"
  elif [ "${UPDATE:-}" = 1 ]; then cp "$3" "$2"; pass "$1 (updated)"; echo "updated $2"
  else fail "$1" "$(after_command "$3")" "$(diff -u "$2" "$3" | head -40)" "$(rewriting "$2")"; fi
}
# rewriting WANTED_FILE: what to do when the difference is meant, if the file is a golden
rewriting() { case $1 in "$scratch"/*) ;; *) echo "if this change is meant: UPDATE=1 ./dev test $(test_name)" ;; esac; }

# text WHAT WANTED GOT
text() {
  if [ "$2" = "$3" ]; then pass "$1"
  elif [[ $2$3 != *$'\n'* ]]; then fail "$1" "want: $2" "got:  $3"
  else fail "$1" "$(diff -u --label want --label got <(echo "$2") <(echo "$3") | head -60)"; fi
}

# has WHAT PATTERN FILE: an extended regular expression matches a line of the file.
has() { if grep -Eq -- "$2" "$3"; then pass "$1"; else fail "$1" "no line matches: $2" "$(after_command "$3")" "$(head -20 "$3")"; fi; }
hasnt() { if grep -Eq -- "$2" "$3"; then fail "$1" "a line matches: $2" "$(after_command "$3")" "$(grep -E -- "$2" "$3" | head -5)"; else pass "$1"; fi; }

# holds WHAT 'awk condition on numbers'
holds() { if awk "BEGIN { exit !($2) }"; then pass "$1"; else fail "$1" "not so: $2"; fi; }

# checks_of COMMAND...: a program that checks by itself, and prints `ok WHAT', `skipped WHAT' or `FAILED WHAT' for each
checks_of() {
  local line said=0
  "$@" > "$scratch/checks" 2>&1 || said=$?
  while IFS= read -r line; do
    case $line in
      'ok '*) pass "${line#ok }" ;;
      'skipped '*) skip "${line#skipped }" 'refused here' ;;
      *) fail "${line#FAILED }" ;;
    esac
  done < "$scratch/checks"
  text "$(basename "$2") came to its end" 0 "$said"
}

# until_ok COMMAND...: runs it until it succeeds, for 60 seconds at most; its status
until_ok() {
  local end=$((SECONDS + 60))
  until "$@" 2>/dev/null; do [ $SECONDS -lt $end ] || return 1; sleep 0.05; done
}

# becomes PID PROGRAM: when this returns the background process has executed PROGRAM; before, it is another one of this shell
becomes() { until_ok runs_program "$1" "$(readlink -f "$(command -v "$2")")" || fail "$2 has started"; }
runs_program() { [ "$(readlink "/proc/$1/exe")" = "$2" ]; }

# start_server WORDS FILE COMMAND...: COMMAND in the background, with what it prints in FILE, which has WORDS when this returns; after
# 60 seconds, or when it has ended, that is a failure. $! is its PID. FILE is emptied before: what the command before it printed does
# not count.
start_server() {
  local words=$1 file=$2; shift 2
  last_command="$*"
  : > "$file"
  "$@" > "$file" 2>&1 &
  until_ok has_words_or_ended "$words" "$file" $!
  grep -q "$words" "$file" || fail "$1 has started" "$(head -3 "$file")"
}
has_words_or_ended() { grep -q "$1" "$2" || ! kill -0 "$3"; }
# interrupted WORDS FILE COMMAND...: ^C for COMMAND and all that it has started, once what they print, in FILE, has WORDS; its status
interrupted() {
  start_server "$1" "$2" setsid env --default-signal=INT "${@:3}"
  kill -INT -- -$!; wait $!
}

# tests/FOLDER/NAME.sh is the test FOLDER_NAME of ctest, tests/applets/NAME.sh is applet_NAME
test_name() {
  local folder; folder=$(basename "$(cd "$TESTS" && cd "$(dirname "$0")" && pwd)")
  echo "${folder/applets/applet}_$(basename "$0" .sh)"
}
# What `times' has printed, as seconds
sum_times() { tr 'ms' '  ' < "$1" | awk '{ s += $1 * 60 + $2 + $3 * 60 + $4 } END { printf "%.0f\n", s }'; }
write_results() {
  [ -n "${RESULTS:-}" ] || return 0
  local file; file=$RESULTS/$(test_name)
  mkdir -p "$RESULTS"
  times > "$file.times" # of this shell and of what it has waited for
  {
    [ $skipped = 0 ] || printf 'skipped %s\n' "${skips[@]}"
    echo "cpu $(sum_times "$file.times")"; echo "$passed passed, $failed failed, $skipped skipped"
  } > "$file"
  rm "$file.times"
}
# A test that ends before it comes to `finish' has failed, whatever its status. A child of it that a signal ends before it
# is another program runs this, too, and must leave everything as it is.
at_exit() {
  local status=$?
  [ "$BASHPID" = $$ ] || exit
  eval "$exit_trap"
  [ -z "$watchdog" ] || kill "$watchdog" 2>/dev/null
  cd / || exit
  if [ -z "$checks_finished" ]; then
    failed=$((failed + 1))
    echo "FAILED to come to its end: $0 exited with status $status"
    [ $status != 0 ] || status=1
  fi
  write_results
  rm -rf "$scratch"
  exit $status
}
builtin trap at_exit EXIT
exit_trap=:
watchdog=
if [ -n "${TIME_LIMIT:-}" ]; then
  perl "$TESTS/lib/where.pl" $$ $((TIME_LIMIT - 20)) </dev/null & watchdog=$!
  disown
  unset TIME_LIMIT
fi
# A test's own trap on EXIT runs before the one above instead of in its place.
trap() {
  if [ $# = 2 ] && [ "$2" = EXIT ] && [ "$BASHPID" = $$ ]; then exit_trap=$1; else builtin trap "$@"; fi
}

finish() {
  checks_finished=1
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
  exit
}
