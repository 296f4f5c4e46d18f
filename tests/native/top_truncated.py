"""top_truncated.py PSUITE PROGRAM RECORDING

Runs PROGRAM beside `tprof --top' on a terminal until the view has mapped its file and shown it for some updates, truncates the
file, and ends the view. Prints what the view wrote; the exit status is the view's.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
sys.dont_write_bytecode = True
from on_terminal import OnTerminal, until

psuite, program, recording = sys.argv[1:4]


def is_mapped():
    with open(f"/proc/{view.pid}/maps") as f:
        return program in f.read()


def drawn_more(updates):
    """This program has samples, too: the view has something to draw."""
    drawn = len(view.seen)
    until("the view is drawn again", lambda: sum(range(20000)) and len(view.seen) > drawn + updates)


view = OnTerminal([psuite, "tprof", "-a", "--top", "--rows", "all", "--record", recording])
until("the view is drawn", lambda: b"samples" in view.bytes())
run = subprocess.Popen([program, "200000"], stdout=subprocess.DEVNULL)
until(f"{program} is mapped", is_mapped)
drawn_more(3)
run.kill()
run.wait()
os.truncate(program, 0)
drawn_more(3)
view.press(b"q")
status = view.end()
print(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", " ", view.text()))
sys.exit(status)
