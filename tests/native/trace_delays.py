"""trace_delays.py NAME JSON TIMEHIST EVENTS: the delays of tasks called NAME as trace --delays --json lists them, against the same
seconds as perf sched timehist prints them: each is in both, and the same tasks ran meanwhile. A line a check, `ok WHAT', `FAILED
WHAT' or `skip WHY'. EVENTS: the same recording by trace -e, for tasks that moved."""
import json
import re
import sys

NAME, REPORT, TIMEHIST, EVENTS = sys.argv[1:]
LINE = re.compile(r"^\s*([0-9.]+) \[(\d+)\]\s+(.*?)\[(\d+)(?:/\d+)?\]\s+([0-9.]+)\s+([0-9.]+)\s+([0-9.]+)\s*$")
NEAR_MS = 0.05  # timehist rounds to microseconds, and its clock is another


def runs():
    for line in open(TIMEHIST, errors="replace"):
        if m := LINE.match(line):
            end, cpu, comm, pid, _, delay, run = m.groups()
            yield {"end": float(end) * 1e3, "cpu": int(cpu), "comm": comm.strip(), "pid": int(pid), "delay": float(delay), "run": float(run)}


def check(good, what):
    print(f"{'ok' if good else 'FAILED'} {what}", flush=True)


def overlaps(all_runs, run):
    """Milliseconds that each task ran on the CPU where a run waited, until it began."""
    start = run["end"] - run["run"]
    ran = {}
    for other in all_runs:
        if other["cpu"] == run["cpu"] and other is not run:
            ms = min(other["end"], start) - max(other["end"] - other["run"], start - run["delay"])
            if ms > 0:
                ran[other["pid"]] = ran.get(other["pid"], 0) + ms
    return ran


report = json.load(open(REPORT))
inferred = sum("(inferred)" in line for line in open(EVENTS, errors="replace"))
limit_ms = report["delay_limit_ns"] / 1e6
perf = list(runs())
# By pid: a task had another name before its exec, and the two do not name it at the same time.
pids = {r["pid"] for r in perf if r["comm"] == NAME}
ours = [d for d in report["delays"] if d["pid"] in pids and d["kind"] == "wake-up"]
theirs = [r for r in perf if r["pid"] in pids and r["delay"] > limit_ms]
if report["lost"] or len(theirs) < 3:
    print(f"skip {report['lost']} events lost, {report['switches_inferred']} switches missing, {len(perf)} runs and {len(theirs)} delays in perf's")
    sys.exit()
pairs = [(d, r) for d in ours for r in theirs if d["pid"] == r["pid"] and abs(d["late_ns"] / 1e6 - r["delay"]) < NEAR_MS]
if not pairs:
    check(False, f"none of {len(theirs)} delays is in both")
    sys.exit()
# The clocks differ, and perf recorded longer.
offset = sorted(r["end"] - r["run"] - d["at_ns"] / 1e6 for d, r in pairs)[len(pairs) // 2]
begin, end = report["begin_ns"] / 1e6 + offset + 10, report["end_ns"] / 1e6 + offset - 10
theirs = [r for r in theirs if begin < r["end"] - r["run"] - r["delay"] and r["end"] < end]
only_ours = [d for d in ours if not any(p[0] is d for p in pairs) and d["late_ns"] / 1e6 > limit_ms + NEAR_MS]
only_theirs = [r for r in theirs if not any(p[1] is r for p in pairs) and r["delay"] > limit_ms + NEAR_MS]
check(len(only_theirs) == 0, f"trace lists each of them; not {only_theirs[:3]}" if only_theirs else f"trace lists each of them, {len(pairs)}")
check(len(only_ours) == 0, f"and no other; but {only_ours[:3]}" if only_ours else "and no other")
check(all(d["cpu"] == r["cpu"] for d, r in pairs), "on the same CPUs")
moves = [(float(w[0]) * 1e9 + report["begin_ns"], int(w[2])) for w in map(str.split, open(EVENTS, errors="replace")) if "Migrate" in w]
wrong, compared = [], 0
for d, r in pairs:
    if any(pid == d["pid"] and d["since_ns"] - 2000 <= at <= d["at_ns"] + 2000 for at, pid in moves):
        continue
    compared += 1
    ran = overlaps(perf, r)
    for task in d["meanwhile"]:
        if abs(task["run_ns"] / 1e6 - ran.get(task["pid"], 0)) > NEAR_MS * 3 + 0.01 * r["delay"]:
            wrong.append((d["pid"], task, ran.get(task["pid"], 0)))
# A switch that the kernel leaves out of its trace makes one run longer and one shorter.
check(not wrong or (inferred and 3 * len(wrong) < compared), f"the same tasks ran meanwhile; not {wrong[:2]}" if wrong else f"the same tasks ran meanwhile, as long, in {compared}")
check(any(t["name"] == "holder" for d in ours for t in d["meanwhile"]), "those that held the CPU are among them")
print("ok the end")
