# stage.sh: what a test that boots a guest does before and after. Sourced by test.sh and board.sh.
# Variables: $stage (a folder that becomes the guest's /), $results (what ./dev reads: what was skipped, and the numbers)
skip() { echo "skipped: $1"; printf 'skipped all: %s\n0 passed, 0 failed, 1 skipped\n' "$1" > "$results"; exit 77; }

# stage_begin TEST ARCH BUILD: psuite of the folder BUILD as /usr/bin/psuite, if the root image ($ROOT) has none
stage_begin() {
  local kernel=${KERNEL:+-$KERNEL}
  results=/dev/null
  [ -z "${RESULTS:-}" ] || { mkdir -p "$RESULTS"; results=$RESULTS/$1; }
  [ -x "$3/psuite" ] || skip "no $3/psuite"
  [ -e "${PSUITE_GUEST_CACHE:-$HOME/.cache/psuite-guest}/$2/guest$kernel/done" ] ||
    skip "no guest for $2: ${KERNEL:+KERNEL=$KERNEL }tests/guest/prepare guest $2"
  [ -z "${ROOT:-}" ] || [ -e "$ROOT" ] || skip "no $ROOT: ./dev image $2"
  stage=$(mktemp -d) share=$(mktemp -d)
  trap 'rm -rf "$stage" "$share"' EXIT
  mkdir -p "$stage/test"
  [ -n "${ROOT:-}" ] || { mkdir -p "$stage/usr/bin" && cp "$3/psuite" "$stage/usr/bin/"; }
}

run_in_guest() { # run_in_guest ARCH COMMAND: the status of the guest
  local said=$share.said status
  "$guest/run" "$1" "$2" "$stage"/* | tee "$said"
  status=${PIPESTATUS[0]}
  grep -E '^skipped |^[0-9]+ passed, ' "$said" > "$results"
  [ "$results" = /dev/null ] || grep -E '^(board|cell|cost)\|' "$said" > "$results.cells"
  rm "$said"
  return "$status"
}
