"""stopsperf STOPS PERF.DATA: stops of 32-bit ARM (tests/tools/unwinddump.c) as `perf record --call-graph dwarf' of that
machine writes them to a pipe: registers of 32 bits, r0-r15, and the stack from the stack pointer on, 64 KB at most.
"""
import struct
import subprocess
import sys

PID, SLICE = 4000, 65528
IP, TID, TIME, PERIOD, REGS_USER, STACK_USER = 1, 2, 4, 1 << 8, 1 << 12, 1 << 13
TASK_CLOCK = 1


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def attribute():
    fields = IP | TID | TIME | PERIOD | REGS_USER | STACK_USER
    attr = struct.pack("<IIQQQQQ", 1, 112, TASK_CLOCK, 1000000, fields, 0, 1 << 8)  # mmap records
    attr += bytes(80 - len(attr)) + struct.pack("<QI", 0xFFFF, SLICE)
    return record(64, 0, attr + bytes(112 - len(attr)))


def mapping(line):
    start, end = (int(x, 16) for x in line.split()[0].split("-"))
    path = line.split()[5].encode() + b"\0"
    path += bytes(-len(path) % 8)
    return record(1, 2, struct.pack("<IIQQQ", PID, PID, start, end - start, int(line.split()[2], 16)) + path)


def build_id(path):
    """Else psuite does not take a file for the one of the recording."""
    text = subprocess.run(["readelf", "-n", path], capture_output=True, text=True).stdout
    id = bytes.fromhex(text.split("Build ID:")[1].split()[0])
    name = path.encode() + b"\0"
    name += bytes(-len(name) % 8)
    return record(67, 2 | 1 << 15, struct.pack("<i", -1) + id + bytes([len(id)]) + bytes(3) + name)


def sample(n, regs, stack):
    stack = stack[:SLICE]
    stack += bytes(-len(stack) % 8)
    body = struct.pack("<QIIQQ", regs[15], PID, PID, n * 1000000, 1000000)
    body += struct.pack("<Q16Q", 1, *regs)  # PERF_SAMPLE_REGS_ABI_32
    return record(9, 2, body + struct.pack("<Q", len(stack)) + stack + struct.pack("<Q", len(stack)))


def main(stops, out):
    n, regs, stack, known = 0, None, None, set()
    with open(stops, "rb") as f, open(out, "wb") as to:
        to.write(b"PERFILE2" + struct.pack("<Q", 16) + attribute())
        for line in f:
            word = line.split()
            if word[0] == b"maps":
                for text in f.read(int(word[1])).decode().splitlines():
                    path = text.split()[5]
                    to.write(mapping(text) if path in known else build_id(path) + mapping(text))
                    known.add(path)
            elif word[0] == b"regs":
                values = dict(x.split(b"=") for x in word[1:])
                regs = [int(values[b"%d" % i], 16) for i in range(15)] + [int(values[b"pc"], 16)]
                stack = None
            elif word[0] == b"stack":
                read = f.read(int(word[2]))
                stack = read if stack is None else stack
            elif word[0] == b"end":
                n += 1
                to.write(sample(n, regs, stack))


main(*sys.argv[1:])
