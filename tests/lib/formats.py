"""formats.py FORMAT FILE: reads a written profile as its viewers do, checks its structure, and prints what it says of each function.

A line a function, `SELF TOTAL NAME', sorted, in the weight that the format has; then a line a thread, `= TOTAL NAME', where the format tells
them apart. FORMAT `text' is the stacks' text itself (tests/tools/stackwrite.c), read here without any code of psuite's: `text:FORMAT' gives
what FORMAT must say of it. A broken structure is an exception.
"""
import collections
import json
import re
import sys

SCHEMA = 'https://www.speedscope.app/file-format-schema.json'
UNKNOWN = '(unknown)'


class Sums:
    """Chains of names, outermost first, and what they weigh."""

    def __init__(self):
        self.own, self.all, self.thread = (collections.Counter() for _ in range(3))

    def add(self, chain, weight, thread=None):
        chain = chain or [UNKNOWN]
        self.own[chain[-1]] += weight
        for name in set(chain):
            self.all[name] += weight
        if thread is not None:
            self.thread[thread] += weight

    def show(self):
        for name in sorted(self.all):
            if self.all[name]:
                print(self.own[name], self.all[name], json.dumps(name))
        for name in sorted(self.thread):
            print('=', self.thread[name], json.dumps(name))


def check(truth, *what):
    if not truth:
        raise SystemExit('formats.py: broken: ' + ' '.join(map(str, what)))


def within(index, table, what):
    check(isinstance(index, int) and 0 <= index < len(table), what, index, 'of', len(table))
    return table[index]


# --- the text ---

def unescape(text):
    raw = re.sub(rb'\\x([0-9a-f]{2})', lambda m: bytes([int(m[1], 16)]), text.encode())
    return raw.decode(errors='replace')


def frame_name(text):
    text = re.sub(r':\d+$', '', text[text.startswith('~'):])
    return unescape(text.split('@')[0])


# How each format has names: what it cannot hold is replaced.
NAMES = {
    'folded': lambda n: n.replace(';', ':').replace('\n', ' '),
    'callgrind': lambda n: re.sub(r'[\x00-\x1f\x7f]', ' ', n),
}
# Formats whose weight is the first value, unless that is calls.
FIRST = {'folded'}
# Formats that tell threads apart, and those that give samples of no thread a name.
NO_THREAD = {'json': None, 'folded': ('(no thread)', None), 'speedscope': ('(no thread)', 'all threads'), 'firefox': ('all threads', 'all threads')}


def text_sums(path, form):
    sums, each, samples, first = Sums(), 1000000, [], form in FIRST
    for line in open(path, encoding='utf-8'):
        if line.startswith('!bytes'):
            each = 64
        first = first and not line.startswith('!calls')
        if line[0] not in '#!':
            samples.append(line.rstrip('\n'))
    many = any('|' in line for line in samples)
    for line in samples:
        name = NAMES.get(form, lambda n: n)
        rest, number = line.rsplit(' ', 1)
        thread, rest = rest.split('|', 1) if '|' in rest else (None, rest)
        chain = [name(frame_name(f)) for f in rest.split(';') if f]
        weight = int(number) * (1 if first else each)
        if thread is not None:
            thread = name(unescape(thread))
        elif NO_THREAD.get(form):
            thread = NO_THREAD[form][0 if many else 1]
        sums.add(chain, weight, thread if form in NO_THREAD else None)
    if not samples and form in ('speedscope', 'firefox'):
        sums.thread[NO_THREAD[form][1]] = 0
    return sums


# --- formats ---

def folded_sums(path, threads):
    sums = Sums()
    for line in open(path, encoding='utf-8', errors='replace', newline='\n'):
        chain, number = line.rstrip('\n').rsplit(' ', 1)
        names = chain.split(';')
        sums.add(names[threads:], int(number), names[0] if threads else None)
    return sums


