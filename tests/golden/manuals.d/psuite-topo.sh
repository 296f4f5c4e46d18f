# Ten runs of a function.
cp "$TESTS/golden/topo/b1.events" ioctl.events
