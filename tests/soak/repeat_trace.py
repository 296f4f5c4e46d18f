"""Repeats the events of a recording of trace: repeat_trace.py RECORDING TIMES OUT

Times go on from copy to copy; pids and names are those of the recording."""
import sys

MAGIC, EVENTS, END, HAS_MORE = 8, 3, 5, 0x80


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def encode(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def records(data):
    at = MAGIC
    while at < len(data):
        kind, at = varint(data, at)
        length, at = varint(data, at)
        yield kind, data[at:at + length]
        at += length


def record(kind, body):
    return encode(kind) + encode(len(body)) + body


def soon(body):
    """The first event comes a microsecond after the one before."""
    at = 2 if body[0] & HAS_MORE else 1
    _, after = varint(body, at)
    return body[:at] + encode(2 * 1000) + body[after:]


data = open(sys.argv[1], "rb").read()
parts = [part for part in records(data) if part[0] != END]
events = [body for kind, body in parts if kind == EVENTS]
again = b"".join(record(EVENTS, body) for body in [soon(events[0])] + events[1:])
with open(sys.argv[3], "wb") as out:
    out.write(data[:MAGIC] + b"".join(record(kind, body) for kind, body in parts))
    for _ in range(int(sys.argv[2]) - 1):
        out.write(again)
    out.write(record(END, b""))
