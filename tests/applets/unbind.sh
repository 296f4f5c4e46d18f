#!/bin/bash
# unbind: what is refused; what it does is in native/bind.sh.
. "$(dirname "$0")/../lib/check.sh"
status 'no directory' 2 "$PSUITE" unbind
has 'says what is missing' '^unbind: DIR is missing' "$scratch/err"
status 'nothing is bound there' 1 "$PSUITE" unbind "$scratch"
has 'is told' "^unbind: $scratch: nothing is bound there\$" "$scratch/err"
status 'a mount of others' 1 "$PSUITE" unbind /proc
has 'is left alone' '^unbind: /proc: what is mounted there was not bound by psuite$' "$scratch/err"
ok 'it is there' test -e /proc/self
status 'a directory that is not there' 1 "$PSUITE" unbind "$scratch/nothing"
status 'each is tried' 1 "$PSUITE" unbind "$scratch" /proc
text 'and told' 2 "$(wc -l < "$scratch/err")"
finish
