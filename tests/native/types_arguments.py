"""types_arguments.py: run by gdb -x on a program of x86-64 with its arguments; $PROTOTYPES has a line `ADDRESS PROTOTYPE;' of psuite sym for
each function. Stops at the first instruction of each (break *ADDRESS), once, and holds the registers that the calling convention gives to
the arguments, by psuite's names and their order, against gdb's values of these names. Prints each difference, and `N functions, N
arguments, N differ' at the end; at most $FUNCTIONS functions."""
import os
import re

import gdb

INTEGERS = ['$rdi', '$rsi', '$rdx', '$rcx', '$r8', '$r9']
SCALARS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_REF)


def split_parameters(prototype):
    """What stands between the parentheses that end a prototype, at its commas"""
    inside, deep, parts = prototype[:prototype.rindex(')')], 0, ['']
    for at in range(len(inside) - 1, -1, -1):
        deep += (inside[at] == ')') - (inside[at] == '(')
        if deep < 0:
            break
        if inside[at] == ',' and not deep:
            parts.append('')
        else:
            parts[-1] = inside[at] + parts[-1]
    return [part.strip() for part in reversed(parts)]


def name_of(parameter):
    match = re.search(r'\(\*+ ?(?:const )?(\w+)', parameter) or re.search(r'(\w+)(?:\[\d*\])*$', parameter)
    return match.group(1) if match else None


def entered():
    """The frame and the block of the function itself: others may be inlined at its first instruction"""
    frame = gdb.selected_frame()
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    block = outermost = gdb.block_for_pc(frame.pc())
    while block and not block.is_global and not block.is_static:
        outermost = block if block.function else outermost
        block = block.superblock
    frame.select()
    return frame, outermost


def compare(prototype, counts):
    """Integers and pointers in registers; a function with anything before them that is not, is left out from there on"""
    (frame, block), integer = entered(), 0
    for parameter in split_parameters(prototype):
        if parameter in ('void', '...', '') or integer == len(INTEGERS):
            return
        value = frame.read_var(name_of(parameter), block)
        kind = value.type.strip_typedefs()
        if kind.code == gdb.TYPE_CODE_FLT:
            continue
        if kind.code not in SCALARS or value.is_optimized_out:
            return
        mask = (1 << 8 * kind.sizeof) - 1
        wanted = int(value.address if kind.code == gdb.TYPE_CODE_REF else value) & mask
        got = int(gdb.parse_and_eval(INTEGERS[integer])) & mask
        counts['arguments'] += 1
        if got != wanted:
            counts['differ'] += 1
            print(f'{prototype}: {parameter}: {got:#x}, gdb has {wanted:#x}')
        integer += 1


def main():
    gdb.execute('set pagination off')
    gdb.execute('set confirm off')
    gdb.execute('starti', to_string=True)
    linked = int(os.environ['MAIN'], 16)
    slide = int(gdb.lookup_global_symbol('main').value().address) - linked
    prototype = {}
    for line in open(os.environ['PROTOTYPES']):
        address, text = line.rstrip('\n').split(' ', 1)
        prototype[int(address, 16) + slide] = text
        gdb.Breakpoint(f'*{int(address, 16) + slide:#x}', temporary=True)
    counts, functions = {'arguments': 0, 'differ': 0}, 0
    gdb.execute('continue', to_string=True)
    while gdb.selected_inferior().pid and functions < int(os.environ.get('FUNCTIONS', '1000')):
        pc = int(gdb.parse_and_eval('$pc'))
        if pc in prototype:
            before = counts['arguments']
            compare(prototype[pc], counts)
            functions += counts['arguments'] > before
        gdb.execute('continue', to_string=True)
    print(f"{functions} functions, {counts['arguments']} arguments, {counts['differ']} differ")


main()
