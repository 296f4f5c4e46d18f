# Symbols that share an address, in several files: which of them is shown, and which file.
        .file   "one.c"
        .text
        .globl  exported, small, large, weak_one
        .weak   weak_one
        .type   local_first, @function
        .type   local_again, @function
local_first:
local_again:
        .fill   16, 1, 0x90
        .size   local_first, 16
        .size   local_again, 16
        .type   exported, @function
        .type   hidden, @function
exported:
hidden:
weak_one:
        .fill   8, 1, 0x90
        .size   exported, 8
        .size   hidden, 8
        .type   small, @function
        .type   large, @object
small:
large:
        .fill   16, 1, 0x90
        .size   small, 4
        .size   large, 12
