"""known: what a file of snap has, read independently of psuite by include/core/snap/file.h and include/core/sample/recording.h."""


class Numbers:
    def __init__(self, data):
        self.data, self.at = data, 0

    def __bool__(self):
        return self.at < len(self.data)

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        v = self.number()
        return v >> 1 if v % 2 == 0 else -(v + 1 >> 1)

    def bytes(self, n):
        self.at += n
        return self.data[self.at - n:self.at]


def streams(path):
    with open(path, "rb") as f:
        n = Numbers(f.read())
    assert n.bytes(8) == b"pssnap\0\1"
    found = {i: b"" for i in range(1, 8)}
    while n:
        stream, size = n.number(), n.number()
        found[stream] += n.bytes(size)
    return found


def facts(found):
    return dict(line.split(" ", 1) for line in found[1].decode().splitlines())


def samples(found):
    """[(time in ns, tid, CPU)], by time."""
    n, tids, out, time = Numbers(found[2]), {}, [], 0
    n.bytes(8)
    while n:
        kind, size = n.number(), n.number()
        record = Numbers(n.bytes(size))
        if kind == 3:
            index, _pid, tid = record.number(), record.number(), record.number()
            tids[index] = tid
        while kind == 5 and record:
            thread, _node, cpu, delta = record.number(), record.number(), record.number(), record.number()
            if delta % 2:
                record.number()
            delta >>= 1
            time += delta >> 1 if delta % 2 == 0 else -(delta + 1 >> 1)
            out.append((time, tids[thread], cpu))
    return sorted(out)


def stats_times(found):
    """ms since 1970."""
    return [int(line.split()[1]) for line in found[4].decode().splitlines() if line.startswith("at ")]
