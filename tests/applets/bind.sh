#!/bin/bash
# bind: what is refused, and in which words; what it does is in native/bind.sh.
. "$(dirname "$0")/../lib/check.sh"
mkdir "$scratch/dir"; : > "$scratch/file"
fake() { PSUITE_FAKE=/dev/null "$PSUITE_FAKE_BIN" "$@"; }

status 'a device, but no directory' 2 "$PSUITE" bind '#K'
has 'says what is wanted' '^bind: takes two operands: DEVICE and DIR' "$scratch/err"
status '-a and -b' 2 "$PSUITE" bind -ab '#K' "$scratch/dir"
has 'one of them' '^bind: -a cannot be used with -b' "$scratch/err"
status '-c alone' 2 "$PSUITE" bind -c '#K' "$scratch/dir"
has 'who makes files' '^bind: -c: only with -a or -b' "$scratch/err"
status 'a directory that is not there' 1 "$PSUITE" bind '#K' "$scratch/nothing"
has 'is named' "^bind: $scratch/nothing: No such file or directory" "$scratch/err"
status 'a file' 1 "$PSUITE" bind '#K' "$scratch/file"
has 'is no directory' "^bind: $scratch/file: Not a directory" "$scratch/err"
status 'a device that there is not' 1 "$PSUITE" bind '#Z' "$scratch/dir"
has 'is named, too' '^bind: #Z: ' "$scratch/err"
status 'a file of a device' 1 "$PSUITE" bind '#K/kpctl' "$scratch/dir"
has 'cannot be bound' '^bind: #K/kpctl: Not a directory' "$scratch/err"
status 'a folder that is not there' 1 "$PSUITE" bind -n "$scratch/nothing" / "$scratch/dir"
has 'is named as well' "^bind: $scratch/nothing: " "$scratch/err"
status 'a device of directories among others' 1 "$PSUITE" bind -a '#p' "$scratch/dir"
has 'has a place of its own' 'has directories, which cannot be added to another directory' "$scratch/err"
status 'a system that lets nobody mount' 1 fake bind '#c' "$scratch/dir"
has 'says so' "^bind: mount at $scratch/dir: Operation not permitted" "$scratch/err"
status 'nor single files' 1 fake bind -a '#c' "$scratch/dir"
text 'nothing stays behind' '' "$(ls -A "$scratch/dir")"
status 'a machine among others' 2 "$PSUITE" bind -a 'unix!none' "$scratch/dir"
has 'is bound as a whole' 'another machine is bound as a whole: -a, -b and -n cannot be used with it' "$scratch/err"
status 'a machine that is not there' 1 "$PSUITE" bind "unix!$scratch/none" "$scratch/dir"
has 'is named too' "^bind: unix!$scratch/none: " "$scratch/err"
status 'an address that is none' 1 "$PSUITE" bind 'pigeon!loft' "$scratch/dir"
status 'a list' 0 "$PSUITE" bind
status 'the list as JSON' 0 "$PSUITE" bind --json
has 'is an object' '^{"psuite":1,"applet":"bind","binds":\[.*\]}$' "$scratch/out"
finish
