"""burst FILE: sleeps, works, sleeps; FILE gets the times of CLOCK_MONOTONIC, in ns: when the first sleep began, when it ended, when the work
ended, when the second sleep ended; and its process."""
import os
import sys
import time

times = [time.monotonic_ns()]
time.sleep(0.7)
times.append(time.monotonic_ns())
while time.process_time() < 0.6:
    pass
times.append(time.monotonic_ns())
time.sleep(0.7)
times.append(time.monotonic_ns())
with open(sys.argv[1], "w") as f:
    print(*times, os.getpid(), file=f)
