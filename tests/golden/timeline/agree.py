"""agree.py SVG CHROME PAGE TEXT: a known schedule's run times, read back from each format, are the text's own."""
import base64, collections, json, re, sys, xml.dom.minidom

svg, chrome, page, text = [open(path, encoding="utf-8").read() for path in sys.argv[1:]]


def from_text():
    """Run time of each task: from a Run to what ends it; a loss ends what runs on its CPU
    at the CPU's last event, and who leaves that CPU first ran since the loss."""
    ran, since, on, last, unknown = collections.Counter(), {}, {}, {}, {}
    names, end, begin = {}, 0, None
    for line in text.splitlines():
        words = line.split()
        if line.startswith("name"):
            names[int(words[1])] = words[2]
        if not line[:1].isdigit():
            continue
        t, pid, kind, more = round(float(words[0]) * 1000), int(words[1]), words[2], dict(w.split("=") for w in words[3:] if "=" in w)
        cpu = int(more.get("cpu", -1))
        begin = t if begin is None else begin
        end = end if kind == "Deadline" else max(end, t)
        if kind == "Lost" and cpu in on:
            ran[on[cpu]] += last[cpu] - since.pop(on[cpu])
            del on[cpu]
            unknown[cpu] = t
        elif kind == "Run":
            since[pid], on[cpu] = t, pid
            unknown.pop(cpu, None)
        elif kind == "Slice" and cpu in unknown:
            ran[pid] += t - unknown.pop(cpu)
        elif kind in ("Sleep", "Yield", "Slice", "Dead") and pid in since:
            ran[pid] += t - since.pop(pid)
            on = {c: p for c, p in on.items() if p != pid}
        if cpu >= 0 and kind != "Deadline":
            last[cpu] = t
    for pid in since:
        ran[pid] += end - since[pid]
    return ran, names, end - begin


def from_chrome():
    """By task's track and by CPU's; each phase with the fields that the format asks for."""
    trace, task, cpu = json.loads(chrome), collections.Counter(), collections.Counter()
    fields = {"X": {"ts", "dur", "name", "cat"}, "M": {"name", "args"}, "i": {"ts", "name", "s"}, "s": {"id", "ts"}, "f": {"id", "ts", "bp"}}
    arrows = collections.defaultdict(list)
    for e in trace["traceEvents"]:
        assert e["ph"] in fields and isinstance(e["pid"], int) and isinstance(e["tid"], int), e
        assert fields[e["ph"]] <= e.keys() and e.get("ts", 0) >= 0 and e.get("dur", 0) >= 0, e
        assert e.get("s", "t") in "gpt" and e["name"], e
        if e["ph"] in "sf":
            arrows[e["id"]].append((e["ph"], e["ts"]))
        if e["ph"] == "X" and e["cat"] == "run":
            (task if e["pid"] == 2 else cpu)[e["tid"] if e["pid"] == 2 else e["args"]["tid"]] += round(e["dur"] * 1000)
    assert all(len(a) == 2 and a[0][0] == "s" and a[0][1] <= a[1][1] for a in arrows.values())
    assert task == cpu, (task, cpu)
    return task


def from_page():
    """The bytes as include told by include/core/timeline/page_data.h."""
    data = re.search(r'id="data">(.*?)</script>', page, re.S).group(1)
    bytes_, at = base64.b64decode(data), 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = bytes_[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed():
        v = number()
        return v >> 1 ^ -(v & 1)

    def word():
        nonlocal at
        n = number()
        at += n
        return bytes_[at - n:at].decode()

    assert number() == 1
    length, cpus = number(), number()
    kinds = [word() for _ in range(number())]
    texts = [word() for _ in range(number())]
    tasks = [(signed(), word()) for _ in range(number())]
    ran, start = collections.Counter(), 0
    for _ in range(number()):
        start += number()
        duration, task, cpu, flags = number(), number(), number() - 1, number()
        assert task < len(tasks) and cpu < cpus and flags >> 3 <= 5 and start + duration <= length
        ran[tasks[task][0]] += duration
        for bit in (1, 2, 4):
            if flags & bit:
                number()
    marks, t = collections.Counter(), 0
    for _ in range(number()):
        t += signed()
        kind, task, cpu, other, what = kinds[number()], number(), number(), signed(), number()
        assert task <= len(tasks) and (kind != "User" or texts[what - 1] == "linking")
        marks[kind] += 1
    losses = [(number() - 1, number(), number(), number()) for _ in range(number())]
    assert at == len(bytes_) and [(c, n) for c, _, _, n in losses] == [(1, 512)], losses
    assert marks["Release"] == 24 and marks["Lost"] == 1 and marks["User"] == 1, marks
    return ran, dict(tasks), length


def from_svg():
    """The names, and bars as long as the tasks ran, to a pixel a bar."""
    root = xml.dom.minidom.parseString(svg).documentElement
    ran = {}
    for row in root.getElementsByTagName("g"):
        words = row.getElementsByTagName("text")
        if not words:
            continue
        bars = [r for r in row.getElementsByTagName("rect") if re.fullmatch(r"c\d", r.getAttribute("class")) and not r.hasAttribute("fill-opacity")]
        pid, name = words[0].firstChild.data.split()
        ran[int(pid)] = (name, sum(float(r.getAttribute("width")) for r in bars), len(bars))
    return ran


truth, names, length = from_text()
assert from_chrome() == truth, (from_chrome(), truth)
ran, tasks, page_length = from_page()
assert ran == truth and tasks == names and page_length == length, (ran, truth, tasks, page_length, length)
for pid, (name, width, bars) in from_svg().items():
    assert name == names[pid]
    assert bars == 0 or abs(width - truth[pid] * 932 / length) <= bars * 0.02 + 0.02 * width, (pid, width, truth[pid] * 932 / length)
assert len(from_svg()) == len(names)
