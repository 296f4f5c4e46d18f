"""What large profiles of prof cost: large_prof.py PSUITE DIRECTORY PROFMAKE

Writes profiles of each of NODES (65000,250000,1000000) nodes, all called from one, and asks for each view. CPU time may grow by
an exponent of 1.05 from the last size but one to the last."""
import os
import subprocess
import sys

from growing import Growth, sizes

psuite, directory, profmake = sys.argv[1:4]
profile = os.path.join(directory, "prof.large")
forms = {"flat": [], "--tree": ["--tree"], "flame": ["-q", "-o", "flame:-"], "pprof": ["-q", "-o", "pprof:-"]}


def make(nodes):
    text = f"file little 0\nmodule /bin/true 0 -\nthread 5 t 0\ncall 0 1 1000 1 {nodes * 10 + 1}\nwide {nodes} 1 2000 10\n"
    with open(profile, "wb") as out:
        subprocess.run([profmake], input=text.encode(), stdout=out, check=True)


growth = Growth()
for nodes in sizes("NODES", "65000,250000,1000000"):
    make(nodes)
    for form, arguments in forms.items():
        growth.measure(form, nodes, "nodes", [psuite, "prof"] + arguments + [profile])
os.unlink(profile)
sys.exit(growth.judge())
