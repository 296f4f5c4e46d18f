"""What large symbol tables cost: large_symbols.py PSUITE DIRECTORY

Makes a library of each of SYMBOLS (20000,200000,2000000) functions and looks up LOOKUPS (100000) random addresses in it. Each
must have its function's name; CPU time and memory may grow by an exponent of 1.05 from the last size but one to the last."""
import math
import os
import random
import subprocess
import sys

psuite, directory = sys.argv[1], sys.argv[2]
sizes = [int(n) for n in os.environ.get("SYMBOLS", "20000,200000,2000000").split(",")]
lookups = int(os.environ.get("LOOKUPS", "100000"))
library = os.path.join(directory, "large_symbols.so")
EXPONENT, BYTES = 1.05, 16


def build(functions):
    """Function i has BYTES bytes, i of them from the first one's on."""
    compiler = subprocess.Popen(["gcc", "-shared", "-nostdlib", "-x", "assembler", "-", "-o", library], stdin=subprocess.PIPE, text=True)
    compiler.stdin.write('.section .note.GNU-stack,"",@progbits\n.text\n')
    for i in range(functions):
        compiler.stdin.write(f".type f{i:07d},@function\nf{i:07d}: .zero {BYTES}\n.size f{i:07d},{BYTES}\n")
    compiler.stdin.close()
    if compiler.wait():
        sys.exit("large_symbols.py: gcc failed")


def first_address():
    out = subprocess.run(["nm", library], check=True, capture_output=True, text=True).stdout
    return next(int(line.split()[0], 16) for line in out.splitlines() if line.endswith(" f0000000"))


def cost(wanted, first):
    """CPU seconds, peak RSS in MB."""
    asked, answered = library + ".asked", library + ".answered"
    with open(asked, "w") as f:
        f.writelines(f"{first + i * BYTES + 1:x}\n" for i in wanted)
    with open(asked) as f, open(answered, "w") as out:
        child = subprocess.Popen([psuite, "sym", "-f", "--style", "gnu", library], stdin=f, stdout=out)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    with open(answered) as f:
        named = [line.split()[0] for line in f if line.startswith("f")]
    for path in (asked, answered):
        os.unlink(path)
    if child.returncode or named != [f"f{i:07d}" for i in wanted]:
        sys.exit(f"sym: exit status {child.returncode}, {len(named)} names, not all of them right")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


rows = []
for functions in sizes:
    build(functions)
    chosen = random.Random(functions)
    rows.append(cost([chosen.randrange(functions) for _ in range(lookups)], first_address()))
    print(f"sym, {functions} symbols: {rows[-1][0]:.2f} s, {rows[-1][1]:.1f} MB", flush=True)
os.unlink(library)
exponents = [math.log(rows[-1][i] / rows[-2][i]) / math.log(sizes[-1] / sizes[-2]) for i in (0, 1)]
bad = max(exponents) > EXPONENT
print(f"sym: exponent {exponents[0]:.2f}, of memory {exponents[1]:.2f}{': too much' if bad else ''}", flush=True)
sys.exit(bad)
