"""What the steps share that measure how a command's cost grows with its input: CPU time and memory, sizes from small to large."""
import math
import os
import subprocess
import sys

EXPONENT = float(os.environ.get("EXPONENT", 1.05))
RUNS = int(os.environ.get("RUNS", 2))


def sizes(variable, usual):
    return [int(n) for n in os.environ.get(variable, usual).split(",")]


def run_once(command, stdin, stdout):
    with open(stdin or os.devnull) as asked, open(stdout or os.devnull, "w") as answered, open(os.devnull, "w") as nothing:
        child = subprocess.Popen(command, stdin=asked, stdout=answered, stderr=nothing)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)}: exit status {child.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def cost(command, stdin=None, stdout=None):
    """CPU seconds and peak RSS in MB: the least of RUNS runs."""
    runs = [run_once(command, stdin, stdout) for _ in range(RUNS)]
    return min(cpu for cpu, _ in runs), min(mb for _, mb in runs)


class Growth:
    """Rows of (size, CPU seconds, MB) by form."""

    def __init__(self):
        self.rows = {}

    def measure(self, form, size, unit, command, **files):
        cpu, mb = cost(command, **files)
        self.rows.setdefault(form, []).append((size, cpu, mb))
        print(f"{form}, {size:g} {unit}: {cpu:.2f} s, {mb:.1f} MB", flush=True)

    def judge(self, memory=None):
        """From the last size but one to the last: CPU time may grow by EXPONENT, memory by the factor that `memory' has for the
        form. The exit status."""
        good = True
        for form, rows in self.rows.items():
            (size0, cpu0, mb0), (size1, cpu1, mb1) = rows[-2:]
            exponent = math.log(max(cpu1, 0.01) / max(cpu0, 0.01)) / math.log(size1 / size0)
            bad = exponent > EXPONENT or mb1 / mb0 > (memory or {}).get(form, math.inf)
            good = good and not bad
            print(f"{form}: exponent {exponent:.2f}, memory x{mb1 / mb0:.2f}{': too much' if bad else ''}", flush=True)
        return 0 if good else 1