def json_sums(path):
    p, sums = json.load(open(path, encoding='utf-8')), Sums()
    check(p['psuite'] == 1 and p['applet'] and isinstance(p['lost'], int), 'head')
    nodes, frames, functions, last = p['nodes'], p['frames'], p['functions'], len(p['values']) - 1
    for f in functions:
        check(f['module'] is None or within(f['module'], p['modules'], 'module'), 'module')
        check(f['kind'] in ('user', 'kernel', 'jit', 'wait'), 'kind')
    own = [[0] * len(p['values']) for _ in nodes]
    chains = []
    for i, n in enumerate(nodes):
        check(n['parent'] is None or 0 <= n['parent'] < i, 'parent')
        name = within(within(n['frame'], frames, 'frame')['function'], functions, 'function')['name']
        chains.append((chains[n['parent']] if n['parent'] is not None else []) + [name])
    for s in p['samples']:
        check(('time_ns' in s) == p['timed'], 'time')
        thread = None if s['thread'] is None else within(s['thread'], p['threads'], 'thread')['name']
        sums.add(chains[s['node']] if s['node'] is not None else [], s['amounts'][last], thread)
        if s['node'] is not None:
            own[s['node']] = [a + b for a, b in zip(own[s['node']], s['amounts'])]
    whole = [list(o) for o in own]
    for i in range(len(nodes) - 1, -1, -1):
        if nodes[i]['parent'] is not None:
            whole[nodes[i]['parent']] = [a + b for a, b in zip(whole[nodes[i]['parent']], whole[i])]
        check(nodes[i]['self'] == own[i] and nodes[i]['total'] == whole[i], 'sums of node', i)
    for v, value in enumerate(p['values']):
        check(value['total'] == sum(s['amounts'][v] for s in p['samples']), 'total')
    return sums


def speedscope_sums(path):
    p, sums = json.load(open(path, encoding='utf-8')), Sums()
    frames = p['shared']['frames']
    check(p['$schema'] == SCHEMA and p['profiles'], 'head')
    heaviest = within(p['activeProfileIndex'], p['profiles'], 'active profile')
    for profile in p['profiles']:
        check(profile['type'] == 'sampled' and profile['startValue'] == 0, 'profile')
        check(len(profile['samples']) == len(profile['weights']), 'lengths')
        check(profile['endValue'] == sum(profile['weights']) <= heaviest['endValue'], 'end')
        thread = re.sub(r' \(\d+\)$', '', profile['name'])
        sums.thread[thread] += 0
        for stack, weight in zip(profile['samples'], profile['weights']):
            sums.add([within(i, frames, 'frame')['name'] for i in stack], weight, thread)
    return sums


def table(t, numbers='', **columns):
    """Every column has the table's length; a column that refers to another table stays in it, or is what it may be instead."""
    for key, column in t.items():
        check(key == 'length' or not isinstance(column, list) or len(column) == t['length'], 'length of', key)
    for key, (target, instead) in columns.items():
        check(key in t, key)
        for i in t[key]:
            check(i in instead or 0 <= i < target, key, i)


FIREFOX_THREAD = {'name', 'processName', 'isMainThread', 'pid', 'tid', 'processType', 'processStartupTime', 'processShutdownTime', 'registerTime',
                  'unregisterTime', 'pausedRanges', 'markers', 'samples'}


