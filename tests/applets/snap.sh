#!/bin/bash
# snap: what is in a recording, as text, JSON and a page; damaged ones; what is refused. Recording is in native/snap.sh.
. "$(dirname "$0")/../lib/check.sh"
own=$TESTS/applets/snap corpus=$TESTS/fuzz/corpus/snap
cd "$scratch" || exit

# --- a recording with all parts, whose texts have tags and escapes
status 'its report' 0 "$PSUITE" snap "$corpus/whole"
same 'byte for byte' "$own/whole.text" out
status 'its object' 0 "$PSUITE" snap --json "$corpus/whole"
same 'byte for byte' "$own/whole.json" out
status 'on standard input' 0 sh -c "'$PSUITE' snap - < '$corpus/whole'"
same 'the same' "$own/whole.text" out
status 'its page' 0 "$PSUITE" snap -o page.html "$corpus/whole"
text 'for its owner alone' 600 "$(stat -c %a page.html)"
text 'no text ends an element' '12 12' "$(grep -o '<script' page.html | wc -l) $(grep -o '</script' page.html | wc -l)"
hasnt 'nothing is loaded' '(src|href)=|https?://[^w]|@import|url\(' page.html
status 'there is one' 1 "$PSUITE" snap -o page.html "$corpus/whole"
has 'which is not overwritten' '^snap: page.html: File exists$' err
status 'but with -f' 0 "$PSUITE" snap -f -o html:page.html "$corpus/whole"
status 'a page on standard output' 0 "$PSUITE" snap -o html:- "$corpus/whole"
same 'the same' page.html out

# --- damaged
status 'one that was cut off' 0 "$PSUITE" snap "$corpus/cut"
has 'says so' '^cut off: ' out
status 'its object' 0 "$PSUITE" snap --json "$corpus/cut"
has 'has it' '"truncated":true,"ended":false' out
status 'its page' 0 "$PSUITE" snap -o cut.html "$corpus/cut"
status 'no chunk at all' 0 "$PSUITE" snap "$corpus/empty"
has 'is no samples' '^samples:   none$' out
status 'its page' 0 "$PSUITE" snap -o empty.html "$corpus/empty"
status 'chunks that are not known' 0 "$PSUITE" snap --json "$corpus/unknown"
has 'are passed over' '"cpus":4,' out

# --- refused
refused() { # refused WHAT STATUS MESSAGE ARGUMENT...
  local what=$1 code=$2 message=$3; shift 3
  status "$what" "$code" "$PSUITE" snap "$@"
  text "$what: the message" "$message" "$(head -1 err)"
}
refused 'no recording' 1 'snap: /dev/null: not a recording of snap' /dev/null
has 'how one is made' '^snap: hint: psuite snap -o FILE records one$' err
refused 'no file' 1 'snap: nothing: No such file or directory' nothing
refused 'nowhere to write' 2 'snap: -o FILE is missing: where the recording, or the page (FILE.html), is written'
refused 'no command' 2 'snap: -x: COMMAND is missing' -o f -x
refused 'two files' 2 'snap: only one FILE can be read; to run a command: -x COMMAND' a b
refused 'a time of a file' 2 'snap: -t cannot be used with FILE' -t 1 a
refused 'an object of a recording that is made' 2 'snap: --json: only with FILE, a recording' --json -o f
refused 'an object in a page' 2 'snap: --json cannot be used with -o' --json -o f a
refused 'the output of a command' 2 'snap: -o - cannot be used with -x, whose command has standard output: name a file' -o - -x true
refused 'another format' 2 'snap: -o: svg: no such format (html); for a file name with a colon: -o ./svg:f' -o svg:f
refused 'two outputs' 2 'snap: -o: g: only one file is written' -o f -o g
refused 'a recording of a recording' 2 'snap: -o: f: of a recording only a page is made: html:f' -o f a
refused 'no time' 2 'snap: -t: 0: not a time such as 5, 0.5s, 200ms or 2m, at most 1000000 s' -t 0 -o f
finish
