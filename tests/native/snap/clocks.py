"""clocks SNAP BURST EVENTS OWN: whether samples, the scheduler and statistics agree about when a burst of work was (BURST: what burst.py wrote) and
when statistics were taken. EVENTS: `trace --json -e' of the recording in SNAP. OWN: 1 where the events have the numbers of processes that the burst has. Prints `ok WHAT' and `FAILED WHAT' lines."""
import bisect
import collections
import json
import sys

import known

MS = 1000000
found = known.streams(sys.argv[1])
facts = known.facts(found)
slept, began, ended, woke, tid = map(int, open(sys.argv[2]).read().split())
runs, running = collections.defaultdict(list), {}
for line in open(sys.argv[3]):
    e = json.loads(line)
    if "pid" not in e or "time_ns" not in e:
        continue
    if e["kind"] == "Run":
        running[e["pid"]] = e["time_ns"]
    elif e["kind"] in ("Sleep", "Slice", "Yield", "Dead") and e["pid"] in running:
        runs[e["pid"]].append((running.pop(e["pid"]), e["time_ns"]))


def check(what, holds, value=""):
    print("ok" if holds else "FAILED", what, value)


# The burst: nothing of its thread is in its sleeps, as much as it ran in between.
times = [time for time, t, _cpu in known.samples(found) if t == tid]
ran = sum(max(0, min(b, ended) - max(a, began)) for a, b in runs[tid])
sampled = sum(began <= time <= ended for time in times) / 997 * 1000 * MS
check("the burst ran 0.6 s or so, by samples", 250 * MS < sampled < 700 * MS, sampled / MS)
if sys.argv[4] == "1":
    check("and by the scheduler", 300 * MS < ran < 650 * MS, ran / MS)
    check("equally long by both, to 10%", abs(sampled - ran) < 0.1 * ran)
for name, start, end in ("first", slept, began), ("second", ended, woke):
    early = [time for time in times if start + 5 * MS < time < end - 5 * MS]
    check(f"no sample is in the {name} sleep", not early, early[:3])
    late = [a for a, b in runs[tid] if start + 5 * MS < a and b < end - 5 * MS]
    check(f"no run is in the {name} sleep", not late, late[:3])

# Statistics: nearly each sample was taken while one and the same task ran, which took it.
offset = int(facts["begin_real_ns"]) - int(facts["begin_mono_ns"])
taken = [ms * MS - offset for ms in known.stats_times(found)]
taken = [t for t in taken if int(facts["begin_mono_ns"]) < t < int(facts["end_mono_ns"])]


def distance(t, spans):
    """From the nearest of the runs, which are in order."""
    i = bisect.bisect(spans, (t,))
    near = spans[max(0, i - 1):i + 1]
    return min(0 if a <= t <= b else min(abs(t - a), abs(t - b)) for a, b in near)


# Of one in ten the clock may have been read before the task was stopped, or after.
worst = {pid: sorted(distance(t, spans) for t in taken)[len(taken) * 9 // 10 - 1] for pid, spans in runs.items() if pid > 0 and len(spans) >= len(taken)}
best = min(worst.values())
check("statistics were taken", len(taken) >= 5, len(taken))
check("nearly each while one task ran, to 3 ms", best < 3 * MS, best / MS)
print("end")
