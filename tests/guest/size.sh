# The static executables for boards do not grow unseen. What is needed may raise a bound, in a commit that says for what;
# `./dev size' shows the sections, a linker map (-Wl,-Map=FILE) what fills them.
# arm64's file grows by steps of 64 KB, its largest page: the data begin at a multiple of that behind the code.
#   ARCH      armhf or arm64
#   PSUITE    its stripped static executable
. lib/check.sh
case $ARCH in
  armhf) bound=2065000 ;;
  arm64) bound=2900000 ;;
esac
bytes=$(stat -c %s "$PSUITE")
holds "psuite for $ARCH has $bytes bytes, at most $bound" "$bytes <= $bound"
finish
