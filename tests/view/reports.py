"""reports.py PSUITE FOLDER: reports on pseudo terminals, as a person sees them; says `ok WHAT' or `FAILED WHAT: WHY'.

FOLDER has r.rec, a recording of many functions with call chains, t.rec, a trace, and prof.recur, a call tree.
"""
import fcntl, os, re, select, struct, subprocess, sys, termios, time, unicodedata

PSUITE, FOLDER = sys.argv[1:3]
LIMIT_S = 120
SIZES = (80, 24), (120, 40)


def check(what, truth, why=""):
    print("ok " + what if truth else "FAILED %s: %.2000r" % (what, why), flush=True)


def screen_lines(raw):
    """The lines that are seen in the end, tabs expanded, each as wide as it was written."""
    lines, row = [], []
    column = 0
    for c in raw.decode(errors="replace"):
        if c == "\n":
            lines.append("".join(row).rstrip())
            row, column = [], 0
        elif c == "\r":
            column = 0
        else:
            width = 8 - column % 8 if c == "\t" else 1
            row += [" "] * (column + width - len(row))
            row[column:column + width] = " " * width if c == "\t" else c
            column += width
    return lines + (["".join(row).rstrip()] if "".join(row).strip() else [])


class Run:
    """psuite in a session of its own on a terminal; err: where standard error goes, None: the terminal."""

    def __init__(self, args, size=(80, 24), err=None, out=None):
        self.master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.raw = b""

        def begin():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
        self.program = subprocess.Popen([PSUITE, *args], cwd=FOLDER, stdin=slave, stdout=out or slave,
                                        stderr=err or slave, preexec_fn=begin, env={**env, "LC_ALL": "C.UTF-8"})
        os.close(slave)

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            try:
                got = os.read(self.master, 65536)
            except OSError:
                got = b""
            self.raw += got
            return bool(got)
        return True

    def sees(self, pattern):
        end = time.monotonic() + LIMIT_S
        while not re.search(pattern, self.raw) and time.monotonic() < end:
            if not self.read(0.1):
                break
        return re.search(pattern, self.raw) is not None

    def end(self):
        """The lines in the end. None: it did not end."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            if not self.read(0.1):
                self.program.wait(LIMIT_S)
                os.close(self.master)
                return screen_lines(self.raw)
        self.program.kill()
        self.program.wait()
        os.close(self.master)
        return None


def on_terminal(args, size=(80, 24), **how):
    return Run(args, size, **how).end() or []


def in_pipe(args):
    done = subprocess.run([PSUITE, *args], cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S)
    return done.stdout.decode(errors="replace").expandtabs().splitlines()


def columns(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def check_fits(what, lines, size, full):
    """Above the prompt, and no line wraps. Of what is cut the last row says how to see it."""
    check("%s at %dx%d: fits the height" % (what, *size), 0 < len(lines) < size[1], "\n".join(lines))
    check("%s at %dx%d: no line is wider" % (what, *size), all(columns(x) <= size[0] for x in lines), "\n".join(lines))
    if len(full) >= size[1]:
        check("%s at %dx%d: says how to see the rest" % (what, *size), any("--rows all" in x for x in lines), lines)
        check("%s at %dx%d: uses the height" % (what, *size), len(lines) > size[1] // 2, lines)


def first_numbers(lines, column=0):
    rows = [re.findall(r"[0-9]+(?:\.[0-9]+)?", x[:40]) for x in lines if re.match(r" *[0-9.]+ +[0-9.]+ ", x)]
    return [float(x[column]) for x in rows if len(x) > column]


def reports_fit():
    tprof = ("tprof", "r.rec"), ("tprof", "-g", "r.rec"), ("tprof", "--tree", "r.rec"), ("tprof", "--callers", "r.rec"), \
        ("tprof", "--around", "main", "r.rec"), ("tprof", "--threads", "r.rec"), ("tprof", "-l", "r.rec"), \
        ("tprof", "--diff", "r.rec", "r.rec")
    others = ("trace", "--summary", "t.rec"), ("trace", "--latency", "t.rec"), ("prof", "prof.recur"), \
        ("prof", "--tree", "prof.recur")
    for args in tprof + others:
        full = in_pipe(args)
        check("%s in a pipe: not cut" % " ".join(args), full and not any("--rows all" in x for x in full), full[-3:])
        for size in SIZES:
            check_fits(" ".join(args), on_terminal(args, size), size, full)
    for args in tprof[:1] + tprof[2:3]:
        lines, full = on_terminal((*args[:-1], "--rows", "all", args[-1])), in_pipe(args)
        check("%s --rows all: everything" % " ".join(args), len(lines) > 60 and not any("--rows" in x for x in lines), lines[-3:])
        few = on_terminal((*args[:-1], "--rows", "5", args[-1]))
        check("%s --rows 5: as asked" % " ".join(args), len(few) < 14, few)
    names = [x.split()[-1] for x in in_pipe(tprof[0]) if "function_" in x]
    check("names are whole in a pipe", len(names) == 60 and all(len(x) > 80 for x in names if "_1_" in x), names[:2])


def sums_add_up():
    total = float(in_pipe(("tprof", "r.rec"))[0].split()[1])
    for size in SIZES:
        flat = on_terminal(("tprof", "r.rec"), size)
        check("the amounts add up at %dx%d" % size, sum(first_numbers(flat[2:])) == total, flat)
        tree = on_terminal(("tprof", "--tree", "r.rec"), size)
        shown = sum(float(x.split()[2]) for x in tree if re.match(r" *[0-9.]+ +[0-9.]+ +[0-9.]+ ", x))
        check("self amounts of the tree add up at %dx%d" % size, abs(shown - total / 1000) < 0.01, (shown, total, tree))
        runs = [x for x in on_terminal(("trace", "--summary", "t.rec"), size)]
        part = [x.split("  ") for x in runs]
        whole = sum(run_ms(in_pipe(("trace", "--summary", "t.rec"))))
        check("run times of trace add up at %dx%d" % size, abs(sum(run_ms(runs)) - whole) < 0.1, (part, whole))


def run_ms(lines):
    """Of a summary: the column `run ms'."""
    head = next(i for i, x in enumerate(lines) if "run ms" in x)
    end = lines[head].index("run ms") + len("run ms")
    found = []
    for line in lines[head + 1:]:
        if not line or not re.match(r"[0-9.]+$", line[:end].split()[-1]):
            break
        found.append(float(line[:end].split()[-1]))
    return found


def recursion_folds():
    tree = "\n".join(on_terminal(("tprof", "--tree", "r.rec"), (120, 40)))
    check("a function that calls itself is one line", len(re.findall(r"fib .*x20\n", tree + "\n")) == 1, tree)
    check("20 lines of it in a pipe", sum("fib" in x for x in in_pipe(("tprof", "--tree", "r.rec"))) == 20)
    callers = "\n".join(on_terminal(("tprof", "--callers", "--rows", "all", "r.rec"), (120, 40)))
    check("so it is upwards", re.search(r"fib .*x20", callers) and re.search(r" < main", callers), callers)


FORMATS = {
    "flame:x.svg": "wrote x.svg (open it in a browser)",
    "pprof:x.pb.gz": "wrote x.pb.gz (go tool pprof -http=: x.pb.gz)",
    "callgrind:x.cg": "wrote x.cg (kcachegrind x.cg)",
    "speedscope:x.json": "wrote x.json (open it at https://www.speedscope.app)",
    "firefox:x.ff": "wrote x.ff (open it at https://profiler.firefox.com)",
    "folded:x.txt": "wrote x.txt (flamegraph.pl x.txt > flame.svg)",
    "json:x.js": "wrote x.js",
}


def warnings_are_seen():
    with open(FOLDER + "/r.rec", "rb") as whole, open(FOLDER + "/cut.rec", "wb") as cut:
        cut.write(whole.read()[:-200])
    lines = on_terminal(("tprof", "cut.rec"))
    check("a warning below a report", any(x.startswith("tprof: the recording: ") for x in lines[-2:]), lines)
    check("has its line", lines[:1] == ["total: 2470"] and sum(max(columns(x) + 79, 80) // 80 for x in lines) == 23, lines)


def names_are_hinted():
    lines = on_terminal(("tprof", "stripped.rec"), (80, 9))
    check("what brings names is below the report", any("stripped: " in x for x in lines) and any(" hint: " in x for x in lines), lines)
    check("no word is cut", max(columns(x) for x in lines) <= 80, lines)
    check("and there is room for it", lines[0].startswith("total: ") and sum(max(columns(x) + 79, 80) // 80 for x in lines) <= 10, lines)


def remarks_fit():
    name = next(x for x in os.listdir(FOLDER) if x.startswith("prof.remarks"))
    for height in range(8, 13):
        lines = on_terminal(("prof", name), (80, height))
        check("remarks of prof at 80x%d: the report begins on the screen" % height,
              lines[0].split() == ["%", "Time", "Calls", "Name"] and len(lines) < height, lines)
        check("and no word of them is cut", max(columns(x) for x in lines) <= 80 and any(x.startswith("    ") for x in lines[-3:]), lines)


def says_what_it_wrote():
    args = [word for form in FORMATS for word in ("-o", form)]
    lines = on_terminal(("tprof", "-f", *args, "r.rec"))
    for form, line in FORMATS.items():
        check("%s: `%s'" % (form, line), line in lines, lines)
    check("with the report above them: it fits", len(lines) < 24, lines)
    quiet = on_terminal(("tprof", "-fq", *args, "r.rec"))
    check("-q: nothing is said", quiet == [], quiet)
    with open(FOLDER + "/err", "w+b") as err:
        on_terminal(("tprof", "-f", *args, "r.rec"), err=err)
        err.seek(0)
        check("no terminal: nothing is said", b"wrote" not in err.read())
    drawn = on_terminal(("trace", "-f", "-o", "svg:t.svg", "-o", "html:t.html", "-o", "chrome:t.json", "t.rec"))
    for line in "wrote t.svg (open it in a browser)", "wrote t.html (open it in a browser)", \
            "wrote t.json (open it at https://ui.perfetto.dev)":
        check("trace: `%s'" % line, line in drawn, drawn)


