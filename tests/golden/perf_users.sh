# doc/perf-users.md: its commands name applets and options that exist.
. "$(dirname "$0")/../lib/check.sh"
. "$TESTS/lib/commands.sh"
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
text 'what doc/perf-users.md names exists' '' "$(unknown_commands "$SOURCE/doc/perf-users.md")"
holds 'it has commands' "$(grep -c '`psuite ' "$SOURCE/doc/perf-users.md") > 50"
printf '| a | `psuite tprof --no-such -x a` and `psuite nothing` |\n    psuite trace --nor-this     words\n' > "$scratch/page"
text 'one that does not is found' '1: tprof has no --no-such
1: no applet nothing
2: trace has no --nor-this' "$(unknown_commands "$scratch/page")"
finish
