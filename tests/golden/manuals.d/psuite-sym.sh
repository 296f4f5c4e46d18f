# A program that ends with its backtrace, as glibc writes it, and the oops of another machine.
cat >crashed.c <<'C'
#include <execinfo.h>
#include <unistd.h>
static void crash(void)
{
    void *pc[16];
    backtrace_symbols_fd(pc, backtrace(pc, 16), STDERR_FILENO);
    _exit(1);
}
int main(void)
{
    crash();
    return 0;
}
C
cc -g -o crashed crashed.c
cp "$TESTS/applets/sym/System.map" System.map
cp "$TESTS/applets/sym/oops" oops.txt
cp "$TESTS/data/types/sample.btf" board.btf
cat >drawing.c <<'C'
struct point { char mark; double x, y; };
int main(int argc, char **argv)
{
    struct point p = {argv[0][0], argc, 0};
    return p.x > 9;
}
C
cc -g -o drawing drawing.c
# A core file and the saved maps of a process that waits.
sleep 100 & pid=$!
until grep -q '/sleep$' "/proc/$pid/maps"; do sleep 0.01; done # it is no shell any more
cp "/proc/$pid/maps" saved.maps
gcore -o made "$pid" >/dev/null 2>&1 && mv "made.$pid" core
kill "$pid"
