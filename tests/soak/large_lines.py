"""What large debug information costs: large_lines.py PSUITE DIRECTORY

Makes a library of units of 400 functions and types each, up to each of MEGABYTES (1,10,100,1000) of .debug_info, and looks up LOOKUPS
(20000) random addresses in it, with source lines. CPU time may grow by an exponent of 1.05 from the last size but one to the last.
At every size it and memory are less than llvm-symbolizer's, where that is installed and has the same number of lines."""
import os
import random
import shutil
import subprocess
import sys

from growing import Growth, cost, sizes

psuite, directory = sys.argv[1], sys.argv[2]
lookups = int(os.environ.get("LOOKUPS", "20000"))
unit, library, asked = (os.path.join(directory, name) for name in ("lines_unit.o", "lines.so", "lines.asked"))
FUNCTIONS = 400


def compile_unit():
    source = "".join(f"struct s{i} {{ int a{i}, b{i}; struct s{max(i - 1, 0)} *next; char name[{i + 1}]; }};\n"
                     f"int f{i}(struct s{i} *s, int n)\n{{\n    int sum = {i};\n    for (int k = 0; k < n; k++)\n"
                     f"        sum += s->a{i} * k ^ s->b{i};\n    return sum;\n}}\n" for i in range(FUNCTIONS))
    subprocess.run(["gcc", "-g", "-O1", "-fPIC", "-x", "c", "-c", "-", "-o", unit], input=source, text=True, check=True)


def section(path, name):
    """Address and size."""
    for line in subprocess.run(["readelf", "-SW", path], check=True, capture_output=True, text=True).stdout.splitlines():
        fields = line[line.find("]") + 1:].split()
        if fields and fields[0] == name:
            return int(fields[2], 16), int(fields[4], 16)
    sys.exit(f"{path}: no {name}")


def build(units):
    """Each unit's names with a number in front."""
    names = []
    for i in range(units):
        names.append(os.path.join(directory, f"lines_{i}.o"))
        subprocess.run(["objcopy", f"--prefix-symbols=u{i}_", unit, names[-1]], check=True)
    with open(asked, "w") as f:
        f.write("\n".join(names))
    subprocess.run(["gcc", "-shared", "-nostdlib", "-o", library, f"@{asked}"], check=True)
    for name in names:
        os.unlink(name)


def ask():
    begin, size = section(library, ".text")
    chosen = random.Random(size)
    with open(asked, "w") as f:
        f.writelines(f"{begin + chosen.randrange(size):#x}\n" for _ in range(lookups))


compile_unit()
per_unit, growth, status = section(unit, ".debug_info")[1], Growth(), 0
llvm = shutil.which("llvm-symbolizer")
for megabytes in sizes("MEGABYTES", "1,10,100,1000"):
    build(max(1, round(megabytes * 1e6 / per_unit)))
    ask()
    growth.measure("sym", megabytes, "MB", [psuite, "sym", library], stdin=asked)
    if llvm:
        cpu, mb = cost([llvm, f"--obj={library}"], stdin=asked)
        ahead = growth.rows["sym"][-1][1] < cpu and growth.rows["sym"][-1][2] < mb
        print(f"llvm-symbolizer, {megabytes} MB: {cpu:.2f} s, {mb:.1f} MB{'' if ahead else ': less than sym'}", flush=True)
        status |= not ahead
for path in (unit, library, asked):
    os.unlink(path)
sys.exit(growth.judge() | status)
