. "$TESTS/golden/manuals.d/common.sh"
psuite export unix!psuite.9p >/dev/null 2>&1 &
while [ ! -S psuite.9p ]; do sleep 0.05; done
