# What psuite says when it cannot, and what could be done about it: tests/golden/messages/* are transcripts, `$ COMMAND', what
# it told on standard error, its exit status. The commands are run again and the whole is compared, byte for byte; a new
# message is a new `$' line and UPDATE=1. `on SCENARIO APPLET ...' runs on the fake platform; nothing here needs a privilege.
. lib/check.sh
transcripts=$TESTS/golden/messages
mkdir "$scratch/path"
ln -s "$PSUITE" "$scratch/path/psuite"
"$PSUITE" --install -s "$scratch/path"
printf '#!/bin/sh\nexport PSUITE_FAKE=%s/$1.scenario; shift; exec %s "$@"\n' "$TESTS" "$PSUITE_FAKE_BIN" > "$scratch/path/on"
chmod +x "$scratch/path/on"
PATH=$scratch/path:$PATH

# What the commands find in their folder
cd "$scratch" || exit
mkdir folder full
echo hello > text
printf '#!/bin/sh\n' > script; chmod +x script
: > empty
touch full/sym
cp "$TESTS/golden/tprof/prog.elf32" prog
mkdir -p short/proc/1
printf abcd > short/proc/1/profile; cp prog short/proc/1/text
ok 'a recording' on applets/tprof/sampled tprof -q --record recording 7
head -c $(($(wc -c < recording) / 2)) recording > cut

told() { # told COMMAND: its entry in the transcript
  local got=0
  echo "\$ $1"
  sh -c "$1" 2>&1 >/dev/null </dev/null || got=$?
  echo "[$got]"
}
for file in "$transcripts"/*; do
  name=${file##*/}
  grep '^\$ ' "$file" | while IFS= read -r line; do told "${line#\$ }"; done > "$scratch/told"
  same "what $name says" "$file" "$scratch/told"
done
hasnt 'no message is longer than two lines of a terminal' '^.{161}' <(grep -hv '^\$ ' "$transcripts"/*)

# Words that have a plainer one, or none that a reader of perf's and strace's messages would expect
words='\<(told|tells?|whoever|somebody|anew|meanwhile|beside|wanted|stands?|booked|books|memory ended)\>| nobody\>'
{
  grep -hv '^\$ ' "$transcripts"/*
  for applet in $(psuite --list); do "$applet" --help=all; done
  for style in gnu llvm; do sym --style=$style --help=all; done
} > "$scratch/words" 2>&1
holds 'messages and helps are there' "$(wc -l < "$scratch/words") > 200"
hasnt 'messages and helps are in plain words' "$words" "$scratch/words"
finish
