"""Writes a file of perf record with samples of many programs: perfdata.py OUT MEGABYTES ADDRESS PROGRAM...

Each program is a process of its own that is sampled at ADDRESS (hexadecimal), in turn. A sample has 4 KB of raw data, so that
the file is large and its samples are few; it is of 0.1 ms.
"""
import struct
import sys

MMAP, COMM, SAMPLE, FINISHED_ROUND = 1, 3, 9, 68
USER = 2
IP, TID, TIME, RAW = 1, 2, 4, 1024
FREQUENCY, SAMPLE_ID_ALL = 1 << 10, 1 << 18
ATTR_BYTES, HEADER_BYTES, RAW_BYTES, ROUND = 128, 104, 4068, 1000


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def padded(text):
    return text + bytes(8 - len(text) % 8)


def executable(path):
    """Address, length and file offset of the program's code."""
    with open(path, "rb") as f:
        head = f.read(4096)
    at, = struct.unpack_from("<Q", head, 32)
    size, count = struct.unpack_from("<HH", head, 54)
    for i in range(count):
        kind, flags, offset, address, _, length = struct.unpack_from("<IIQQQQ", head, at + i * size)
        if kind == 1 and flags & 1:
            return address, length, offset
    sys.exit(f"{path}: no code")


def process(pid, path):
    who = struct.pack("<II", pid, pid)
    id_all = who + struct.pack("<Q", 1)
    address, length, offset = executable(path)
    return (record(COMM, 0, who + padded(b"copy") + id_all) +
            record(MMAP, USER, who + struct.pack("<QQQ", address, length, offset) + padded(path.encode()) + id_all))


def sample(pid, address, time):
    return record(SAMPLE, USER, struct.pack("<QIIQI", address, pid, pid, time, RAW_BYTES) + bytes(RAW_BYTES))


def data(out, megabytes, address, paths):
    written = 0
    for i, path in enumerate(paths):
        written += out.write(process(1000 + i, path))
    n = 0
    while written < megabytes << 20:
        written += out.write(sample(1000 + n % len(paths), address, 1000 + n * 100000))
        n += 1
        if n % ROUND == 0:
            written += out.write(record(FINISHED_ROUND, 0, b""))
    return written


out_path, megabytes, address, paths = sys.argv[1], int(sys.argv[2]), int(sys.argv[3], 16), sys.argv[4:]
attr = struct.pack("<IIQQQQQ", 1, ATTR_BYTES, 0, 10000, IP | TID | TIME | RAW, 0, FREQUENCY | SAMPLE_ID_ALL).ljust(ATTR_BYTES, b"\0")
attrs = attr + struct.pack("<QQ", 0, 0)
start = HEADER_BYTES + len(attrs)
with open(out_path, "wb") as out:
    out.write(bytes(start))
    length = data(out, megabytes, address, paths)
    out.seek(0)
    out.write(struct.pack("<8s6Q", b"PERFILE2", HEADER_BYTES, len(attrs), HEADER_BYTES, len(attrs), start, length).ljust(HEADER_BYTES, b"\0"))
    out.write(attrs)
