"""What large files of perf cost: large_perf.py PSUITE DIRECTORY

Records SECONDS (5) of this machine with perf record -g, repeats the records up to each of MEGABYTES (150,500,2000), and reports
each file as functions and as call chains. CPU time may grow by an exponent of 1.05 from the last size but one to the last, and
memory by a half, as a window of the file is all of it that is in memory."""
import math
import os
import subprocess
import sys

psuite, directory = sys.argv[1], sys.argv[2]
sizes = [int(n) << 20 for n in os.environ.get("MEGABYTES", "150,500,2000").split(",")]
seconds = os.environ.get("SECONDS_RECORDED", "5")
base, large = (os.path.join(directory, name) for name in ("large_base.data", "large.data"))
forms = {"functions": ["-k"], "call chains": ["-k", "-g"]}
EXPONENT, MEMORY = 1.05, 1.5


def cost(arguments):
    """CPU seconds, peak RSS in MB."""
    with open(os.devnull, "w") as nothing:
        child = subprocess.Popen([psuite, "tprof"] + arguments + [large], stdout=nothing, stderr=nothing)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"tprof {' '.join(arguments)}: exit status {child.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def repeat(size):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "repeat_perf.py")
    subprocess.run([sys.executable, script, base, str(max(1, round(size / os.path.getsize(base)))), large], check=True)


subprocess.run(["perf", "record", "-q", "-B", "-N", "-F", "max", "-a", "-g", "-o", base, "sleep", seconds], check=True)
costs, good = {form: [] for form in forms}, True
for size in sizes:
    repeat(size)
    for form, arguments in forms.items():
        costs[form].append(cost(arguments))
        print(f"{form}, {size >> 20} MB: {costs[form][-1][0]:.2f} s, {costs[form][-1][1]:.1f} MB", flush=True)
for form, rows in costs.items():
    exponent = math.log(rows[-1][0] / rows[-2][0]) / math.log(sizes[-1] / sizes[-2])
    grown = rows[-1][1] / rows[-2][1]
    bad = exponent > EXPONENT or grown > MEMORY
    good = good and not bad
    print(f"{form}: exponent {exponent:.2f}, memory x{grown:.2f}{': too much' if bad else ''}", flush=True)
for path in (base, large):
    os.unlink(path)
sys.exit(0 if good else 1)
