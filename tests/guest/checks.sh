# checks.sh: checks for busybox sh, sourced by inside.sh and applets.sh, which name the file that runs in $part_file.
#   ok WHAT COMMAND...             the command must succeed
#   status WHAT WANTED COMMAND...  its exit status; the output is left in $out, the errors in $err
#   has WHAT PATTERN FILE          an extended regular expression matches a line
#   text WHAT WANTED GOT           two strings are the same
#   holds WHAT 'AWK CONDITION'     on numbers
#   skip WHAT WHY
#   until_ok COMMAND...            runs it until it succeeds, for a minute at least; its status
#   listens PATH                   waits until a server has its socket there
#   listens_at PORT                or at this port, in hexadecimal
#   works PID MS                   waits until the process has had so much CPU time more
#   finish                         prints the numbers; fails when a check did
# $by, if it is set, runs these commands.
passed=0 failed=0 skipped=0
work=/test/work out=/tmp/out err=/tmp/err
pass() { passed=$((passed + 1)); [ -z "$V" ] || echo "ok $1, at $(cut -d' ' -f1 ${proc:-/proc}/uptime) s"; }
fail() { failed=$((failed + 1)); echo "FAILED $1"; echo "    in tests/guest/$part_file"; shift; [ $# = 0 ] || printf '    %s\n' "$@"; }
skip() { skipped=$((skipped + 1)); echo "skipped $1: $2"; }
status() {
  what=$1 want=$2; shift 2
  $by "$@" >$out 2>$err; got=$?
  if [ $got = "$want" ]; then pass "$what"; else fail "$what" "$*: exit status $got, want $want" "$(head -5 $err)" "$(tail -5 $out)"; fi
}
ok() { what=$1; shift; status "$what" 0 "$@"; }
has() { if grep -Eq -- "$2" "$3"; then pass "$1"; else fail "$1" "no line matches: $2" "$(head -20 "$3")"; fi; }
text() { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "want: $2" "got:  $3"; fi; }
holds() { if awk "BEGIN { exit !($2) }"; then pass "$1"; else fail "$1" "not so: $2"; fi; }
until_ok() {
  for attempt in $(seq 300); do "$@" 2>/dev/null && return; sleep 0.2; done
  return 1
}
listens() { until_ok grep -q " 00010000 .* $1\$" /proc/net/unix; }
listens_at() { until_ok grep -q ":$1 [0-9A-F:]* 0A " /proc/net/tcp; }
cpu_ms() { sed 's/.*) //' /proc/$1/stat | awk '{ print ($12 + $13) * 10 }'; }
has_worked() { [ "$(cpu_ms $1)" -ge $2 ]; }
works() { until_ok has_worked $1 $(($(cpu_ms $1) + $2)); }
seconds() { cut -d. -f1 ${proc:-/proc}/uptime; }
finish() {
  echo "$passed passed, $failed failed, $skipped skipped, $(seconds) s"
  [ $failed = 0 ]
}
