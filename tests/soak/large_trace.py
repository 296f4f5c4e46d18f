"""What large recordings of trace cost: large_trace.py PSUITE DIRECTORY

Records SECONDS (5) of this machine, repeats its events up to each of EVENTS (1100000,10200000,50000000), and writes each
format. CPU time may grow by an exponent of 1.05 from the last size but one to the last, and the memory of -o chrome, which is
streamed, by a tenth."""
import json
import os
import subprocess
import sys

from growing import Growth, sizes

psuite, directory = sys.argv[1], sys.argv[2]
seconds = os.environ.get("SECONDS_RECORDED", "5")
base, large = (os.path.join(directory, name) for name in ("large_base.rec", "large.rec"))
forms = {"--summary": ["--summary"], "svg": ["-o", "svg:-"], "html": ["-o", "html:-"], "chrome": ["-o", "chrome:-"],
         "--latency": ["--latency"]}


def repeat(events, of):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "repeat_trace.py")
    subprocess.run([sys.executable, script, base, str(max(1, round(events / of))), large], check=True)


subprocess.run([psuite, "trace", "-s", seconds, "-f", "-o", base], check=True, stderr=subprocess.DEVNULL)
report = subprocess.run([psuite, "trace", "--summary", "--json", base], check=True, capture_output=True, text=True).stdout
of, growth = json.loads(report)["events"], Growth()
for events in sizes("EVENTS", "1100000,10200000,50000000"):
    repeat(events, of)
    for form, arguments in forms.items():
        growth.measure(form, events, "events", [psuite, "trace"] + arguments + [large])
for path in (base, large):
    os.unlink(path)
sys.exit(growth.judge({"chrome": 1.1}))