def source_lines_fit():
    for size in (80, 24), (44, 24):
        lines = on_terminal(("tprof", "--annotate", "share_two", "source.rec"), size)
        lines = lines[next((i for i, x in enumerate(lines) if x.endswith("line")), 0):]
        check("--annotate at %dx%d: no line is wider" % size, len(lines) > 3 and all(columns(x) <= size[0] for x in lines), lines)
    check("--annotate: a line that goes on ends so", any(x.endswith("..") for x in lines), lines)
    check("--annotate: whole in a pipe", not any(x.endswith("..") for x in in_pipe(("tprof", "--annotate", "share_two", "source.rec"))))


def lines_around_a_sampling():
    with subprocess.Popen(["sleep", "1000"]) as target:
        begin = "sampling pid %d (sleep), Ctrl-C ends" % target.pid
        args = "tprof", "-E", "ptrace", "-f", "--record", "s.rec", str(target.pid)
        run = Run(args)
        check("before: what is sampled, and how it ends", run.sees(re.escape(begin).encode() + rb"\r\n"), run.raw)
        check("meanwhile: how long, how many samples", run.sees(rb"\r\n[0-9]+ s, [0-9]+ samples"), run.raw)
        os.write(run.master, b"\x03")
        lines = run.end() or []
        check("after: only the first line is left", lines[:1] == [begin] and lines[1].startswith("total: ")
              and not any(re.match(r"[0-9]+ s, |.*\^C", x) for x in lines), lines)
        check("and the recording", lines[-1:] == ["wrote s.rec (psuite tprof s.rec)"], lines)
        quiet = on_terminal(("tprof", "-E", "ptrace", "-fq", "--record", "s.rec", "-t", "3", str(target.pid)))
        check("-q: no line at all", quiet == [], quiet)
        with open(FOLDER + "/err", "w+b") as err:
            lines = on_terminal(("tprof", "-E", "ptrace", "-t", "3", str(target.pid)), err=err)
            err.seek(0)
            said = err.read()
            check("no terminal for messages: no line", b"sampling" not in said and b"samples" not in said and
                  lines and lines[0].startswith("total: "), (said, lines))
        io = Run(("iostats", "-p", str(target.pid)))
        check("iostats -p: what is traced", io.sees(rb"tracing pid %d \(sleep\), Ctrl-C ends\r\n" % target.pid), io.raw)
        check("iostats -p: the line goes on while there are no calls", io.sees(rb"\d s, 0 calls +\r.*\d s, 0 calls +\r"), io.raw)
        os.write(io.master, b"\x03")
        lines = io.end() or []
        check("iostats -p: then its report", any(x.startswith("rpc ") for x in lines) and not any("^C" in x for x in lines), lines)
        target.kill()


