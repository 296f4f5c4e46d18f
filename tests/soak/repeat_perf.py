"""Repeats the records of a perf.data file: repeat_perf.py PERF_DATA TIMES OUT

Times go on from copy to copy; pids, names and the rest are those of the file. Only for files of `perf record', neither
compressed nor a stream, whose events have one layout."""
import struct
import sys
from array import array

HEADER, ATTR_TYPE, ATTR_FLAGS = 104, 24, 40
SAMPLE, FINISHED_ROUND, FIRST_OF_PERF = 9, 68, 64
IP, TID, TIME, ADDR, ID, CPU, STREAM_ID, IDENTIFIER = 1, 2, 4, 8, 64, 128, 512, 1 << 16
SAMPLE_ID_ALL = 1 << 18


def places(sample_type):
    """Where the time is: in a sample, from its front; in other records, from their end."""
    front = 8 + sum(8 for bit in (IDENTIFIER, IP, TID) if sample_type & bit)
    behind = sum(8 for bit in (TIME, ID, STREAM_ID, CPU, IDENTIFIER) if sample_type & bit)
    return front, behind


def walk(data, front, behind):
    """(offset, size, offset of the time or None) of each record that copies have, too."""
    at = 0
    while at < len(data):
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if size < 8:
            sys.exit(f"repeat_perf.py: a record of {size} bytes at {at}")
        if kind < FIRST_OF_PERF:
            yield at, size, at + (front if kind == SAMPLE else size - behind)
        elif kind == FINISHED_ROUND:
            yield at, size, None
        at += size


def body_of_copies(data, front, behind):
    """The records with times, as words, and the indexes of these."""
    words, indexes = bytearray(), []
    for at, size, time in walk(data, front, behind):
        if time is not None:
            if struct.unpack_from("<Q", data, time)[0] == 0:
                continue
            indexes.append((len(words) + time - at) // 8)
        words += data[at:at + size]
    return array("Q", bytes(words)), indexes


with open(sys.argv[1], "rb") as f:
    file = f.read()
magic, _, attr_size, attrs, attrs_bytes, start, length = struct.unpack_from("<8s6Q", file)
sample_types = {struct.unpack_from("<Q", file, at + ATTR_TYPE)[0] for at in range(attrs, attrs + attrs_bytes, attr_size)}
flags = {struct.unpack_from("<Q", file, at + ATTR_FLAGS)[0] & SAMPLE_ID_ALL for at in range(attrs, attrs + attrs_bytes, attr_size)}
if magic != b"PERFILE2" or len(sample_types) != 1 or flags != {SAMPLE_ID_ALL} or not next(iter(sample_types)) & TIME:
    sys.exit("repeat_perf.py: a file of another form")
data = file[start:start + length]
words, indexes = body_of_copies(data, *places(next(iter(sample_types))))
times = [words[i] for i in indexes]
span = max(times) - min(times) + 1000
with open(sys.argv[3], "wb") as out:
    out.write(file[:start + length])
    for copy in range(1, int(sys.argv[2])):
        for i, time in zip(indexes, times):
            words[i] = time + copy * span
        words.tofile(out)
    grown = (int(sys.argv[2]) - 1) * len(words) * 8
    features = sum(bin(byte).count("1") for byte in file[72:HEADER])
    for i in range(features):
        offset, size = struct.unpack_from("<2Q", file, start + length + 16 * i)
        out.write(struct.pack("<2Q", offset + grown, size))
    out.write(file[start + length + 16 * features:])
    out.seek(48)
    out.write(struct.pack("<Q", length + grown))
