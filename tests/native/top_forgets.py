"""top_forgets.py PSUITE PROGRAM FOLDER

Starts `tprof --top' on a terminal, and beside it PROGRAM from PROGRAMS files of its own, a few at a time, each until the
view has mapped its file. Prints how many files the view mapped, how many it has mapped at the end, the share in the report of
modules that left, and its exit status.
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.dont_write_bytecode = True
from on_terminal import OnTerminal, until

psuite, program, folder = sys.argv[1:4]
PROGRAMS, TOGETHER = 80, 4


def mapped(pid):
    """The copies of which the view holds the file."""
    with open(f"/proc/{pid}/maps") as f:
        return {fields[5] for line in f if len(fields := line.split()) > 5 and fields[5].startswith(folder + "/copy")}


def run_copies(view, first):
    paths = [f"{folder}/copy{i}" for i in range(first, first + TOGETHER)]
    for path in paths:
        shutil.copy(program, path)
    runs = [subprocess.Popen([path, "20"], stdout=subprocess.PIPE) for path in paths]
    for run in runs:
        run.stdout.readline()
    until(f"{paths[0]} and others are not mapped", lambda: mapped(view) >= set(paths))
    for run, path in zip(runs, paths):
        run.kill()
        run.wait()
        os.unlink(path)
    return len(paths)


view = OnTerminal([psuite, "tprof", "-a", "--top", "--rows", "all"])
until("the view draws nothing", lambda: b"samples" in view.bytes())
files = sum(run_copies(view.pid, i) for i in range(0, PROGRAMS, TOGETHER))
left = len(mapped(view.pid))
os.kill(view.pid, 15)
status = view.end()
ended = re.findall(r"([0-9.]+)\s+\(ended\) ", view.text())
print(files, left, ended[-1] if ended else 0, status)
