# doc/image.md: its commands name applets and options that exist, and the links that it makes are those of psuite.
. "$(dirname "$0")/../lib/check.sh"
. "$TESTS/lib/commands.sh"
: "${SOURCE:=$(cd "$TESTS/.." && pwd)}"
page=$SOURCE/doc/image.md
text 'what it names exists' '' "$(unknown_commands "$page")"
text 'the links of its recipe' "$("$PSUITE" --list | sort | paste -sd' ')" \
  "$(sed -n 's/^ *for name in \(.*\); do$/\1/p' "$page" | tr ' ' '\n' | sort | paste -sd' ')"
for file in $(grep -o '`tests/[^`]*`' "$page" | tr -d '`'); do text "$file exists" "$file" "$(cd "$SOURCE" && ls -d "$file")"; done
finish
