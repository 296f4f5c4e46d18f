/* peak_floor: with -nostdlib -static the smallest process there is: its own peak RSS is below
 * anybody's floor. */
#if defined(__x86_64__)
__asm__(".globl _start\n_start: xor %edi, %edi\n mov $60, %eax\n syscall\n");
#elif defined(__aarch64__)
__asm__(".globl _start\n_start: mov x0, #0\n mov x8, #93\n svc #0\n");
#elif defined(__arm__)
__asm__(".arm\n.globl _start\n_start: mov r0, #0\n mov r7, #1\n svc #0\n");
#endif