def relations_fit():
    lines = on_terminal(("topo", "b1.events"))
    check("topo: lines are folded between words", len(lines) > 40 and all(columns(x) <= 80 for x in lines)
          and any(x.startswith("    ") for x in lines), lines)
    whole = in_pipe(("topo", "b1.events"))
    check("topo: whole in a pipe", any(columns(x) > 80 for x in whole) and
          " ".join(" ".join(lines).split()) == " ".join(" ".join(whole).split()), whole)


def interrupted_command():
    # A shell that has not yet started what it waits for handles SIGINT when that has ended.
    run = Run(("tprof", "-E", "ptrace", "-x", "cat"))
    os.write(run.master, b"begun\n")
    check("-x: it runs", run.sees(rb"begun\r\nbegun\r\n"), run.raw)
    os.write(run.master, b"\x03")
    lines = run.end() or []
    check("-x: the report begins below ^C", lines[:3] == ["begun", "begun", "^C"] and lines[3].startswith("total: "), lines)


def a_command_is_left_alone():
    words = "for i in 1 2 3 4 5 6; do echo line $i; sleep 0.5; done"
    run = Run(("tprof", "-E", "ptrace", "-f", "--record", "x.rec", "-x", "sh", "-c", words))
    lines = run.end() or []
    check("-x: the command's lines, then the report", lines[:6] == ["line %d" % i for i in range(1, 7)] and
          "\r" not in run.raw.decode().replace("\r\n", ""), (lines, run.raw))
    check("-x: what was written", lines[-1:] == ["wrote x.rec (psuite tprof x.rec)"], lines)
    files = " ".join("f%d" % i for i in range(60))
    for size in SIZES:
        args = "iostats", "-b", "ptrace", "sh", "-c", "for f in %s; do echo x >$f; done" % files
        check_fits("iostats -x", on_terminal(args, size), size, ["x"] * 100)


def what_is_typed():
    ns = Run(("ns",))
    check("ns: says that it reads commands", ns.sees(rb"ns: reading commands: cat NAME, ls NAME, write NAME TEXT; Ctrl-D ends\r\n"), ns.raw)
    os.write(ns.master, b"cat '#c/sysname'\n")
    check("ns: answers", ns.sees(rb"\n" + os.uname().nodename.encode()), ns.raw)
    os.write(ns.master, b"\x04")
    sym = Run(("sym", PSUITE))
    check("sym: says that it reads addresses", sym.sees(rb"sym: reading addresses or lines of a log; Ctrl-D ends\r\n"), sym.raw)
    os.write(sym.master, b"\x04")
    check("sym: Ctrl-D ends it", sym.end() is not None and sym.program.returncode == 0, sym.raw)
    check("ns: Ctrl-D ends it", ns.end() is not None and ns.program.returncode == 0, ns.raw)


for test in reports_fit, sums_add_up, recursion_folds, warnings_are_seen, names_are_hinted, remarks_fit, says_what_it_wrote, source_lines_fit, relations_fit, lines_around_a_sampling, interrupted_command, \
        a_command_is_left_alone, what_is_typed:
    test()
