"""What large recordings of tprof cost: large_recordings.py PSUITE DIRECTORY

Records SECONDS_RECORDED (5) of this machine with perf record -g, repeats the records up to each of SAMPLES (1000000,4000000,
16000000), makes a recording of it, and asks for each view. CPU time may grow by an exponent of 1.05 from the last size but one to
the last."""
import json
import os
import subprocess
import sys

from growing import Growth, sizes

psuite, directory = sys.argv[1], sys.argv[2]
seconds = os.environ.get("SECONDS_RECORDED", "5")
base, data, small, large = (os.path.join(directory, name) for name in ("base.data", "large.data", "base.rec", "large.rec"))
forms = {"flat": [], "--tree": ["--tree"], "-l": ["-l"], "flame": ["-q", "-o", "flame:-"], "pprof": ["-q", "-o", "pprof:-"],
         "--diff": ["--diff", small]}


def record(perf_data, recording):
    subprocess.run([psuite, "tprof", "-k", "-g", "-q", "-f", "--record", recording, perf_data], check=True, stderr=subprocess.DEVNULL)


def repeat(times):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "repeat_perf.py")
    subprocess.run([sys.executable, script, base, str(max(1, times)), data], check=True)
    record(data, large)
    os.unlink(data)


subprocess.run(["perf", "record", "-q", "-B", "-N", "-F", "max", "-a", "-g", "-o", base, "sleep", seconds], check=True)
record(base, small)
report = subprocess.run([psuite, "tprof", "--json", small], check=True, capture_output=True, text=True).stdout
of, growth = json.loads(report)["samples"], Growth()
for samples in sizes("SAMPLES", "1000000,4000000,16000000"):
    repeat(round(samples / of))
    print(f"{samples} samples: {os.path.getsize(large) / 1e6:.1f} MB", flush=True)
    for form, arguments in forms.items():
        growth.measure(form, samples, "samples", [psuite, "tprof"] + arguments + [large])
for path in (base, small, large):
    os.unlink(path)
sys.exit(growth.judge())
