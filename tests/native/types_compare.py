"""types_compare.py structs WANT GOT | functions WANT GOT: declarations of pahole or pfunct (WANT) against those of psuite sym.

Blanks do not count. A definition is compared by its members with offset and size, by its own size, and by its holes when it has
no bit-fields. pahole keeps one definition of a name: one of psuite's must be the same. Prints each difference and the
number that were compared."""
import collections
import re
import sys

MEMBER = re.compile(r'^(\s*)(.*?);?\s*/\*\s*(\d+)(?::\s*(\d+))?\s+(\d+) \*/$')


def squeeze(text):
    """Without blanks, attributes and the tag of pahole 1.30; pahole writes an enum without a name out."""
    text = re.sub(r'^bpf_kfunc\b|__attribute__\(\(\w+(\(\w+\))?\)\)', '', text)
    return re.sub(r'\s+', '', text).replace('enum{...}', '}').replace('[0]', '[]').replace('const}', '}').replace('constconst', 'const')


def same_text(got, want):
    """pahole 1.24 writes `T *const p' as `const T *p', and `T (*p)[4]' as `T *p'."""
    if got == want or ('*const' not in got and not re.search(r'\(\*+\w*\)\[', got)):
        return got == want
    plain = [re.sub(r'\((\*+\w*)\)\[\d*\]', r'\1', text.replace('const', '')) for text in (got, want)]
    return plain[0] == plain[1]


def same_definition(got, want):
    members, size, holes = got
    return (len(members) == len(want[0]) and all(same_text(a[0], b[0]) and a[1:] == b[1:] for a, b in zip(members, want[0]))
            and want[1] in (size, 0) and holes == want[2])  # pahole writes no size of some unions


def definitions(path):
    """name -> list of (members, size, holes in bytes or None)"""
    found = collections.defaultdict(list)
    head = None
    for line in open(path):
        line = line.rstrip('\n')
        if re.match(r'^(struct|union) \S+ {$', line):
            head, members, holes, bits, size = line.split()[1], [], 0, False, 0
            kind = line.split()[0]
        elif head is None:
            continue
        match = MEMBER.match(line)
        hole = re.match(r'\t/\* XXX (\d+) bytes? hole', line) or re.search(r'holes: \d+ of (\d+) byte', line)
        if match and not re.match(r'^/\*', line.strip()):
            _, text, offset, bit, width = match.groups()
            bits |= bit is not None
            text = re.sub(r'\s*:\s*(\d+)$', r':\1', text.strip().rstrip(';'))
            members.append((squeeze(text), int(offset) if bit is None else None, int(width) if bit is None else None))
        elif hole:
            holes += int(hole.group(1))
        of_members = 'last struct has' in line or 'member types with' in line  # pahole 1.30
        bits |= bool(re.search(r'bits? hole|hole:.* bit', line)) and not of_members
        total = re.search(r'/\* size: (\d+)', line)
        if total:
            size = int(total.group(1))
        if line.startswith('}'):
            found[kind + ' ' + head].append((tuple(members), size, None if bits or kind == 'union' else holes))
            head = None
    return found


def compare_structs(want, got):
    compared, differences = 0, []
    for name, each in got.items():
        compared += 1
        if not any(same_definition(one, other) for one in each for other in want[name]):
            differences.append((name, each, want[name][:1]))
    return compared, differences


def compare_functions(want_path, got_path):
    want = collections.defaultdict(set)
    for line in open(want_path):
        want[name_of(line)].add(squeeze(line))
    compared, differences = 0, []
    for line in open(got_path):
        compared += 1
        if not any(same_text(squeeze(line), other) for other in want[name_of(line)]):
            differences.append((name_of(line), line, want[name_of(line)]))
    return compared, differences


def name_of(prototype):
    match = re.match(r'^[^(]*?([A-Za-z0-9_.]+)\s*\(', prototype)
    return match.group(1) if match else prototype


def main():
    kind, want, got = sys.argv[1:4]
    if kind == 'structs':
        compared, differences = compare_structs(definitions(want), definitions(got))
    else:
        compared, differences = compare_functions(want, got)
    for difference in differences:
        print(*difference, sep='\n    ')
    print(f'{compared} compared, {len(differences)} differ')


main()
