"""functions.py PSUITE [paths] [reads]: runs programs under strace, and strace under `psuite trace', and compares what both say of each call:
trace --calls=... paths and the result, trace --functions vfs_read the buffer, the length and the result. A row a program: calls,
those that are equal, those with a text that trace could not read; then the first that differ. Fails if any differs."""
import codecs
import errno
import json
import os
import re
import subprocess
import sys
from collections import defaultdict

TEXTS = {"openat": 1, "newfstatat": 1, "statx": 1, "access": 1, "faccessat": 1, "faccessat2": 1, "readlink": 1, "readlinkat": 1,
         "execve": 1, "unlink": 1, "unlinkat": 1, "rename": 2, "renameat": 2, "renameat2": 2, "mkdir": 1, "mkdirat": 1, "rmdir": 1,
         "chdir": 1, "symlink": 2, "symlinkat": 2, "link": 2, "linkat": 2, "getxattr": 2, "lgetxattr": 2, "statfs": 1, "chmod": 1,
         "fchmodat": 1, "stat": 1, "lstat": 1, "utimensat": 1, "memfd_create": 1, "chown": 1, "fchownat": 1, "truncate": 1}
PATTERNS = ["open*", "*stat*", "*access*", "*link*", "exec*", "rename*", "mkdir*", "rmdir", "chdir", "*getxattr*", "*chmod*", "*chown*",
            "utimensat", "memfd_create", "truncate"]
LIBRARY = "/usr/lib/python3.11"
PATHS = {
    "ls": ["ls", "-lR", LIBRARY + "/email", LIBRARY + "/asyncio", LIBRARY + "/none"],
    "find": ["find", LIBRARY, "-newer", "/etc/passwd", "-name", "*.py"],
    "tar": ["tar", "cf", "/tmp/out.tar", LIBRARY + "/encodings"],
    "python3": ["python3", "-c", "import asyncio, email.mime.text, http.client, json, unittest, xml.dom.minidom"],
    "git": ["sh", "-c", "cd /tmp && rm -rf repo && git init -q repo && cd repo && cp -r " + LIBRARY +
            "/json . && git add . && git -c user.name=a -c user.email=b commit -qm first && git mv json jason && git status -s"],
}
READS = {
    "grep": ["grep", "-rc", "import", LIBRARY + "/email", LIBRARY + "/asyncio", LIBRARY + "/encodings"],
    "dd": ["dd", "if=/dev/zero", "of=/dev/null", "bs=97", "count=4000"],
    "sort": ["sort", "-S", "1M", "/etc/services", "/etc/mime.types"],
    "python3": PATHS["python3"],
    "git": PATHS["git"],
}


def strace_calls(path):
    """Each call's text, as one line, by pid."""
    calls, begun = defaultdict(list), {}
    for line in open(path, errors="surrogateescape"):
        pid, text = line.split(None, 1)
        text = text.rstrip("\n")
        if text.endswith("<unfinished ...>"):
            begun[pid] = text[: -len("<unfinished ...>")]
            continue
        resumed = re.match(r"<\.\.\. \w+ resumed>(.*)", text)
        if resumed:
            text = begun.pop(pid, "") + resumed.group(1)
        if re.match(r"\w+\(", text):
            calls[int(pid)].append(text)
    return calls


def plain(quoted):
    return codecs.escape_decode(quoted.encode("utf-8", "surrogateescape"))[0].decode("utf-8", "replace")


def of_strace(text):
    name = text[: text.index("(")]
    returned = re.search(r"\) += (.*)$", text).group(1)
    error = re.match(r"-1 (E\w+)", returned)
    texts = [plain(q) for q in re.findall(r'"((?:[^"\\]|\\.)*)"', text)]
    return name, tuple(texts[: TEXTS[name]]), -getattr(errno, error.group(1), 0) if error else int(returned.split()[0], 0)


def is_text(value):
    return isinstance(value, str) and not re.fullmatch(r"0x[0-9a-f]+", value)