def firefox_check(p):
    meta, shared = p['meta'], p['shared']
    check(meta['preprocessedProfileVersion'] == 60 and meta['version'] > 0 and meta['interval'] > 0, 'versions')
    categories, strings = meta['categories'], len(shared['stringArray'])
    check(any(c['color'] == 'grey' for c in categories), 'default category')
    check(all(c['subcategories'][0] == 'Other' for c in categories), 'subcategories')
    check(len(set(shared['stringArray'])) == strings, 'strings are there once')
    stacks, frames, funcs = shared['stackTable'], shared['frameTable'], shared['funcTable']
    resources, symbols, sources = shared['resourceTable'], shared['nativeSymbols'], shared['sources']
    table(stacks, frame=(frames['length'], ()), prefix=(stacks['length'], (None,)))
    table(frames, func=(funcs['length'], ()), nativeSymbol=(symbols['length'], (None,)), category=(len(categories), ()), subcategory=(1, ()))
    table(funcs, name=(strings, ()), resource=(resources['length'], (-1,)), source=(sources['length'], (None,)))
    table(resources, lib=(len(p['libs']), ()), name=(strings, ()), type=(6, ()))
    table(symbols, libIndex=(len(p['libs']), ()), name=(strings, ()))
    table(sources, filename=(strings, ()))
    for i, prefix in enumerate(stacks['prefix']):
        check(prefix is None or prefix < i, 'a parent comes first')
        depth = frames['inlineDepth'][stacks['frame'][i]]
        check(depth == 0 or depth == frames['inlineDepth'][stacks['frame'][prefix]] + 1, 'depth of inlining')
    for key in ('address', 'inlineDepth', 'innerWindowID', 'line', 'column'):
        check(len(frames[key]) == frames['length'], key)
    for lib in p['libs']:
        check(re.fullmatch('([0-9A-F]{33})?', lib['breakpadId']), 'breakpadId')


def firefox_sums(path):
    p, sums = json.load(open(path, encoding='utf-8')), Sums()
    firefox_check(p)
    shared, chains = p['shared'], []
    for frame, prefix in zip(shared['stackTable']['frame'], shared['stackTable']['prefix']):
        func = shared['frameTable']['func'][frame]
        name = shared['stringArray'][shared['funcTable']['name'][func]]
        chains.append((chains[prefix] if prefix is not None else []) + [name])
    check(p['threads'], 'threads')
    for t in p['threads']:
        check(set(t) == FIREFOX_THREAD and isinstance(t['pid'], str), 'thread')
        check(t['markers']['length'] == 0, 'markers')
        table(t['markers'])
        table(t['samples'], stack=(len(chains), (None,)))
        s, unit = t['samples'], {'tracing-ms': 1000000, 'bytes': 1, 'samples': 1}[t['samples']['weightType']]
        check(s['time'] == sorted(s['time']), 'times')
        sums.thread[t['name']] += 0
        for stack, weight in zip(s['stack'], s['weight']):
            sums.add(chains[stack] if stack is not None else [], round(weight * unit), t['name'])
    return sums


def topo_sums(path):
    """The data of the page. Names that several modules have are followed by the module."""
    text, sums = open(path, encoding='utf-8').read(), Sums()
    p = json.loads(re.search('<script type="application/json" id="data">\n(.*?)</script>', text, re.S)[1])
    functions, callers = p['functions'], collections.Counter()
    check(p['psuite'] == 1 and p['applet'] == 'topo' and not p['compared'], 'head')
    for name, total, local, calls, shortest, longest, parent, place in functions:
        check(local <= total and -1 <= parent < len(functions), 'function', name)
        name = re.sub(r' \[[^]]*\]$', '', name)
        sums.own[name] += local
        sums.all[name] += total
    for caller, callee, calls, total in p['relations']:
        within(caller, functions, 'caller')
        callers[callee] += 1
        check(total <= within(callee, functions, 'callee')[1], 'time of a relation')
    for i, f in enumerate(functions):
        check(f[6] < 0 or [f[6], i] in [r[:2] for r in p['relations']], 'first caller of', f[0])
    return sums


def main():
    form, path = sys.argv[1:3]
    if form.startswith('text:'):
        sums = text_sums(path, form[5:])
    elif form == 'folded':
        sums = folded_sums(path, '--threads' in sys.argv)
    else:
        sums = {'topo': topo_sums, 'json': json_sums, 'speedscope': speedscope_sums, 'firefox': firefox_sums}[form](path)
    sums.show()


main()
