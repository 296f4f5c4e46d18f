# by root: tracing is root's
. "$TESTS/golden/manuals.d/common.sh"
