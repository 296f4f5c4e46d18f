# Entries of every kind, for x86-64.
	.text
	.macro function name
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.endm
	.macro finish name
	.cfi_endproc
	.size \name, . - \name
	.balign 16
	.endm

	function padded
	nopl 0x8(%rax,%rax,1)
	ret
	finish padded

	function landing
	endbr64
	push %rbx
	.cfi_adjust_cfa_offset 8
	pop %rbx
	.cfi_adjust_cfa_offset -8
	ret
	finish landing

	function one_instruction
	lea data(%rip), %rax
	ret
	finish one_instruction

	function several_instructions
	push %rbp
	.cfi_adjust_cfa_offset 8
	mov %rsp, %rbp
	sub $16, %rsp
	call one_instruction
	leave
	.cfi_adjust_cfa_offset -8
	ret
	finish several_instructions

	function with_padding_behind
	xor %eax, %eax
	ret
	finish with_padding_behind

	function loops_to_second
	mov %edi, %eax
1:	dec %eax
	jne 1b
	ret
	finish loops_to_second

	function switches
	mov %edi, %edi
2:	mov %edi, %edx
	lea table(%rip), %rax
	movslq (%rax,%rdx,4), %rdx
	add %rax, %rdx
	jmp *%rdx
3:	ret
	finish switches

	function jumps_to_label
	mov %edi, %edi
4:	inc %edi
	jmp *labels(,%rdi,8)
	finish jumps_to_label

	function calls_first
	call one_instruction
	ret
	finish calls_first

	function calls_register
	call *%rdi
	inc %eax
	inc %eax
	ret
	finish calls_register

	function calls_stack
	call *8(%rsp)
	ret
	finish calls_stack

	function has_data
	mov %edi, %eax
	push %rbx
	.cfi_adjust_cfa_offset 8
	.byte 0x06, 0x06
	pop %rbx
	.cfi_adjust_cfa_offset -8
	ret
	finish has_data

	function reads_return
	mov (%rsp), %rax
	add $1, %rax
	ret
	finish reads_return

	function vfork
	mov $58, %eax
	syscall
	ret
	finish vfork

	function very_short
	ret
	.cfi_endproc
	.size very_short, . - very_short
	function behind_short
	mov $1, %eax
	ret
	finish behind_short

	function has_cold
	test %edi, %edi
	js has_cold.cold
	mov %edi, %eax
	ret
	finish has_cold

	function has_cold.cold
	ud2
	nop
	nop
	nop
	finish has_cold.cold

	.section .rodata
	.balign 8
data:	.quad 0
table:	.long 2b - table, 3b - table
	.balign 8
labels:	.quad 4b, 4b
