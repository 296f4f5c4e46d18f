# The root file system of a board.
mkdir rootfs
