#!/bin/bash
# The cost of monitoring: CPU time and peak memory of 60 refreshes, one a second, of all tools at the same time.
# stats shows all its graphs on a terminal of 80x24 (screen) or writes them as CSV; nmon draws CPUs, kernel, memory and network, top
# and htop their tables. REFRESHES=10 is shorter. Exits 1 when stats costs as much as nmon or more than three times as much as vmstat.
set -u
: "${PSUITE:?the psuite to measure}" "${REFRESHES:=60}"
command -v python3 >/dev/null || { echo 'python3 is missing: apt-get install python3'; exit 0; }
. "$(dirname "$0")/../lib/need.sh"
need vmstat=procps nmon >&2
exec python3 - "$PSUITE" "$REFRESHES" <<'P'
import os, pty, shutil, subprocess, sys, tempfile, threading, time

psuite, n = sys.argv[1], int(sys.argv[2])
scratch = tempfile.mkdtemp()
all_graphs = "-8bceEfiIlmnpstwz"


def on_terminal(argv):
    pid, terminal = pty.fork()
    if pid == 0:
        import fcntl, struct, termios
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", NMON="cmknVr") # its graphs of the same things
        os.execvp(argv[0], argv)
    drain = threading.Thread(target=read_all, args=(terminal,), daemon=True)
    drain.start()
    return pid


def read_all(terminal):
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass


def quietly(argv):
    null = os.open(os.devnull, os.O_RDWR)
    return os.posix_spawnp(argv[0], argv, os.environ,
                           file_actions=[(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)])


tools = [
    ("stats %s, screen" % all_graphs, on_terminal, [psuite, "stats", all_graphs, "--samples", str(n)]),
    ("stats %s --csv" % all_graphs, quietly, [psuite, "stats", all_graphs, "--csv", "--samples", str(n)]),
    ("vmstat", quietly, ["vmstat", "1", str(n)]),
    ("nmon, screen", on_terminal, ["nmon", "-s", "1", "-c", str(n)]),
    ("top", on_terminal, ["top", "-d", "1", "-n", str(n)]),
]
if shutil.which("htop"):
    tools.append(("htop", on_terminal, ["htop", "-d", "10", "--max-iterations", str(n)]))
running = {start(argv): name for name, start, argv in tools if shutil.which(argv[0])}
cost, deadline = {}, time.monotonic() + 2 * n + 20
resident = {}


def note_resident():
    for pid, name in running.items():
        try:
            with open("/proc/%d/status" % pid) as f:
                resident[name] = max(int(l.split()[1]) for l in f if l.startswith("VmHWM"))
        except (OSError, ValueError):
            pass


noted = time.monotonic() + 3
while running and time.monotonic() < deadline:
    if time.monotonic() > noted:
        note_resident()
        noted += n / 5
    pid, _, used = os.wait4(-1, os.WNOHANG)
    if pid == 0:
        time.sleep(0.1)
    elif pid in running:
        cost[running.pop(pid)] = used.ru_utime + used.ru_stime
for pid in running:
    os.kill(pid, 15)
print("| tool, %d refreshes | CPU ms | peak RSS MB |" % n)
print("|---|---|---|")
for name, _, _ in tools:
    if name in cost:
        print("| %s | %.1f | %.1f |" % (name, 1000 * cost[name], resident.get(name, 0) / 1024))
ours, nmon = cost[tools[0][0]], cost.get("nmon, screen", 0)
print("\nstats on the screen costs %.1f x vmstat, %.2f x nmon; load average %.1f." % (
    ours / cost["vmstat"], ours / nmon if nmon else 0, os.getloadavg()[0]))
shutil.rmtree(scratch)
sys.exit(ours > 3 * cost["vmstat"] or (nmon > 0 and ours >= nmon))
P
