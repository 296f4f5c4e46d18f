"""trace_calls.py STRACE CALLS: whether the calls of `trace --calls --json' are those of `strace -e raw=all', per thread in order."""
import json
import re
import sys

MASK = 0xFFFFFFFFFFFFFFFF
# strace writes these by the end of the one program, or has other words for them
LEFT_OUT = {"exit_group", "exit", "execve", "rt_sigreturn", "restart_syscall", "clone", "clone3", "vfork", "fork"}
SAME = {"newfstatat": "fstatat64"}


def strace_calls(path):
    calls, open_ = {}, {}
    for line in open(path, errors="replace"):
        m = re.match(r"(\d+) +(.*)$", line.rstrip())
        pid, rest = int(m[1]), m[2]
        unfinished = re.match(r"(.*?) <unfinished \.\.\.>$", rest)
        if unfinished:
            open_[pid] = unfinished[1]
            continue
        resumed = re.match(r"<\.\.\. \w+ resumed>(.*)$", rest)
        if resumed:
            rest = open_.pop(pid) + resumed[1]
        call = re.match(r"(\w+)\((.*?)\) += (\?|0x[0-9a-f]+|-?\d+)", rest)
        if not call or call[3] == "?":
            continue
        args = [int(a, 0) & MASK for a in call[2].split(", ") if a]
        calls.setdefault(pid, []).append((call[1], args, int(call[3], 0), " E" in rest))
    return calls


def psuite_calls(path):
    calls = {}
    for line in open(path):
        if line.startswith('{"psuite"'):
            c = json.loads(line)
            if c["returned"] is not None:
                calls.setdefault(c["pid"], []).append(c)
    return calls


def is_equal(strace, ours):
    name, args, returned, error = strace
    if name != ours["function"]:
        return False
    registers = [int(a, 0) for a in ours["args"]]
    half = 0xFFFFFFFF  # strace shows only these of an int
    for a, b in zip(args, registers):
        if a != b and a != (b & half):
            return False
    return ours["returned"] < 0 if error else (returned & MASK) == (ours["returned"] & MASK)


def main():
    strace, ours = strace_calls(sys.argv[1]), psuite_calls(sys.argv[2])
    equal = 0
    for pid, calls in strace.items():
        calls = [c for c in calls if c[0] not in LEFT_OUT]
        mine = [c for c in ours.get(pid, []) if c["function"] not in LEFT_OUT]
        mine = mine[len(mine) - len(calls):] if len(mine) > len(calls) else mine  # before strace had it
        if len(mine) != len(calls):
            sys.exit(f"{pid}: strace has {len(calls)} calls, trace {len(mine)}")
        for a, b in zip(calls, mine):
            if not is_equal(a, b):
                sys.exit(f"{pid}: strace {a}, trace {b}")
            equal += 1
    print(equal, "calls are equal")


if __name__ == "__main__":
    main()
