# The two machines of psuite-stats(1): files as they were at one time.
for board in board1 board2; do cp -r "$TESTS/data/stats/m2/0" "$board"; done
# The third board's server; the others are found by ssh.
psuite export 'tcp!10.0.0.7!564' >/dev/null 2>&1 &
