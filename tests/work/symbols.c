/*
 * symbols: a program with 60,000 functions, so that its symbols take memory. Uses MS of CPU time
 * (`symbols MS'), prints a line, and sleeps until it is ended, or
 * two minutes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

__asm__(".text\n"
        ".macro one_function\n"
        "function_\\@:\n"
        ".type function_\\@, %function\n"
        ".byte 0\n"
        ".size function_\\@, 1\n"
        ".endm\n"
        ".rept 60000\n"
        "one_function\n"
        ".endr\n"
        ".balign 16\n");

static volatile unsigned sink;

int main(int argc, char **argv)
{
    clock_t end = (clock_t)(argc == 2 ? atoi(argv[1]) : 20) * (CLOCKS_PER_SEC / 1000);
    while (clock() < end)
        for (int i = 0; i < 100000; i++)
            sink++;
    puts("done");
    fflush(stdout);
    sleep(120);
    return 0;
}
