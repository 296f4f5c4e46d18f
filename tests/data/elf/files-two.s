        .file   "two.c"
        .text
        .globl  _start
        .type   plain, @function
plain:  .fill   8, 1, 0x90
        .size   plain, 8
        .fill   8, 1, 0x90
_start: .fill   8, 1, 0x90
label:  .fill   8, 1, 0x90
