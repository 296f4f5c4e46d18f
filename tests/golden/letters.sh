#!/bin/bash
# One meaning a letter: what -p, -t, -o and -f stand for in the helps of all applets. Those that use one otherwise are the
# exceptions of psuite(1), and no others are there.
. "$(dirname "$0")/../lib/check.sh"
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
meanings='-p, --pid PID
-t, --seconds SECONDS
-o, --output FILE
-o, --output [FORMAT:]FILE
-f, --force'

# Each option with a letter as the help has it, without what it does: `APPLET -p, --pid PID'
lettered() { "$PSUITE" "$@" --help=all | sed -nE "s/^  (-[^-].*)/$1 \1/p" | sed 's/   *.*//'; }
for applet in $("$PSUITE" --list); do lettered "$applet"; done > "$scratch/options"
for style in gnu llvm; do lettered sym --style=$style; done >> "$scratch/options"
holds 'there are options with letters' "$(wc -l < "$scratch/options") > 80"

grep -E '^[a-z]+ -[ptof]\>' "$scratch/options" | grep -vxF -f <(for applet in $("$PSUITE" --list); do sed "s/^/$applet /" <<< "$meanings"; done) |
  grep -oE '^[a-z]+ -[a-z]' | sort -u > "$scratch/otherwise"
section() { awk '/^\.SH/ { on = /ORDER AND LETTERS/ } on' "$SOURCE/man/psuite.1" | sed 's/\\-/-/g'; }
section | sed -nE 's/^\.B "([a-z]+ -[a-z].*)"$/\1/p' | tr ',' '\n' | sed 's/^ //' | sort > "$scratch/exceptions"
same 'who uses one of them otherwise is an exception of psuite(1)' "$scratch/exceptions" "$scratch/otherwise"

# Who has one in its common meaning is named there, too.
section | awk '/^\.BI? -[a-z]|^\.B -[a-z]/ && /^\.BI? -[ptof]/ { letter = $2; getline name; getline who; print letter, who }' |
  sed -E 's/ in / /; s/:.*//; s/, / /g; s/ and / /' | awk '{ for (i = 2; i <= NF; i++) print $i, substr($1, 1, 2) }' | sort > "$scratch/named"
grep -xF -f <(for applet in $("$PSUITE" --list); do sed "s/^/$applet /" <<< "$meanings"; done) "$scratch/options" |
  grep -oE '^[a-z]+ -[a-z]' | sort -u > "$scratch/common"
same 'who has one of them in its common meaning is named by psuite(1)' "$scratch/named" "$scratch/common"

# A long name has one letter everywhere, or none.
grep -oE '^[a-z]+ -.*--[a-z-]+' "$scratch/options" | grep -v '^sym ' | sed -E 's/^[a-z]+ (-.), (--.*)/\2 \1/' | sort -u |
  grep -E '^--(pid|seconds|output|force|verbose|quiet|rows|all|kernel|chains|event|rate|module|lines|inlines|cumulative) ' > "$scratch/letters"
grep -vx -e '--seconds -s' "$scratch/letters" | awk '{ print $1 }' | uniq -d > "$scratch/two"
same 'a long name has the same letter in all applets, but --seconds in trace' /dev/null "$scratch/two"
finish
