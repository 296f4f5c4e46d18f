"""arm_gdb: gdb's chains at the instants of tests/soak/armcalls.c, against the true call stacks.

  gdb-multiarch -nx -batch -ex 'py stops="FILE"; dump="FILE"; every=5; core="FILE"' -x arm_gdb.py

Of every so many instants one becomes a core file with its registers, its stacks and the code that was mapped; the modules are added as they were
mapped. A line per instant whose chain is not the true one: where, what gdb found, how many frames of how many. Then a row per
cause: instants, and at how many of them psuite's chain is the true one by `unwinddump -v', whose output is dump.
"""
import collections
import gdb
import os
import struct

FRAMES = 400
PAGE = 4096


def quiet(command):
    return gdb.execute(command, to_string=True)


def read_instants(path):
    """Each as a dictionary; `maps' are those in force."""
    maps, now = [], None
    with open(path, "rb") as f:
        for line in f:
            word = line.split()
            if word[0] == b"maps":
                maps = [text.split() for text in f.read(int(word[1])).decode().splitlines()]
            elif word[0] == b"stop":
                now = {"maps": maps, "stacks": [], "truth": []}
            elif word[0] == b"regs":
                values = dict(x.split(b"=") for x in word[1:])
                now["regs"] = [int(values[b"%d" % i], 16) for i in range(15)] + [int(values[b"pc"], 16)]
            elif word[0] == b"thumb":
                now["thumb"] = word[1] == b"1"
            elif word[0] == b"stack":
                now["stacks"].append((int(word[1], 16), f.read(int(word[2]))))
            elif word[0] == b"frame":
                now["truth"].append((int(word[1], 16), word[2] == b"signal"))
            elif word[0] == b"end":
                yield now


def status_note(regs, thumb):
    cpsr = 0x10 | (0x20 if thumb else 0)
    status = bytes(72) + struct.pack("<18I", *regs, cpsr, regs[0]) + bytes(4)
    return struct.pack("<III", 5, len(status), 1) + b"CORE\0\0\0\0" + status


def code_of(line):
    start, end = (int(x, 16) for x in line[0].split("-"))
    with open(line[5], "rb") as f:
        f.seek(int(line[2], 16))
        return start, f.read(end - start)


def write_core(path, instant):
    note = status_note(instant["regs"], instant["thumb"])
    stacks = {start: data for start, data in instant["stacks"]}
    parts = [(start, data, 6) for start, data in stacks.items()]
    parts += [code_of(line) + (5,) for line in instant["maps"] if line[1] == "r-xp"]
    offset = 52 + 32 * (1 + len(parts))
    head = struct.pack("<I", 4) + struct.pack("<7I", offset, 0, 0, len(note), 0, 0, 4)
    offset += len(note)
    for start, data, flags in parts:
        head += struct.pack("<8I", 1, offset, start, 0, len(data), len(data), flags, 1)
        offset += len(data)
    ident = b"\x7fELF\1\1\1" + bytes(9)
    with open(path, "wb") as f:
        f.write(ident + struct.pack("<HHIIIIIHHHHHH", 4, 40, 1, 0, 52, 0, 0x5000000, 52, 32, 1 + len(parts), 0, 0, 0))
        f.write(head + note + b"".join(data for _, data, _ in parts))


def bias_of(line):
    """Of the module whose code is mapped by this line."""
    start, offset = int(line[0].split("-")[0], 16), int(line[2], 16)
    with open(line[5], "rb") as f:
        data = f.read(PAGE)
    at, size, count = struct.unpack_from("<I", data, 28)[0], *struct.unpack_from("<HH", data, 42)
    for i in range(count):
        kind, from_, vaddr, _, length, _, flags = struct.unpack_from("<7I", data, at + i * size)
        if kind == 1 and flags & 1 and from_ & -PAGE <= offset < from_ + length:
            return start - (vaddr & -PAGE) - (offset - (from_ & -PAGE))
    return None


def add_modules(maps, known):
    """By a module's first mapping: the last page of its code is in its data's mapping, too."""
    first = {}
    for line in maps:
        if line[1] == "r-xp":
            first.setdefault(line[5], line)
    for path, line in first.items():
        bias = bias_of(line)
        if bias is not None and known.get(path) != bias:
            if path in known:
                quiet("remove-symbol-file " + path)
            quiet("add-symbol-file %s -o %d" % (path, bias))
            known[path] = bias


def chain():
    frame, found, why = gdb.newest_frame(), [], ""
    while frame is not None and len(found) < FRAMES:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            found.append(frame.pc() & ~1)
        why = gdb.frame_stop_reason_string(frame.unwind_stop_reason())
        try:
            frame = frame.older()
        except gdb.error as e:
            why = str(e)
            break
    return found, why


def place(instant, pc):
    for line in instant["maps"]:
        start, end = (int(x, 16) for x in line[0].split("-"))
        if start <= pc < end:
            return "%s+%x" % (os.path.basename(line[5]), pc - start + int(line[2], 16))
    return "%x" % pc


def cause_of(instant, common, found):
    """Of the first frame that is not the true one: gdb has no call frame information there, and analyses the code."""
    if common == len(found):
        return "stops: the saved pc is the frame's own"
    where = "in the sampled frame" if common == 1 else "in a caller"
    if found[common] == instant["regs"][14] & ~1 and common == 1:
        return "wrong: lr, which a call has changed, " + where
    if "+" not in place(instant, found[common]):
        return "wrong: a word of the stack that is no code, " + where
    return "wrong: another return address of the stack, " + where


def common_frames(found, truth):
    common = 0
    while common < min(len(found), len(truth)) and found[common] == truth[common]:
        common += 1
    return common


def compare(n, instant, found, why):
    truth = [pc for pc, _ in instant["truth"]]
    common = common_frames(found, truth)
    if common == len(truth) == len(found):
        return "equal"
    cause = "further" if common == len(truth) else cause_of(instant, common, found)
    print("instant %d: after #%d %s: gdb %s; true %s; %d of %d frames (%s): %s" % (
        n, common - 1, place(instant, truth[common - 1]), place(instant, found[common]) if common < len(found) else "-",
        place(instant, truth[common]) if common < len(truth) else "-", common, len(truth), why, cause))
    return cause


def not_ours(path):
    """Instants at which psuite's chain is not the true one, whole, without a guess: `unwinddump -v' numbers from 1."""
    with open(path) as f:
        return {int(line.split()[1][:-1]) - 1 for line in f if line.startswith("stop ")}


def main():
    for setting in ("pagination off", "confirm off", "backtrace past-main on", "backtrace past-entry on", "debuginfod enabled off",
                    "backtrace limit %d" % FRAMES, "osabi GNU/Linux", "architecture arm", "auto-solib-add off"):
        quiet("set " + setting)
    known, counts, theirs, ours = {}, collections.Counter(), collections.Counter(), not_ours(dump)
    for n, instant in enumerate(read_instants(stops)):
        if n % every:
            continue
        write_core(core, instant)
        quiet("core-file " + core)
        add_modules(instant["maps"], known)
        quiet("maintenance flush register-cache")
        cause = compare(n, instant, *chain())
        counts[cause] += 1
        theirs[cause] += n not in ours
    for cause, count in counts.most_common():
        print("%5d gdb %5d psuite true  %s" % (count, theirs[cause], cause))


main()
