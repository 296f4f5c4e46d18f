// Exceptions through frames that have cleanups and frames that have none.
#include <cstdio>
#define ALONE __attribute__((noinline, noclone))

static volatile int sink;
struct guard {
    __attribute__((no_instrument_function)) ~guard() { sink = sink + 1; }
};

extern "C" {
ALONE void thrower(int n)
{
    if (n % 2)
        throw n;
}
ALONE void plain(int n)
{
    thrower(n);
    sink = n;
}
ALONE void guarded(int n)
{
    guard g;
    plain(n);
}
ALONE void after()
{
    volatile char room[2048];
    room[100] = 1;
    sink = room[100];
}
}

int main()
{
    for (int i = 0; i < 1000; i++) {
        try {
            guarded(i);
        } catch (int) {
        }
        after();
    }
    printf("calls main 1\ncalls thrower 1000\ncalls plain 1000\ncalls guarded 1000\ncalls after 1000\nmissed 1500-\ndepth 4\n");
    return 0;
}
