"""iostats_processes.py JSON STRACE: what iostats --by-process --json says of a command, against strace -f -y of another run of it,
added up by the program that each process executed last. A line a check, `ok WHAT' or `FAILED WHAT'."""
import json
import re
import sys

CALL = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+)")
TRANSFER = {"read": "read", "pread64": "read", "write": "write", "pwrite64": "write"}


def check(good, what):
    print(f"{'ok' if good else 'FAILED'} {what}", flush=True)


def is_file(arguments):
    """The standard descriptors, and descriptors of files: fd</path>."""
    m = re.match(r"(\d+)<(.*?)>", arguments)
    return bool(m) and (int(m[1]) < 3 or m[2].startswith("/"))


def by_pid(lines):
    rows, begun = {}, {}
    for line in lines:
        pid = line.split(None, 1)[0]
        if line.endswith("<unfinished ...>\n"):
            begun[pid] = line[: -len(" <unfinished ...>\n")]
            continue
        if "resumed>" in line:
            line = begun.pop(pid, "") + line.split("resumed>", 1)[1]
        m = CALL.match(line)
        if not m:
            continue
        row = rows.setdefault(pid, dict(opens=0, failed=0, reads=0, read_bytes=0, writes=0, written_bytes=0))
        call, arguments, result = m[2], m[3], int(m[4])
        kind = TRANSFER.get(call)
        if call == "copy_file_range" and result >= 0:
            for way in "read", "write":
                row[way + "s"] += 1
                row["read_bytes" if way == "read" else "written_bytes"] += result
            continue
        if kind and not is_file(arguments):
            continue
        if result < 0:
            row["failed"] += 1
        elif kind:
            row[kind + "s"] += 1
            row["read_bytes" if kind == "read" else "written_bytes"] += result
        elif call in ("open", "openat"):
            row["opens"] += 1
    return rows


ours = json.load(open(sys.argv[1]))
theirs = by_pid(open(sys.argv[2], errors="replace"))
key = ("opens", "failed", "reads", "read_bytes", "writes", "written_bytes")
a = sorted(tuple(p[k] for k in key) for p in ours["processes"])
b = sorted(tuple(p[k] for k in key) for p in theirs.values() if any(p.values()))
check(len(a) >= 5, f"{len(a)} processes")
check(a == b, f"opens, failures, reads and writes of each as strace's, {sum(map(sum, a))} in all" if a == b else f"as strace's: {a} {b}")
check(len({p["pid"] for p in ours["processes"]}) == len(a), "each with its own pid")
total = tuple(ours["total"][k] for k in key)
check(total == tuple(map(sum, zip(*a))), "the total is their sum")
check(all(p["time_ns"] > 0 for p in ours["processes"]), "calls take time")
print("ok the end")