def of_trace(call):
    returned = call["returned"]
    texts = tuple(v for v in call["arguments"].values() if is_text(v))
    return call["function"], texts, int(returned, 16) if isinstance(returned, str) else returned


def read_of_strace(text):
    _, buf, count = [int(word, 16) for word in re.match(r"\w+\(([^)]*)\)", text).group(1).split(", ")[:3]]
    error = re.search(r"\(errno (\d+)\)", text)
    return buf, count, -int(error.group(1)) if error else int(re.search(r"\) += (\w+)", text).group(1), 16)


def read_of_trace(call):
    values = call["arguments"]
    return int(values["buf"], 16), values["count"], call["returned"]


def run(psuite, what, program, strace):
    if os.path.exists("strace.out"):
        os.remove("strace.out")
    with open("trace.out", "w") as out:
        subprocess.run([psuite, "trace", "--json", *what, "-x", "strace", "-f", "-qq", "-o", "strace.out", *strace, *program],
                       stdout=subprocess.DEVNULL, stderr=out)
    calls, said = defaultdict(list), []
    for line in open("trace.out", errors="surrogateescape"):
        if line.startswith("{"):
            call = json.loads(line)
            calls[call["pid"]].append(call)
        else:
            said.append(line.rstrip())
    if not os.path.exists("strace.out"):
        sys.exit("no output of strace: " + " ".join(said))
    return calls, said


class Table:
    def __init__(self):
        self.failed = False
        print("| %-24s | %6s | %6s | %7s | %6s |" % ("program", "calls", "equal", "no text", "differ"))
        print("|---|---|---|---|---|")

    def add(self, name, pairs, said):
        equal = sum(a == b for a, b in pairs)
        unread = [(a, b) for a, b in pairs if a != b and b and a and len(a) == 3 and isinstance(a[1], tuple) and len(b[1]) < len(a[1])]
        others = [(a, b) for a, b in pairs if a != b and (a, b) not in unread]
        print("| %-24s | %6d | %6d | %7d | %6d |" % (name, len(pairs), equal, len(unread), len(others)))
        for a, b in others[:5] + unread[:3]:
            print("   strace: %s\n   trace:  %s" % (a, b))
        for line in said[:5]:
            print("   said: " + line)
        self.failed = self.failed or bool(others) or not equal or bool(unread)


def pairs_of(straced, traced):
    """Call by call; what one of both lacks is None."""
    for i in range(max(len(straced), len(traced))):
        yield straced[i] if i < len(straced) else None, traced[i] if i < len(traced) else None


def main():
    psuite, parts = sys.argv[1], sys.argv[2:] or ["paths", "reads"]
    table = Table()
    for name, program in PATHS.items() if "paths" in parts else ():
        traced, said = run(psuite, ["--calls=" + p for p in PATTERNS], program, ["-s", "4096", "-e", "trace=" + ",".join("?" + name for name in TEXTS)])
        pairs = []
        for pid, calls in strace_calls("strace.out").items():
            # the first execve is strace's own child's, which looks for the program before strace traces it
            ours = [of_trace(c) for c in traced[pid] if c["function"] in TEXTS]
            theirs = [of_strace(c) for c in calls]
            while len(ours) > len(theirs) and ours[0] != theirs[0]:
                ours.pop(0)
            pairs += pairs_of(theirs, ours)
        table.add(name + ", paths", pairs, said)
    for name, program in READS.items() if "reads" in parts else ():
        traced, said = run(psuite, ["--functions", "vfs_read"], program, ["-e", "trace=read,pread64", "-e", "raw=all"])
        pairs = []
        for pid, calls in strace_calls("strace.out").items():
            theirs = [read_of_strace(c) for c in calls]
            theirs = [c for c in theirs if c[2] not in (-9, -29)]  # no such file, or no such place in it: it is not read
            ours = [read_of_trace(c) for c in traced[pid]]
            while len(ours) > len(theirs) and ours[0] != theirs[0]:
                ours.pop(0)
            pairs += pairs_of(theirs, ours)
        table.add(name + ", vfs_read", pairs, said)
    sys.exit(table.failed)


main()
