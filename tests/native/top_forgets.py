"""top_forgets.py PSUITE PROGRAM FOLDER

Starts `tprof --top' on a terminal, and beside it PROGRAM from PROGRAMS files of its own, a few at a time, each until the
view has mapped its file. Prints how many files the view mapped, how many it has mapped at the end, the share in the report of
modules that left, and its exit status.
"""
import os
import pty
import re
import shutil
import subprocess
import sys
import threading
import time

psuite, program, folder = sys.argv[1:4]
PROGRAMS, TOGETHER, MAX_WAIT = 80, 4, 60


def start_view():
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "vt100"
        os.execv(psuite, [psuite, "tprof", "-a", "--top", "--rows", "all"])
    seen = []
    reader = threading.Thread(target=read_all, args=(terminal, seen), daemon=True)
    reader.start()
    return pid, seen, reader


def read_all(terminal, seen):
    try:
        while part := os.read(terminal, 1 << 16):
            seen.append(part)
    except OSError:
        pass


def until(what, holds):
    end = time.monotonic() + MAX_WAIT
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"waited {MAX_WAIT} s: {what}")
        time.sleep(0.05)


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


view, seen, reader = start_view()
until("the view draws nothing", lambda: b"samples" in b"".join(seen))
files = sum(run_copies(view, i) for i in range(0, PROGRAMS, TOGETHER))
left = len(mapped(view))
os.kill(view, 15)
_, status = os.waitpid(view, 0)
reader.join(10)
ended = re.findall(r"([0-9.]+)\s+\(ended\) ", b"".join(seen).decode(errors="replace").replace("\r", ""))
print(files, left, ended[-1] if ended else 0, os.waitstatus_to_exitcode(status))
