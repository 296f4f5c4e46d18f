"""Live views beside exec churn: memory, CPU time and descriptors over time.

    live.py PSUITE WORK SECONDS OUT      WORK: the directory of the workloads execs and compiled

Starts `tprof --top', `tprof -w --top', `trace --summary' and `trace -w' (or those that VIEWS names), and beside them RATE (200)
programs a second. Every five seconds comes one that compiles code at run time, and one whose file is truncated later, as linkers
do, and halfway a program of CROWD (8000) threads. Every ten seconds a line of OUT has RSS, CPU time and descriptors of each. After the warm-up (a third of the time) the
least RSS of each tenth must not rise by more than RSS_SLOPE (1) per cent an hour: what others do beside it makes RSS rise and
fall, and only what is never given back raises the least. The CPU time a second must not rise by more than CPU_RATIO (1.3) from
the first third of what remains to the last, and there must not be more than FDS (8) more descriptors.
"""
import fcntl
import os
import pty
import shutil
import signal
import struct
import subprocess
import sys
import termios
import threading
import time

psuite, work, seconds, out = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4]
rate, every, crowd = os.environ.get("RATE", "200"), 10, os.environ.get("CROWD", "8000")
limits = {name: float(os.environ.get(name, usual)) for name, usual in (("RSS_SLOPE", 1), ("CPU_RATIO", 1.3), ("FDS", 8))}
programs = "true false uname id date ls pwd env nproc hostname whoami groups sleep cat sort wc basename dirname".split()
every_view = {"top": ["tprof", "-a", "-k", "--top"], "waits": ["tprof", "-w", "-a", "--top"],
              "summary": ["trace", "--summary"], "view": ["trace", "-w"]}
views = {name: every_view[name] for name in os.environ.get("VIEWS", " ".join(every_view)).split()}


def on_terminal(command):
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.environ["TERM"] = "xterm-256color"
        os.execv(psuite, [psuite] + command)
    threading.Thread(target=swallow, args=(terminal,), daemon=True).start()
    return pid


def swallow(terminal):
    try:
        while os.read(terminal, 1 << 16):
            pass
    except OSError:
        pass


def run_compiled():
    one = subprocess.Popen([f"{work}/compiled", "0.2"], stdout=subprocess.DEVNULL)
    one.wait()
    try:
        os.unlink(f"/tmp/perf-{one.pid}.map")
    except OSError:
        pass


def run_truncated():
    path = f"{out}.program"
    shutil.copy(f"{work}/burn", path + ".new")
    if os.path.exists(path):
        os.truncate(path, 0)
    os.replace(path + ".new", path)
    subprocess.run([path, "200"], stdout=subprocess.DEVNULL)


def run_crowd():
    """All its threads are there at once, and end together: what the views hold of them is given back."""
    program = ("import sys, threading\nthreading.stack_size(1 << 16)\nend = threading.Event()\n"
               "all = [threading.Thread(target=end.wait) for _ in range(int(sys.argv[1]))]\n"
               "for one in all: one.start()\nend.set()\nfor one in all: one.join()\n")
    subprocess.run([sys.executable, "-c", program, crowd], check=True)


def look(pid):
    """RSS in KB, CPU seconds, descriptors."""
    with open(f"/proc/{pid}/stat") as f:
        stat = f.read().rsplit(") ", 1)[1].split()
    with open(f"/proc/{pid}/statm") as f:
        pages = int(f.read().split()[1])
    return pages * 4, (int(stat[11]) + int(stat[12])) / 100, len(os.listdir(f"/proc/{pid}/fd"))


def slope(points):
    """Of a line through (x, y) by least squares."""
    n = len(points)
    x0, y0 = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    return sum((x - x0) * (y - y0) for x, y in points) / sum((x - x0) ** 2 for x, _ in points)


def mean(values):
    return sum(values) / len(values)


def floor(points):
    """Of each tenth of the time, the least."""
    begin, length = points[0][0], points[-1][0] - points[0][0]
    tenths = [[p for p in points if i * length <= (p[0] - begin) * 10 < (i + 1) * length] for i in range(10)]
    return [min(tenth, key=lambda p: p[1]) for tenth in tenths if tenth]


def judge(name, series):
    """series: (time, RSS, CPU seconds, descriptors)."""
    rest = [row for row in series if row[0] >= series[-1][0] / 3]
    third = len(rest) // 3
    least = floor([(t, rss) for t, rss, _, _ in rest])
    grown = 100 * 3600 * slope(least) / mean([rss for _, rss in least])
    shares = [100 * (b[2] - a[2]) / (b[0] - a[0]) for a, b in zip(rest, rest[1:])]
    first, last = mean(shares[:third]), mean(shares[-third:])
    fds = max(row[3] for row in rest[-third:]) - rest[0][3]
    bad = [what for what, over in (("RSS", grown > limits["RSS_SLOPE"]), ("CPU", last > first * limits["CPU_RATIO"] + 0.2),
                                   ("descriptors", fds > limits["FDS"])) if over]
    print(f"{name}: least RSS {least[0][1] / 1024:.1f} -> {least[-1][1] / 1024:.1f} MB, {grown:+.2f} % an hour; "
          f"CPU {first:.2f} -> {last:.2f} %; descriptors {rest[0][3]} -> {rest[-1][3]}; "
          f"{'too much: ' + ', '.join(bad) if bad else 'ok'}", flush=True)
    return not bad


pids = {name: on_terminal(command) for name, command in views.items()}
time.sleep(2)
churn = subprocess.Popen([f"{work}/execs", rate, str(seconds + 5)] + programs, stdout=subprocess.PIPE, text=True)
begin, series = time.monotonic(), {name: [] for name in views}
drawn = begin
with open(out, "w") as log:
    log.write("seconds\tload\t" + "\t".join(f"{n}_kb\t{n}_cpu_s\t{n}_fds" for n in views) + "\n")
    while time.monotonic() - begin < seconds:
        run_compiled()
        run_truncated()
        if crowd and time.monotonic() - begin > seconds / 2:
            run_crowd()
            crowd = None
        time.sleep(4.6)
        if time.monotonic() < drawn + every - 1:
            continue
        drawn = time.monotonic()
        for name, pid in pids.items():
            series[name].append((drawn - begin,) + look(pid))
        log.write(f"{drawn - begin:.0f}\t{os.getloadavg()[0]:.1f}\t" +
                  "\t".join(f"{series[n][-1][1]}\t{series[n][-1][2]:.2f}\t{series[n][-1][3]}" for n in views) + "\n")
        log.flush()
for pid in pids.values():
    os.kill(pid, signal.SIGTERM)
churn.send_signal(signal.SIGTERM)
end = time.monotonic() + 60
for name, pid in pids.items():
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        if time.monotonic() > end:
            print(f"{name}: does not end", flush=True)
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)
good = [judge(name, rows) for name, rows in series.items()]
sys.exit(0 if all(good) else 1)
