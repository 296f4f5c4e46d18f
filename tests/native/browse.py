#!/usr/bin/env python3
"""browse FUNCTIONS CALLERS SCRIPT FUNCTION: screens of tprof --browse, its list of functions and the callers of FUNCTION, held
against the chains that `perf script -F ip,sym,dso' printed, a frame a line and a
blank line behind each chain. Shares of self and total may differ by rounding. Prints what
differs, and how many rows were compared."""
import collections, re, sys

functions, callers, script, function = sys.argv[1:5]
ROUNDING = 0.011  # per cent


def chains():
    for block in open(script, errors="replace").read().split("\n\n"):
        frames = []
        for line in block.splitlines():
            found = re.match(r"\s*[0-9a-f]+ (.*) \((.*)\)$", line)
            if found:
                frames.append(re.sub(r"\+0x[0-9a-f]+$", "", found[1]))
        if frames:
            yield frames


def shares():
    """Of every function: samples in it, samples below it; of FUNCTION's outermost frame: those of its direct callers."""
    own, below, above, count = collections.Counter(), collections.Counter(), collections.Counter(), 0
    for frames in chains():
        count += 1
        own[frames[0]] += 1
        below.update(set(frames))
        at = [i for i, f in enumerate(frames) if f == function]
        if at and at[-1] + 1 < len(frames):
            above[frames[at[-1] + 1]] += 1
    pct = lambda counts: {key: 100 * n / count for key, n in counts.items()}
    return pct(own), pct(below), pct(above)


def rows(path):
    for line in open(path):
        found = re.match(r"\s*([0-9.]+ +)?([0-9.]+) +[0-9.]+(?: +[0-9.]+)? +[-+ ]*(\S+) \[", line)
        if found:
            yield found[3], float(found[1] or "nan"), float(found[2])


own, below, above = shares()
compared = bad = 0


def hold(what, got, want):
    global compared, bad
    compared += 1
    if abs(got - want) > ROUNDING:
        bad = 1
        print(f"{what}: tprof {got}, perf {want:.3f}")


listed = collections.defaultdict(lambda: (0, 0))
for key, self, total in rows(functions):  # perf's chains do not tell functions of one name apart, as _start of the program and of ld.so
    listed[key] = (listed[key][0] + self, listed[key][1] + total)
for key in below:
    if key.startswith("[") or below[key] < 1:
        continue  # without a symbol, or few
    self, total = listed[key]
    hold(f"{key}, self", self, own.get(key, 0))
    hold(f"{key}, total", total, below[key])
shown = collections.Counter()
for key, _, total in rows(callers):
    shown[key] = max(shown[key], total)
for key in above:
    hold(f"caller {key}", shown[key], above[key])
print(f"{compared} compared")
sys.exit(bad or compared < 8)
