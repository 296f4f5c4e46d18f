"""A 9P2000 server of a file `f' that answers until one message, and of that gives nothing or a byte a second.

ninep_stall.py SOCKET MESSAGE silent|drip    MESSAGE: version attach walk stat open read clunk; never
"""
import socket, struct, sys, threading, time

path, stop, how = sys.argv[1:]
TYPES = {'version': 100, 'attach': 104, 'walk': 110, 'open': 112, 'read': 116, 'clunk': 120, 'stat': 124}
S = lambda s: struct.pack('<H', len(s)) + s.encode()
QID = {0: b'\x80' + struct.pack('<IQ', 0, 0), 1: b'\0' + struct.pack('<IQ', 0, 1)}


def record(file):
    mode = 0x80000000 | 0o555 if file == 0 else 0o444
    body = struct.pack('<HI', 0, 0) + QID[file] + struct.pack('<IIIQ', mode, 0, 0, 5 if file else 0)
    body += S('f' if file else '/') + S('u') * 3
    return struct.pack('<H', len(body)) + body


def answer(kind, body, fids):
    fid = struct.unpack_from('<I', body)[0] if len(body) >= 4 else 0
    if kind == 100:
        return struct.pack('<I', 8192) + S('9P2000')
    if kind == 104:
        fids[fid] = 0
        return QID[0]
    if kind == 110:
        _, new, n = struct.unpack_from('<IIH', body)
        fids[new] = 1 if n else fids[fid]
        return struct.pack('<H', n) + QID[1] * n
    if kind == 112:
        return QID[fids[fid]] + struct.pack('<I', 0)
    if kind == 116:
        _, offset, count = struct.unpack_from('<IQI', body)
        data = (b'text\n' if fids[fid] else record(1))[offset:offset + count]
        return struct.pack('<I', len(data)) + data
    if kind == 124:
        r = record(fids[fid])
        return struct.pack('<H', len(r)) + r
    return b''


def serve(c):
    got, fids = b'', {}
    while True:
        more = c.recv(65536)
        if not more:
            return
        got += more
        while len(got) >= 7 and len(got) >= struct.unpack_from('<I', got)[0]:
            size, kind, tag = struct.unpack_from('<IBH', got)
            body, got = got[7:size], got[size:]
            if kind == TYPES.get(stop):
                print('reached', flush=True)
                if how == 'silent':
                    time.sleep(600)
                for byte in struct.pack('<IBH', 8000, kind + 1, tag) + b'\0' * 8000:
                    c.sendall(bytes([byte]))
                    time.sleep(1)
            r = answer(kind, body, fids)
            c.sendall(struct.pack('<IBH', 7 + len(r), kind + 1, tag) + r)


def guarded(c):
    try:
        serve(c)
    except OSError:
        pass


s = socket.socket(socket.AF_UNIX)
s.bind(path)
s.listen(8)
print('listening', flush=True)
while True:
    c, _ = s.accept()
    threading.Thread(target=guarded, args=(c,), daemon=True).start()
