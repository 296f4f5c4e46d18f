#!/usr/bin/env python3
"""trace_known.py KIND KNOWN EVENTS: whether a trace (`trace -e') has what the workload tests/work/schedule says it did.
Prints one line: what was found, or the first thing that is not so, with status 1."""
import sys

NEAR = 50_000  # ns: of nine events in ten, as a machine may stand still between an event and the program's word
kind, known_path, events_path = sys.argv[1:4]


def fail(words):
    print(words)
    sys.exit(1)


def most(distances):
    return sorted(distances)[len(distances) * 9 // 10 - 1]


def events():
    for line in open(events_path):
        word = line.split(' ')
        second, nano = word[0].split('.')
        rest = line.rstrip('\n').split(' ', 3)[3]
        name = next(k for k in KINDS if f' {k} ' in f' {rest} ')
        detail = rest[rest.index(name) + len(name):].strip()
        yield int(second) * 10**9 + int(nano) + begin, int(word[1]), int(word[2]), name, detail


KINDS = ('Ready', 'Run', 'Dead', 'Sleep', 'User', 'Admit', 'Release', 'Yield', 'Slice', 'Deadline', 'Expel', 'Migrate', 'Fork', 'Exec', 'Lost')
begin = int(sys.argv[4])
trace = list(events())
known = [line.split() for line in open(known_path)]


def token():
    """Each hand-over: Ready by the giver, near the giver's word; Run near the taker's; Sleep near the sleeper's."""
    threads = {int(k[0]) for k in known}
    gives = [(int(k[2]), int(k[0]), int(k[3])) for k in known if k[1] == 'gives']
    handed = [(t, int(d.split()[1]), pid) for t, _, pid, n, d in trace
              if n == 'Ready' and pid in threads and d.startswith('by') and d.split()[1].isdigit() and int(d.split()[1]) in threads]
    handed = [h for h in handed if h[0] >= gives[0][0]]
    # The last gift goes to a thread that has ended.
    wanted = [(a, b) for _, a, b in gives][:len(handed)]
    if [(a, b) for _, a, b in handed] != wanted or len(handed) < len(gives) - 1:
        fail(f'hand-overs in another order: {handed[:4]} ...')
    apart = [abs(seen - told) for (told, _, _), (seen, _, _) in zip(gives, handed)]
    for pid in threads:
        runs = [t for t, _, p, n, _ in trace if p == pid and n == 'Run']
        sleeps = [t for t, _, p, n, _ in trace if p == pid and n in ('Sleep', 'Slice')]
        for k in known:
            if int(k[0]) == pid and k[1] in ('got', 'woke'):
                apart.append(min(abs(int(k[2]) - t) for t in runs))
            if int(k[0]) == pid and k[1] == 'sleeps':
                apart.append(min(abs(int(k[2]) - t) for t in sleeps))
    if most(apart) > NEAR:
        fail(f'{most(apart)} ns apart')
    print(f'{len(handed)} hand-overs in order, nine in ten at most {most(apart)} ns apart')


def deadline():
    """Periods begin where Release stands, 6 ms after it the deadline; those of 8 ms are sliced and missed."""
    pid = int(known[0][0])
    mine = [(t, n) for t, _, p, n, d in trace if p == pid]
    admit = [t for t, n in mine if n == 'Admit']
    if len(admit) != 1 or abs(admit[0] - int(known[0][2])) > 1_000_000:
        fail(f'Admit: {admit}, told {known[0][2]}')
    periods = [int(k[2]) for k in known if k[1] == 'period']
    releases = [t for t, n in mine if n == 'Release']
    deadlines = [t for t, n in mine if n == 'Deadline']
    if deadlines != [t + 6_000_000 for t in releases]:
        fail('a deadline that is not 6 ms after its release')
    worst = max(min(abs(p - r) for r in releases) for p in periods)
    if worst > 1_000_000 or not len(periods) <= len(releases) <= len(periods) + len(periods) // 3 + 2:
        fail(f'{len(releases)} releases of {len(periods)} periods, {worst} ns apart')
    done = [int(k[2]) for k in known if k[1] == 'done']
    late = sum(1 for p, d in zip(periods, done) if d - p > 6_000_000)
    # Before it is admitted, and by a higher class, it is preempted as any task is: that is not inferred.
    slices = sum(1 for _, _, p, n, d in trace if p == pid and n == 'Slice' and d.endswith('(inferred)'))
    yields = sum(1 for _, n in mine if n == 'Yield')
    if abs(slices - late) > 0 or yields < len(periods):
        fail(f'{slices} slices of {late} periods that were late, {yields} yields of {len(periods)}')
    print(f'{len(periods)} periods, {late} late, at most {worst} ns apart')


def fifo():
    """While the one ran the other did not, and where the other ran up to then, it was preempted by the one."""
    ordinary = next(int(k[0]) for k in known if k[1] == 'ordinary')
    own = next(int(k[0]) for k in known if k[1] == 'ran')
    preempted, apart = 0, []
    for k in known:
        if k[1] != 'ran':
            continue
        start, end = int(k[2]), int(k[3])
        run = max((t for t, _, p, n, _ in trace if p == own and n == 'Run' and t <= start), default=None)
        if run is None:
            fail('it ran before the trace saw it')
        apart.append(start - run)
        if any(start < t < end for t, _, p, n, _ in trace if p == ordinary and n == 'Run'):
            fail('both ran at a time')
        before = [(t, n, d) for t, _, p, n, d in trace if p == ordinary and n in ('Run', 'Slice') and t <= run]
        if before and before[-1][0] == run and before[-1][1] == 'Slice':
            if not before[-1][2].startswith(f'by {own} '):
                fail(f'preempted {before[-1][2]}')
            preempted += 1
        elif before and before[-1][1] == 'Run':
            fail('it was not preempted')
    if most(apart) > NEAR or not preempted:
        fail(f'{most(apart)} ns apart, {preempted} times preempted')
    print(f'{preempted} times preempted, nine in ten at most {most(apart)} ns apart')


{'token': token, 'deadline': deadline, 'fifo': fifo}[kind]()
