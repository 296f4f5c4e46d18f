/* longjmp over frames of all sizes, again and again: nothing may nest where it does not, and
   siglongjmp out of a handler. */
#include "known.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>

static jmp_buf back;
static sigjmp_buf out;
static volatile char sink;

ALONE void inner(int far)
{
    if (far)
        longjmp(back, 1);
}

ALONE void middle(int far)
{
    inner(far);
    sink++;
}

ALONE void outer(int far)
{
    volatile char room[64];
    room[0] = (char)far;
    middle(far);
    sink = room[0];
}

ALONE void large(void)
{
    volatile char room[4096];
    memset((char *)room, 1, sizeof room);
    sink = room[17];
}

ALONE void handler(int sig)
{
    siglongjmp(out, sig);
}

ALONE void raiser(void)
{
    raise(SIGUSR1);
}

ALONE void one_jump(int i)
{
    if (setjmp(back) == 0)
        outer(i % 2);
    large();
}

int main(void)
{
    for (volatile int i = 0; i < 1000; i++) {
        if (i % 3 == 0 && setjmp(back) == 0)
            outer(1);
        large();
        one_jump(i);
    }
    signal(SIGUSR1, handler);
    for (volatile int i = 0; i < 100; i++)
        if (sigsetjmp(out, 1) == 0)
            raiser();
    known_calls("main", 1);
    known_calls("one_jump", 1000);
    known_calls("outer", 1334);
    known_calls("middle", 1334);
    known_calls("inner", 1334);
    known_calls("large", 2000);
    known_calls("raiser", 100);
    known_calls("handler", 100);
    known("missed", (334 + 500) * 3 + 200);
    known("depth", 6);
    return 0;
}
