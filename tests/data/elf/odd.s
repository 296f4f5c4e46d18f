# What hand-written assembly and odd linkers leave: no types, no sizes, labels, overlaps, gaps.
        .text
untyped_first:                          # no type, no size: reaches to the next
        nop
        nop
        .globl  typed_without_size
        .type   typed_without_size, @function
typed_without_size:
        nop
        nop
        .type   outer, @function
outer:                                  # cut by inner; the label is none of our business
        .fill   16, 1, 0x90
inside_outer:
        .fill   16, 1, 0x90
        .type   inner, @function
inner:
        .fill   8, 1, 0x90
        .size   inner, 8
        .fill   24, 1, 0x90
        .size   outer, . - outer
.Llocal:
        nop
        .globl  _start
_start:
        jmp     .Llocal
        .type   too_long, @function     # reaches beyond its section
too_long:
        ret
        .size   too_long, 0x7fffffff
        .globl  at_the_end              # lies in no section's range
at_the_end:
        .set    absolute, 0x1234

        .section .far, "ax"             # placed a gigabyte away
        .type   far_function, @function
far_function:
        ret
        .size   far_function, 1
        .fill   7, 1, 0x90

        .data
not_code:
        .long   1
