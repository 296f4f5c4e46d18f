"""What large files of perf cost: large_perf.py PSUITE DIRECTORY

Records SECONDS_RECORDED (5) of this machine with perf record -g, repeats the records up to each of MEGABYTES (150,500,2000), and
reports each file as functions and as call chains. CPU time may grow by an exponent of 1.05 from the last size but one to the last,
and memory by a half, as a window of the file is all of it that is in memory."""
import os
import subprocess
import sys

from growing import Growth, sizes

psuite, directory = sys.argv[1], sys.argv[2]
seconds = os.environ.get("SECONDS_RECORDED", "5")
base, large = (os.path.join(directory, name) for name in ("large_base.data", "large.data"))
forms = {"functions": ["-k"], "call chains": ["-k", "-g"]}


def repeat(size):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "repeat_perf.py")
    subprocess.run([sys.executable, script, base, str(max(1, round(size / os.path.getsize(base)))), large], check=True)


subprocess.run(["perf", "record", "-q", "-B", "-N", "-F", "max", "-a", "-g", "-o", base, "sleep", seconds], check=True)
growth = Growth()
for megabytes in sizes("MEGABYTES", "150,500,2000"):
    repeat(megabytes << 20)
    for form, arguments in forms.items():
        growth.measure(form, megabytes, "MB", [psuite, "tprof"] + arguments + [large])
for path in (base, large):
    os.unlink(path)
sys.exit(growth.judge({form: 1.5 for form in forms}))
