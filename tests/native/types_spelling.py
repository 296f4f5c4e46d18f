"""types_spelling.py: from standard input to standard output, declarations of C++ as both gdb and the debug information spell them. gdb writes
`T const', `0ul' and `>>' between angle brackets and the arguments of a function template that have their default, resolves the type of an
operator that converts, and keeps ABI tags; the compiler writes `const T', `0' and `> >', leaves those arguments out of the function's name,
has the type's own name, and no tags. So of all that, nothing is left."""
import re
import sys


def opening(text, end, pair):
    """Where the bracket that ends at `end' - 1 opened, or -1"""
    deep = 0
    for at in range(end - 1, -1, -1):
        if text[at - 1:at + 1] == '->' or text[:at].endswith(('operator', 'operator<', 'operator>')):
            continue
        deep += (text[at] == pair[1]) - (text[at] == pair[0])
        if not deep:
            return at
    return -1


def without_const(text):
    """Between angle brackets"""
    deep, parts = 0, []
    for part in re.split(r'(->|[<>]|operator(?:<<|>>|<=|>=|<|>|->)| const\b|\bconst )', text):
        deep += (part == '<') - (part == '>')
        if not deep or part not in (' const', 'const '):
            parts.append(part)
    return ''.join(parts)


def without_arguments(text):
    """Of the function template itself"""
    end = text.rfind(')') + 1
    start = opening(text, end, '()')
    if start > 0 and text[start - 1] == '>' and not re.search(r'operator(>|>>|->)$', text[:start]):
        return text[:max(0, opening(text, start, '<>'))] + text[start:]
    return text


def without_type(text):
    """Of an operator that converts"""
    text = text.replace('> ', '>')
    return re.sub(r'::operator [\w:<>, ]+\(', '::operator (', re.sub(r'\b(\d+)ul?\b', r'\1', text))


for line in sys.stdin:
    print(without_type(without_const(without_arguments(line.rstrip('\n').replace('[abi:cxx11]', '')))))
