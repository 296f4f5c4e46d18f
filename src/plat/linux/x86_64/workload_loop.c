#include "workload/loop.h"

void workload_loop(unsigned long iterations)
{
    unsigned long sum = 0, one = 1;
    __asm__ volatile("1:\n\t.rept 64\n\tadd %2, %0\n\t.endr\n\tdec %1\n\tjnz 1b"
                     : "+r"(sum), "+r"(iterations)
                     : "r"(one)
                     : "cc");
}
