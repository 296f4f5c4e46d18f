#!/bin/bash
# Sockets: listening, calling, talking; and what may stand where a unix socket is to be.
. "$TESTS/lib/check.sh"
mkdir "$scratch/sockets"
status 'plat/net' 0 "$(dirname "$PSUITE")/tests/netcheck" "$scratch/sockets"
text 'it found nothing wrong' '' "$(cat "$scratch/out")"
text 'only the file that was there is left' 'file' "$(ls "$scratch/sockets")"
finish
