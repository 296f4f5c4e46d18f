#!/usr/bin/env python3
"""perf_counts PSUITE PERF.DATA: holds `tprof --json PERF.DATA' against `perf report' of the same file, symbol by symbol.
Names may differ in ways that are listed; counts may not. Prints what differs; exit 1 when anything is not explained."""
import collections, json, os, re, subprocess, sys

psuite, data = sys.argv[1:3]

def ours():
    report = json.loads(subprocess.run([psuite, 'tprof', '--json', '--no-demangle', data], check=True,
                                       capture_output=True, text=True).stdout)
    counts = collections.Counter()
    for row in report['rows']:
        module = os.path.basename(row['module']) if row['module'] and row['module'][0] == '/' else row['module'] or '[unknown]'
        counts[module, row.get('raw') or row['name'] or row.get('start') or ''] += row['samples']
    return counts

def theirs():
    text = subprocess.run(['perf', 'report', '-i', data, '--stdio', '-n', '--no-children', '-g', 'none', '--sort', 'pid,dso,sym',
                           '--no-demangle', '-w', '0,0,0', '-t', '\t'], check=True, capture_output=True, text=True).stdout
    counts = collections.Counter()
    for line in text.splitlines():
        field = [f.strip() for f in line.split('\t')]
        if line.startswith('#') or len(field) < 5 or field[2].startswith('0:'):  # an idle CPU's
            continue
        counts[re.sub(r' \(deleted\)$', '', field[3]), re.sub(r'^\[.\] ', '', field[4])] += int(field[1])
    return counts

def module_of(dso):
    if dso.startswith('[kernel.') or dso in ('[guest.kernel.kallsyms]',):
        return '[kernel]'
    if dso.startswith('[JIT]') or dso in ('anon', '//anon') or dso.startswith('[anon'):
        return '[anon]'
    return dso

def shown(name):
    """The name that is compared: none where there is none, and one where the C library has two for a function."""
    return '' if not name or name.startswith('0x') else name.replace('__memcpy_', '__memmove_')

a = ours()
b = collections.Counter()
for (dso, name), n in theirs().items():
    b[module_of(dso), shown(name)] += n
c = collections.Counter()
for (module, name), n in a.items():
    c[module, shown(name)] += n

bad = 0
by_module = lambda counts: collections.Counter({m: sum(n for (x, _), n in counts.items() if x == m) for m in {m for m, _ in counts}})
ma, mb = by_module(c), by_module(b)
for module in sorted(set(ma) | set(mb)):
    if ma[module] != mb[module]:
        print(f'module {module}: tprof {ma[module]}, perf {mb[module]}')
        bad = 1
same = moved = 0
for key in sorted(set(b) | set(c)):
    if b[key] == c[key]:
        same += b[key]
    else:
        moved += abs(b[key] - c[key])
        print(f'{key[1] or "(no name)"} [{key[0]}]: tprof {c[key]}, perf {b[key]}')
print(f'{same} of {sum(b.values())} samples in equal rows, {moved} counted under another name')
sys.exit(bad)
