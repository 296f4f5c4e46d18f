/*
 * arm_run_desk: how code of 32-bit ARM is run with chosen registers, and what registers it leaves.
 */
#pragma once

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

enum { REGS = 16, SP = 13, LR = 14, PC = 15, PAGE = 4096, PLACES = 8, DATA = 8192 };
enum { FIRST_PLACE = 0x7e7e7000, GATE = 0x7e7b7000, DESK = 0x6b6b6000 };
enum { ORIGINAL = 2048, BACK = 1968, SIGNALLED = 0x10000, BELOW_SP = 64 };
enum { ENDLESS = SIGNALLED + SIGPROF };

struct state {
    uint32_t reg[REGS], flags, exit, fault, unused; /* fault: the address of a signal */
    uint64_t simd[32];
};

/* At DESK: what of the test's own memory can be written while a piece runs. */
struct desk {
    struct state state;
    uint32_t host_sp;
    volatile bool inside;
    unsigned runs, runs_then; /* at the last tick */
    sigjmp_buf escape;
    ucontext_t runner;
    uint8_t runner_stack[32768], signal_stack[32768];
};

void arm_enter(void);
void arm_leave(void);

/* The state is at DESK: registers at 4 each, flags at 64, exit at 68, d0 at 80; behind it is the
 * stack pointer of the test. A stub has pushed r0 and r1, and set r0 to the exit. */
__asm__(".syntax unified\n"
        ".arm\n"
        ".text\n"
        ".align 2\n"
        ".global arm_enter\n"
        ".type arm_enter, %function\n"
        "arm_enter:\n"
        "push {r4-r11, lr}\n"
        "vpush {d8-d15}\n"
        "ldr r1, =0x6b6b6150\n"
        "str sp, [r1]\n"
        "ldr r1, =0x6b6b6000\n"
        "add r0, r1, #80\n"
        "vldmia r0!, {d0-d15}\n"
        "vldmia r0, {d16-d31}\n"
        "ldr r0, [r1, #64]\n"
        "msr APSR_nzcvq, r0\n"
        "ldr sp, [r1, #52]\n"
        "ldr lr, [r1, #56]\n"
        "add r0, r1, #8\n"
        "ldmia r0, {r2-r12}\n"
        "ldr r0, [r1]\n"
        "ldr r1, [r1, #4]\n"
        "ldr pc, =0x7e7b7000\n"
        ".global arm_leave\n"
        ".type arm_leave, %function\n"
        "arm_leave:\n"
        "ldr r1, =0x6b6b6000\n"
        "str r0, [r1, #68]\n"
        "ldr r0, [sp]\n"
        "str r0, [r1]\n"
        "ldr r0, [sp, #4]\n"
        "str r0, [r1, #4]\n"
        "add r0, sp, #8\n"
        "str r0, [r1, #52]\n"
        "add r0, r1, #8\n"
        "stmia r0, {r2-r12}\n"
        "str lr, [r1, #56]\n"
        "mrs r0, APSR\n"
        "str r0, [r1, #64]\n"
        "add r0, r1, #80\n"
        "vstmia r0!, {d0-d15}\n"
        "vstmia r0, {d16-d31}\n"
        "ldr r1, =0x6b6b6150\n"
        "ldr sp, [r1]\n"
        "vpop {d8-d15}\n"
        "pop {r4-r11, pc}\n"
        ".ltorg\n");

_Static_assert(offsetof(struct desk, host_sp) == 0x150, "as in arm_enter");

static struct desk *desk;
