"""types_gdb.py: run by gdb -x on a program; $ADDRESSES is a file of hexadecimal link-time addresses, one a line. Prints the
prototype of the function at each, `ADDRESS PROTOTYPE;', as gdb knows its type and its arguments; ?? for assembler's. libc's own
names of its functions are without __GI_."""
import os
import re

import gdb

KEYWORDS = {gdb.TYPE_CODE_STRUCT: 'struct ', gdb.TYPE_CODE_UNION: 'union ', gdb.TYPE_CODE_ENUM: 'enum '}
REFERENCES = {gdb.TYPE_CODE_PTR: '*', gdb.TYPE_CODE_REF: '&', gdb.TYPE_CODE_RVALUE_REF: '&&'}


def qualifiers(t):
    """gdb.Type does not say const and volatile but in its text, before a name or behind a star."""
    plain, words = str(t.unqualified()), []
    text = str(t)
    for word in ('const', 'volatile', 'restrict', '_Atomic'):
        if text.count(word) > plain.count(word):
            words.append(word)
    return ' '.join(words)


def declare(t, name):
    """The declaration of `name' with this type, in C."""
    words = qualifiers(t)
    if t.code in REFERENCES:
        inner = REFERENCES[t.code] + (words + ' ' if words else '') + name
        target = t.target()
        if target.code in (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_FUNC):
            inner = '(' + inner + ')'
        return declare(target, inner)
    if t.code == gdb.TYPE_CODE_ARRAY:
        low, high = t.range()
        return declare(t.target(), name + ('[%d]' % (high + 1) if high >= low else '[]'))
    if t.code == gdb.TYPE_CODE_FUNC:
        return declare(t.target(), name + '(' + parameters(t) + ')')
    return (words + ' ' if words else '') + named(t) + (' ' + name if name else '')


def named(t):
    plain = t.unqualified()
    if plain.code == gdb.TYPE_CODE_TYPEDEF or plain.code not in KEYWORDS:
        return str(plain) if plain.name is None else plain.name
    keyword = '' if CPLUSPLUS and plain.name else KEYWORDS[plain.code]
    return keyword + (plain.tag or '{...}')


def parameters(t):
    each = [declare(field.type, '') for field in t.fields()]
    return ', '.join(each) if each else 'void'


def name_of(function):
    """Without the parameters, which gdb has in the name of a function of C++."""
    name = re.sub(r'\)( const| volatile| &| &&)*$', ')', re.sub('^__GI_', '', function.name))
    if not CPLUSPLUS or not name.endswith(')'):
        return name.split('(')[0]
    deep = 0
    for at in range(len(name) - 1, -1, -1):
        deep += (name[at] == ')') - (name[at] == '(')
        if not deep:
            return name[:at]
    return name


def arguments(function, block):
    """With their names; the function's type alone has those without one."""
    named_ones = [symbol for symbol in block if symbol.is_argument]
    for field in function.type.fields():
        if named_ones and str(named_ones[0].type) == str(field.type):
            symbol = named_ones.pop(0)
            yield declare(symbol.type, symbol.name)
        else:
            yield declare(field.type, '')
    yield from (declare(symbol.type, symbol.name) for symbol in named_ones)


def prototype(function, block):
    each = list(arguments(function, block)) + ['...'] * str(function.type).endswith('...)')
    return declare(function.type.target(), '%s(%s)' % (name_of(function), ', '.join(each) or 'void'))


def answer(address):
    """Of the outermost function there: others are inlined in it. The function around a lambda does not cover it."""
    block, outermost = gdb.block_for_pc(address), None
    while block:
        outermost = block if block.function else outermost
        block = block.superblock
        if outermost and block and block.function and not block.start <= address < block.end:
            break
    if not outermost or outermost.function.symtab.filename.endswith(('.S', '.s')):
        return '??'
    return prototype(outermost.function, outermost)


CPLUSPLUS = os.environ.get('LANGUAGE') == 'c++'
for line in open(os.environ['ADDRESSES']):
    print(line.strip(), re.sub(r'\b(long|short) int\b', r'\1', answer(int(line, 16))) + ';')
