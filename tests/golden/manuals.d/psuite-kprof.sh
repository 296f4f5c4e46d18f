# by root: the kernel hides its addresses from others
# Another machine's kernel and histogram.
cp "$TESTS/golden/kprof/kern.elf32" vmlinux
mkdir -p board/dev
cp "$TESTS/golden/kprof/k6.kpdata" board/dev/kpdata
