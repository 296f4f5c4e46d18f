# What psuite counted in the guest beside gcov's counts of the same program, which runs here under qemu's user mode.
. "$TESTS/lib/check.sh"
. "$TESTS/lib/need.sh"
case $GUEST_ARCH in
  arm64) cross=aarch64-linux-gnu qemu=qemu-aarch64 ;;
  armhf) cross=arm-linux-gnueabihf qemu=qemu-arm ;;
  *) skip "gcov's counts" 'native_prof_coverage compares them on a PC'; finish ;;
esac
[ -e "$SHARE/prof/info" ] || { skip "gcov's counts" 'none of psuite came'; finish; }
if ! need $cross-gcov python3 $qemu=qemu-user; then skip "gcov's counts" "no $cross-gcov, python3 or $qemu"; finish; fi
compared() { # compared VARIANT OPTION...
  local dir=$scratch/branches$1 variant=$1; shift
  mkdir -p "$dir/gcov" && cp "$TESTS/work/branches.c" "$dir/"
  (cd "$dir/gcov" && $cross-gcc -O0 -static --coverage "$@" ../branches.c -o program && $qemu ./program > /dev/null &&
    $cross-gcov -i ./*.gcda) > "$scratch/log" 2>&1 || { fail "gcov in $GUEST_ARCH" "$(tail -3 "$scratch/log")"; return; }
  python3 "$TESTS/lib/gcov_compare.py" "$dir" "$SHARE/prof/info$variant" "$GUEST_STAGE/test/work/branches$variant" > "$dir/compared" 2> "$dir/differ"
  read -r functions same_calls lines same_covered same_counts unexplained < "$dir/compared"
  text "branches$variant: calls of $functions functions" "$functions" "$same_calls"
  text "branches$variant: which of $lines lines were executed" "$lines" "$same_covered"
  text "branches$variant: how often" "$lines" "$same_counts$(sed -n "s/^differs/ &/p" "$dir/differ")"
  holds "branches$variant: functions and lines" "$functions == 11 && $lines >= 65"
  text "branches$variant: no line is of one of both alone" 0 "$unexplained"
}
case $GUEST_ARCH in
  arm64) compared '' ;;
  armhf) compared ''; compared -a32 -marm ;;
esac
finish
