#!/usr/bin/env python3
"""perf_chains PSUITE PERF.DATA LEAST: holds the call chains that `tprof -g PERF.DATA' unwinds against those of `perf script'
of the same file, sample by sample as counts of equal chains of functions. Fails when less than LEAST per cent agree; status 77:
perf aborted each of five times.

What is evened out before, because it is known and harmless:
  - a function may have several names: of one address in a file all are one;
  - a function without a name is [unknown] to perf, and goes by its start here;
  - functions that were inlined are frames to perf script unless it is told otherwise, as here: -g without -i has none.
What stays different, in a sample or two: of the vDSO perf unwinds its own, while a perf.data file has no copy of it, so
that here the step out of it is guessed. Through code without call frame information (a JIT compiler's) perf has no
chain at all, and here frame pointers are followed.
Of the others it prints the commonest, with how they differ: one chain is the beginning of the other (which reached
further?), or they part."""
import collections, json, os, re, subprocess, sys

psuite, data, least = sys.argv[1], sys.argv[2], float(sys.argv[3])
aliases = {}  # path -> name -> one name of its address

def debug_file(path):
    note = subprocess.run(['readelf', '-n', path], capture_output=True, text=True).stdout
    found = re.search(r'Build ID: (..)(\w+)', note)
    return f'/usr/lib/debug/.build-id/{found[1]}/{found[2]}.debug' if found else ''

def names_of(path):
    if path not in aliases:
        first, one = {}, {}
        for command in (['nm', path], ['nm', '-D', path], ['nm', debug_file(path)]) if path[:1] == '/' else ():
            for line in subprocess.run(command, capture_output=True, text=True).stdout.splitlines():
                field = line.split()
                if len(field) == 3 and field[1] in 'tTwWiuV':
                    name = field[2].split('@')[0]
                    one[name] = first.setdefault(field[0], one.get(name, name))
        aliases[path] = one
    return aliases[path]

paths = {}  # module's name -> path, as perf has them

# Where a signal's handler returns to: perf looks the address before it up, where nothing is or another function.
TRAMPOLINES = ('__restore_rt', '__kernel_rt_sigreturn', '__kernel_sigreturn', '__default_rt_sa_restorer', '__default_sa_restorer')

def plain(name, module):
    if name in ('[unknown]', '(no symbol)', '(no module)', '') + TRAMPOLINES or re.fullmatch(r'0x[0-9a-f]+', name):
        return '?'
    name = name.split('@')[0]
    return names_of(paths.get(module, '')).get(name, name)

def perf_script():
    for attempt in range(5):
        perf = subprocess.run(['perf', 'script', '-i', data, '--no-inline', '--no-demangle', '-F', 'ip,sym,dso'], capture_output=True, text=True)
        if perf.returncode >= 0:
            return perf.stdout
    print(f'perf script was ended by signal {-perf.returncode}')
    sys.exit(77)

def theirs():
    out = perf_script()
    counts, chain = collections.Counter(), []
    for line in out.splitlines() + ['']:
        m = re.match(r'\s*([0-9a-f]+) (.*) \((.*)\)$', line)
        if m:
            module = os.path.basename(m[3])
            paths.setdefault(module, re.sub(r' \(deleted\)$', '', m[3]))
            chain.append(plain(m[2], module))
        elif not line.strip() and chain:
            counts[tuple(chain)] += 1
            chain = []
    return counts

def ours():
    out = subprocess.run([psuite, 'tprof', '-g', '--no-demangle', '--json', data], check=True, capture_output=True, text=True).stdout
    report = json.loads(out)
    nodes, frames, functions, modules = (report[k] for k in ('nodes', 'frames', 'functions', 'modules'))
    def name(node):
        f = functions[frames[node['frame']]['function']]
        module = os.path.basename(modules[f['module']]['path']) if f['module'] is not None else ''
        return plain(f['name'], module)
    def chain(i):
        found = []
        while i is not None:
            found.append(name(nodes[i]))
            i = nodes[i]['parent']
        return tuple(found)
    counts = collections.Counter()
    for s in report['samples']:
        counts[chain(s['node'])] += s['amounts'][0]
    return counts, report.get('chains', {})

b = theirs()
a, ends = ours()
same = sum((a & b).values())
only_a, only_b = a - b, b - a
longer = shorter = parts = 0
for chain, n in only_b.items():
    match = [c for c in only_a if c[:len(chain)] == chain or chain[:len(c)] == c]
    longer += n if match and len(match[0]) > len(chain) else 0
    shorter += n if match and len(match[0]) <= len(chain) else 0
    parts += n if not match else 0
total = max(sum(a.values()), sum(b.values()), 1)
for whose, counts in (('tprof', only_a), ('perf', only_b)):
    for chain, n in counts.most_common(3):
        print(f'    {whose} alone, {n}: {";".join(reversed(chain))[-300:]}')
print(f'{same} of {total} chains are equal ({100 * same / total:.1f}%), tprof reached further in {longer}, perf in {shorter}, {parts} part;'
      f' tprof: {sum(a.values())}, {ends.get("whole")} whole; perf: {sum(b.values())}')
sys.exit(100 * same / total < least)
