# The self-test where the emulator counts instructions exactly: one CPU, whose PMU then counts them, too.
. "$TESTS/lib/check.sh"
case $GUEST_ARCH in
  armhf | arm64) ;;
  *) skip 'exact instructions' "an emulated PC has no counters"; finish ;;
esac
status 'the self-test with exact instructions' 0 env SMP=1 QEXTRA='-icount shift=0' TMO=240 \
  bash "$TESTS/guest/run" "$GUEST_ARCH" 'psuite doctor --selftest --json 2>/dev/null' "$GUEST_STAGE/usr"
measured() { sed -nE "s/.*\"name\":\"$1 \(CPU 0\)\"[^}]*\"verdict\":\"([a-z ]*)\"[^}]*\"measured\":([0-9.]*).*/\1 \2/p" "$scratch/out"; }
read -r verdict instructions < <(measured instructions)
text 'instructions' ok "$verdict"
holds "of the loop exactly: 66 million, and 1000 of a start ($instructions)" "($instructions - 66) ^ 2 <= 0.001 ^ 2"
read -r verdict cycles < <(measured cycles)
text "cycles ($cycles)" ok "$verdict"
has 'nothing is wrong' '"wrong":0,' "$scratch/out"
finish
