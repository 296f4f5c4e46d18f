"""top_truncated.py PSUITE PROGRAM RECORDING

Runs PROGRAM beside `tprof --top' on a terminal until the view has mapped its file and shown it for some updates, truncates the
file, and ends the view. Prints what the view wrote; the exit status is the view's.
"""
import os
import pty
import re
import subprocess
import sys
import threading
import time

psuite, program, recording = sys.argv[1:4]
MAX_WAIT = 60


def start_view():
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "vt100"
        os.execv(psuite, [psuite, "tprof", "-a", "--top", "--rows", "all", "--record", recording])
    seen = []
    reader = threading.Thread(target=read_all, args=(terminal, seen), daemon=True)
    reader.start()
    return pid, terminal, seen, reader


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
        sum(range(20000))  # this program has samples, too
        time.sleep(0.01)


def is_mapped(pid):
    with open(f"/proc/{pid}/maps") as f:
        return program in f.read()


view, terminal, seen, reader = start_view()
until("the view is drawn", lambda: b"samples" in b"".join(seen))
run = subprocess.Popen([program, "2000"], stdout=subprocess.DEVNULL)
until(f"{program} is mapped", lambda: is_mapped(view))
drawn = len(seen)
until("the view is drawn again", lambda: len(seen) > drawn + 3)
run.kill()
run.wait()
os.truncate(program, 0)
drawn = len(seen)
until("the view is drawn without the file", lambda: len(seen) > drawn + 3)
os.write(terminal, b"q")
_, status = os.waitpid(view, 0)
reader.join(5)
print(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", " ", b"".join(seen).decode(errors="replace")).replace("\r", ""))
sys.exit(os.waitstatus_to_exitcode(status))
