. "$TESTS/golden/manuals.d/common.sh"
