"""Makes the pages of a kernel's trace buffer: pages.py EVENTS FOLDER writes FOLDER/cpuN.pages.
A line of EVENTS: CPU TIME FUNCTION enter|leave PID FLAGS VALUE...; `CPU lost N': so many before the next page; CPU TIME ID event
PID FLAGS VALUE...: of any event, where "TEXT" is a text whose place and length is the value.
Of the tracer function_graph: CPU TIME ADDRESS call PID DEPTH; CPU TIME ADDRESS return PID DEPTH CALLED RETURNED."""
import struct
import sys

PAGE, HEAD, TIME_EXTEND, FIRST_ID = 4096, 16, 30, 1000
GRAPH_CALL, GRAPH_RETURN = 11, 10


class Cpu:
    def __init__(self):
        self.pages, self.data, self.start, self.time, self.lost = [], b'', None, 0, 0

    def end_page(self):
        if self.start is None:
            return
        commit = len(self.data)
        data = self.data
        if self.lost:
            commit |= 3 << 30
            data += struct.pack('<Q', self.lost)
        page = struct.pack('<QQ', self.start, commit) + data
        self.pages.append(page.ljust(PAGE, b'\0'))
        self.data, self.start, self.lost = b'', None, 0

    def add(self, time, record):
        if len(self.data) + len(record) + 12 > PAGE - HEAD - 8:
            self.end_page()
        if self.start is None:
            self.start = self.time = time
        delta, self.time = time - self.time, time
        if delta >> 27:
            self.data += struct.pack('<II', TIME_EXTEND | (delta & (1 << 27) - 1) << 5, delta >> 27)
            delta = 0
        self.data += struct.pack('<I', len(record) // 4 | delta << 5) + record


def graph_record_of(words):
    address, pid, depth = int(words[0], 16), int(words[2]), int(words[3])
    head = struct.pack('<HBBiQi', GRAPH_RETURN if words[1] == 'return' else GRAPH_CALL, 0, 0, pid, address, depth)
    return head + struct.pack('<IQQ', 0, int(words[4], 0), int(words[5], 0)) if words[1] == 'return' else head


def record_of(words):
    if words[1] in ('call', 'return'):
        return graph_record_of(words)
    function, way, pid, flags = int(words[0]), words[1], int(words[2]), int(words[3], 0)
    values = [int(w, 0) & (1 << 64) - 1 for w in words[4:]]
    leaves = way == 'leave'
    head = struct.pack('<HBBi', FIRST_ID + 2 * function + leaves, flags, 0, pid)
    values = [0, 0] + values[:1] if leaves else [0] + (values + [0] * 4)[:4]
    return head + struct.pack(f'<{len(values)}Q', *values)


def any_record(words):
    values, texts = words[4:], b''
    fixed = 8 + sum(4 if v[0] == '"' else 8 for v in values)
    out = struct.pack('<HBBi', int(words[0]), int(words[3], 0), 0, int(words[2]))
    for value in values:
        if value[0] == '"':
            text = value.strip('"').encode() + b'\0'
            out += struct.pack('<I', len(text) << 16 | fixed + len(texts))
            texts += text
        else:
            out += struct.pack('<Q', int(value, 0) & (1 << 64) - 1)
    out += texts
    return out + bytes(-len(out) % 4)


cpus = {}
for line in open(sys.argv[1]):
    words = line.split()
    if not words or words[0].startswith('#'):
        continue
    cpu = cpus.setdefault(int(words[0]), Cpu())
    if words[1] == 'lost':
        cpu.end_page()
        cpu.lost = int(words[2])
    else:
        cpu.add(int(words[1], 0), (any_record if words[3] == 'event' else record_of)(words[2:]))
for number, cpu in cpus.items():
    cpu.end_page()
    open(f'{sys.argv[2]}/cpu{number}.pages', 'wb').write(b''.join(cpu.pages))
