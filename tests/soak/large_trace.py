"""What large recordings of trace cost: large_trace.py PSUITE DIRECTORY

Records SECONDS (5) of this machine, repeats its events up to each of EVENTS (1100000,10200000,50000000), and writes each
format. CPU time may grow by an exponent of 1.05 from the last size but one to the last, and the memory of -o chrome, which is
streamed, by a tenth."""
import json
import math
import os
import subprocess
import sys

psuite, directory = sys.argv[1], sys.argv[2]
sizes = [int(n) for n in os.environ.get("EVENTS", "1100000,10200000,50000000").split(",")]
seconds = os.environ.get("SECONDS_RECORDED", "5")
base, large = (os.path.join(directory, name) for name in ("large_base.rec", "large.rec"))
forms = {"--summary": ["--summary"], "svg": ["-o", "svg:-"], "html": ["-o", "html:-"], "chrome": ["-o", "chrome:-"]}
EXPONENT, MEMORY = 1.05, 1.1


def cost(arguments):
    """CPU seconds, peak RSS in MB."""
    with open(os.devnull, "w") as nothing:
        child = subprocess.Popen([psuite, "trace"] + arguments + [large], stdout=nothing, stderr=nothing)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"trace {' '.join(arguments)}: exit status {child.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def repeat(events, of):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "repeat_trace.py")
    subprocess.run([sys.executable, script, base, str(max(1, round(events / of))), large], check=True)


subprocess.run([psuite, "trace", "-s", seconds, "-f", "-o", base], check=True, stderr=subprocess.DEVNULL)
report = subprocess.run([psuite, "trace", "--summary", "--json", base], check=True, capture_output=True, text=True).stdout
of, costs, good = json.loads(report)["events"], {form: [] for form in forms}, True
for events in sizes:
    repeat(events, of)
    for form, arguments in forms.items():
        costs[form].append(cost(arguments))
        print(f"{form}, {events} events: {costs[form][-1][0]:.2f} s, {costs[form][-1][1]:.1f} MB", flush=True)
for form, rows in costs.items():
    exponent = math.log(rows[-1][0] / rows[-2][0]) / math.log(sizes[-1] / sizes[-2])
    grown = rows[-1][1] / rows[-2][1]
    bad = exponent > EXPONENT or (form == "chrome" and grown > MEMORY)
    good = good and not bad
    print(f"{form}: exponent {exponent:.2f}, memory x{grown:.2f}{': too much' if bad else ''}", flush=True)
for path in (base, large):
    os.unlink(path)
sys.exit(0 if good else 1)
