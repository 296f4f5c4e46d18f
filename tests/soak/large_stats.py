"""What large recordings of stats cost: large_stats.py PSUITE DIRECTORY

Repeats the samples of a recording up to each of SAMPLES (8640,86400,864000: a day of 10 a second) and writes them anew. CPU time may
grow by an exponent of 1.05 from the last size but one to the last."""
import os
import subprocess
import sys

from growing import Growth, sizes

psuite, directory = sys.argv[1], sys.argv[2]
base, large = (os.path.join(directory, name) for name in ("large_stats.base", "large_stats.rec"))
forms = {"--json": ["--json"], "--csv": ["--csv"]}
STEP_MS = 100


def repeat(samples):
    with open(base) as f:
        head, *blocks = f.read().split("\nat ")
    begin = int(blocks[0].split("\n", 1)[0])
    bodies = [block.split("\n", 1)[1].rstrip("\n") for block in blocks[1:]]
    with open(large, "w") as out:
        out.write(head + "\n")
        for i in range(samples):
            out.write(f"at {begin + i * STEP_MS}\n{bodies[i % len(bodies)]}\n")


with open(base, "w") as recording:
    subprocess.run([psuite, "stats", "-T", str(STEP_MS / 1000), "--samples", "11", "--record", "-"], check=True, stdout=recording,
                   stderr=subprocess.DEVNULL)
growth = Growth()
for samples in sizes("SAMPLES", "8640,86400,864000"):
    repeat(samples)
    for form, arguments in forms.items():
        growth.measure(form, samples, "samples", [psuite, "stats"] + arguments + ["--replay", large])
for path in (base, large):
    os.unlink(path)
sys.exit(growth.judge())
