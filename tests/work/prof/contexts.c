/* Coroutines of makecontext, in turns, each deep in its own calls when another goes on. */
#include "known.h"

#include <stdlib.h>
#include <ucontext.h>

enum { CONTEXTS = 20, TURNS = 50, BYTES = 65536 };
static ucontext_t home, at[CONTEXTS];
static volatile int sink;

ALONE void turn(int who)
{
    sink = who;
    swapcontext(&at[who], &home);
}

ALONE void deeper(int who)
{
    turn(who);
}

ALONE void body(int who)
{
    for (int i = 0; i < TURNS; i++)
        deeper(who);
}

ALONE void resume(int who)
{
    swapcontext(&home, &at[who]);
}

int main(void)
{
    for (int i = 0; i < CONTEXTS; i++) {
        getcontext(&at[i]);
        at[i].uc_stack.ss_sp = malloc(BYTES);
        at[i].uc_stack.ss_size = BYTES;
        at[i].uc_link = &home;
        makecontext(&at[i], (void (*)(void))body, 1, i);
    }
    for (int turns = 0; turns <= TURNS; turns++)
        for (int i = 0; i < CONTEXTS; i++)
            resume(i);
    known_calls("main", 1);
    known_calls("body", CONTEXTS);
    known_calls("deeper", CONTEXTS * TURNS);
    known_calls("turn", CONTEXTS * TURNS);
    known_calls("resume", CONTEXTS * (TURNS + 1));
    known("missed", 0);
    known("depth", 5);
    return 0;
}
