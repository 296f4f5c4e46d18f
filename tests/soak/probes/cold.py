"""cold.py PLANDUMP MODULES: cold parts of functions are no entries. Those of python3.11 have names in its debug file; those of gdb, which
has none, are what conditional jumps of other functions lead to, and no call: compilers make no calls so."""
import re
import subprocess
import sys

JUMP = re.compile(r'^ +([0-9a-f]+):\t(?:bnd )?(j\w+|call)\s+([0-9a-f]+) <')


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def entries_of(path):
    """start -> end"""
    each = [line.split() for line in output_of(sys.argv[1], path)]
    return {int(start, 16): int(start, 16) + int(size, 16) for start, size, *_ in each}


def debug_file_of(path):
    for line in output_of('readelf', '-n', path):
        if 'Build ID:' in line:
            build_id = line.split()[-1]
            return f'{sys.argv[2]}/usr/lib/debug/.build-id/{build_id[:2]}/{build_id[2:]}.debug'
    sys.exit(f'{path}: no build ID')


def by_names(path):
    entries, cold = entries_of(path), {}
    for line in output_of('nm', '--defined-only', debug_file_of(path)):
        words = line.split()
        if '.cold' in words[-1]:
            cold[int(words[0], 16)] = words[-1]
    return len(entries), len(cold), [name for address, name in cold.items() if address in entries]


def by_jumps(path):
    entries, jumps, called = entries_of(path), {}, set()
    for line in output_of('objdump', '-d', '--no-show-raw-insn', path):
        match = JUMP.match(line)
        target = int(match.group(3), 16) if match else None
        if target not in entries:
            continue
        at, how = int(match.group(1), 16), match.group(2)
        if how == 'call':
            called.add(target)
        elif how != 'jmp' and not target <= at < entries[target]:
            jumps[target] = at
    cold = [address for address in jumps if address not in called]
    return len(entries), len(jumps), ['%x, from %x' % (address, jumps[address]) for address in cold]


def main():
    wrong = 0
    for name, cold_of, what in (('python3.11', by_names, 'cold parts, entries of them:'),
                                ('gdb', by_jumps, 'entries have conditional jumps to them, without a call:')):
        entries, count, found = cold_of(f'{sys.argv[2]}/usr/bin/{name}')
        print(f'{name}: {entries} entries; {count} {what} {len(found)}')
        print(*found[:20], sep='\n', end='\n' if found else '')
        wrong += len(found)
    sys.exit(wrong > 0)


main()
