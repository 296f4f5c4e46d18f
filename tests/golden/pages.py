"""pages CORE: checks what the scripts of the pages take from the shared one, and prints a line for each fault. CORE: src/core."""
import collections
import os
import re
import sys

CORE = sys.argv[1]
PAGES = {
    "stats": ["stats/page/processes.js", "stats/page/page.js"],
    "flame graphs": ["export/flame/flame.js"],
    "call graphs": ["topo/page/page.js"],
    "snap": ["snap/page/samples.js", "snap/page/stats.js", "snap/page/snap.js"],
    "timeline": ["timeline/html/data.js", "timeline/html/draw.js", "timeline/html/page.js"],
}
TAKES = re.compile(r"const \{ ([\w, ]+) \} = psuite;")
faults = []


def read(path):
    with open(os.path.join(CORE, path), encoding="ascii") as f:
        return f.read()


def code(text):
    """Without comments and the literal parts of strings: what is left has names only where they are names."""
    text = re.sub(r"(^|\s)//.*", r"\1", text)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', text)


def named(page, path):
    file = os.path.basename(path)
    return file if file == "flame.js" else f"{file} of {page}"


def defines(name, text):
    """Whether text declares a variable, function or class of that name."""
    declared = rf"\b(function|class)\s+{name}\b|\b(const|let|var)\s+{name}\b"
    one_of_several = rf"\b(const|let|var)\s[^;\n]*,\s*{name}\s*="
    return re.search(f"{declared}|{one_of_several}", text) is not None


shared = read("text/page/shared.js")
if re.search(r"</|\]\]>", shared):
    faults.append("shared.js: </ or ]]> would end its element")
offered = re.findall(r"\w+", re.search(r"\n  return \{([^}]*)\};\n\}\)\(\);\n$", shared).group(1))
declared = re.findall(r"^  (?:const|let|function) (\w+)", shared, re.M)
faults += [f"{n}: not used in shared.js" for n in declared if n not in offered and len(re.findall(rf"\b{n}\b", code(shared))) < 2]
users = collections.defaultdict(list)
for page, paths in PAGES.items():
    for path in paths:
        text, name = read(path), named(page, path)
        taken = [n for names in TAKES.findall(text) for n in names.split(", ")]
        body = code(TAKES.sub("", text))
        faults += [f"{n}: {name} takes it, the shared script has none" for n in taken if n not in offered]
        for n in offered:
            used = re.search(rf"(?<![\w.$]){n}\(|[(, ]{n}[,)](?!\s*=>)", body) is not None
            if defines(n, body):
                faults.append(f"{n}: {name} has its own")
            elif n in taken and not used:
                faults.append(f"{n}: not used in {name}")
            elif n not in taken and re.search(rf"(?<![\w.$]){n}\((?!.*\) \{{$)", body, re.M):
                faults.append(f"{n}: not taken from psuite in {name}")
            if n in taken and used and page not in users[n]:
                users[n].append(page)
for n in offered:
    if len(users[n]) < 2:
        faults.append(f"{n}: used by {users[n][0] + ' alone' if users[n] else 'no page'}")
print("\n".join(faults), end="\n" if faults else "")
sys.exit(bool(faults))
