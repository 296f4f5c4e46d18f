"""trace_names.py STRACE CALLS: whether the names of values in `trace --calls --json' are those of strace, per thread in order.
Prints their number; strace's own names, which are the values of an argument that trace shows as a number, follow as a list."""
import json
import re
import sys

sys.path.insert(0, sys.path[0])
from trace_calls import LEFT_OUT, psuite_calls  # noqa: E402


def strace_calls(path):
    calls, begun = {}, {}
    for line in open(path, errors="replace"):
        pid, rest = line.rstrip("\n").split(None, 1)
        unfinished = re.match(r"(.*?) <unfinished \.\.\.>$", rest)
        if unfinished:
            begun[pid] = unfinished[1]
            continue
        resumed = re.match(r"<\.\.\. \w+ resumed>(.*)$", rest)
        if resumed:
            rest = begun.pop(pid) + resumed[1]
        call = re.match(r"(\w+)\((.*)\) += [^=]*$", rest)
        if call and not rest.rstrip().endswith("= ?"):
            calls.setdefault(int(pid), []).append((call[1], call[2]))
    return calls


def arguments(text):
    """The words between the commas of the outermost level, without texts and structures."""
    text = re.sub(r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?', '""', text)
    depth, words, word = 0, [], ""
    for c in text:
        depth += (c in "{[(") - (c in "}])")
        if c == "," and depth == 0:
            words.append(word.strip())
            word = ""
        else:
            word += c
    return words + [word.strip()]


def set_of(names):
    return frozenset(names.split("|"))


def aligned(names, mine):
    """Ours without what was before strace had the thread, and after: of a call that the end of the program ended, strace has
    no result."""
    for first in range(len(mine) - len(names) + 1):
        if [c["function"] for c in mine[first:first + len(names)]] == names:
            return mine[first:first + len(names)]
    return mine


def main():
    strace, ours = strace_calls(sys.argv[1]), psuite_calls(sys.argv[2])
    equal, theirs = 0, {}
    for pid, calls in strace.items():
        calls = [c for c in calls if c[0] not in LEFT_OUT]
        mine = [c for c in ours.get(pid, []) if c["function"] not in LEFT_OUT]
        mine = aligned([c[0] for c in calls], mine)
        if [c[0] for c in calls] != [c["function"] for c in mine]:
            sys.exit(f"{pid}: strace {[c[0] for c in calls]}, trace {[c['function'] for c in mine]}")
        for (name, text), call in zip(calls, mine):
            shown, names = arguments(text), call.get("names", {})
            for i, argument in enumerate(call["arguments"]):
                word = shown[i] if i < len(shown) else ""
                if argument in names and word:
                    if set_of(names[argument]) != set_of(word):
                        sys.exit(f"{name}: {argument}: strace {word}, trace {names[argument]}")
                    equal += 1
                elif re.fullmatch(r"[A-Z][A-Z0-9]*_[A-Z0-9_|x]+", word):
                    theirs.setdefault(f"{name} {argument}", set()).add(word)
    print(equal, "values are equal")
    for argument, words in sorted(theirs.items()):
        print(f"only strace: {argument}: {' '.join(sorted(words))}")


if __name__ == "__main__":
    main()
