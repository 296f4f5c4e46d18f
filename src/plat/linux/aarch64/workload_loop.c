#include "workload/loop.h"

void workload_loop(unsigned long iterations)
{
    unsigned long sum = 0, one = 1;
    __asm__ volatile("1:\n\t.rept 64\n\tadd %0, %0, %2\n\t.endr\n\tsubs %1, %1, #1\n\tb.ne 1b"
                     : "+r"(sum), "+r"(iterations)
                     : "r"(one)
                     : "cc");
}
