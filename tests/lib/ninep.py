"""A 9P2000 client that was written by the manual alone: what psuite serves, as another sees it.

ninep.py ADDR COMMAND...   ADDR: a unix socket's path, PORT of this machine, or `- PROGRAM ARG... --'
  cat NAME [COUNT]   the file, read COUNT bytes at a time     ls NAME   a line a file: kind name
  stat NAME          kind, mode, length, name                 write NAME TEXT
  create NAME TEXT   a new file                               remove NAME
  wstat NAME NEW MODE   another name in its directory ('' the same), and mode (octal; '' the same)
  bad HEX            these bytes; what is answered, and whether the connection is closed
"""
import os, socket, struct, subprocess, sys

NOFID, NOTAG = 0xffffffff, 0xffff
I = lambda *v: struct.pack('<%dI' % len(v), *v)
S = lambda s: struct.pack('<H', len(s)) + s.encode()


class Refused(Exception):
    pass


class Peer:
    def __init__(self, read, write):
        self.read, self.write, self.fids = read, write, 0
        msize, version = self.version('9P2000')
        assert version == '9P2000', version
        self.msize = msize
        self.rpc(104, I(0, NOFID) + S('u') + S(''))

    def version(self, name, msize=8192):
        r = self.rpc(100, I(msize) + S(name), tag=NOTAG)
        n = struct.unpack_from('<IH', r)
        return n[0], r[6:6 + n[1]].decode()

    def send(self, kind, body, tag=1):
        self.write(struct.pack('<IBH', 7 + len(body), kind, tag) + body)

    def whole(self, n):
        got = b''
        while len(got) < n:
            more = self.read(n - len(got))
            if not more:
                raise EOFError
            got += more
        return got

    def receive(self):
        size, kind, tag = struct.unpack('<IBH', self.whole(7))
        return kind, tag, self.whole(size - 7)

    def rpc(self, kind, body, tag=1):
        self.send(kind, body, tag)
        k, t, r = self.receive()
        assert t == tag, (t, tag)
        if k == 107:
            raise Refused(r[2:2 + struct.unpack_from('<H', r)[0]].decode())
        assert k == kind + 1, (k, kind)
        return r

    def walk(self, name):
        self.fids += 1
        names = [n for n in name.split('/') if n]
        r = self.rpc(110, I(0, self.fids) + struct.pack('<H', len(names)) + b''.join(map(S, names)))
        if struct.unpack_from('<H', r)[0] < len(names):
            raise Refused('walked only a part of ' + name)
        return self.fids

    def open(self, name, how=0):
        fid = self.walk(name)
        self.rpc(112, I(fid) + bytes([how]))
        return fid

    def contents(self, fid, count):
        offset = 0
        while True:
            r = self.rpc(116, I(fid) + struct.pack('<QI', offset, count))
            n, = struct.unpack_from('<I', r)
            assert n == len(r) - 4 <= count
            if not n:
                return
            yield r[4:]
            offset += n

    def stat_of(self, b):
        kind, = struct.unpack_from('<B', b, 8)
        mode, _, _, length, n = struct.unpack_from('<IIIQH', b, 21)
        return 'd' if kind & 0x80 else '-', mode & 0o777, length, b[43:43 + n].decode()


def connect(words):
    if words[0] == '-':
        end = words.index('--')
        p = subprocess.Popen(words[1:end], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        return p.stdout.read, p.stdin.write, words[end + 1:]
    s = socket.socket(socket.AF_UNIX if '/' in words[0] else socket.AF_INET)
    s.settimeout(60)
    s.connect(words[0] if '/' in words[0] else ('127.0.0.1', int(words[0])))
    return s.recv, s.sendall, words[1:]


def records(p, name):
    for chunk in p.contents(p.open(name), 300):
        while chunk:
            n = 2 + struct.unpack_from('<H', chunk)[0]
            assert n <= len(chunk), 'a record is cut'
            yield p.stat_of(chunk[:n])
            chunk = chunk[n:]


def main():
    read, write, words = connect(sys.argv[1:])
    if words[0] == 'bad':
        write(bytes.fromhex(words[1]))
        try:
            while True:
                size, kind, tag = struct.unpack('<IBH', Peer.whole(type('', (), {'read': staticmethod(read)}), 7))
                rest = Peer.whole(type('', (), {'read': staticmethod(read)}), size - 7)
                print(kind, rest[2:].decode('latin-1') if kind == 107 else '')
        except (EOFError, ConnectionResetError):
            print('closed')
        return
    p = Peer(read, write)
    try:
        if words[0] == 'cat':
            for chunk in p.contents(p.open(words[1]), int(words[2]) if len(words) > 2 else 4096):
                sys.stdout.buffer.write(chunk)
        elif words[0] == 'ls':
            for kind, _, _, name in records(p, words[1]):
                print(kind, name)
        elif words[0] == 'stat':
            r = p.rpc(124, I(p.walk(words[1])))
            print('%s %o %d %s' % p.stat_of(r[2:]))
        elif words[0] == 'write':
            fid = p.open(words[1], 1)
            text = words[2].encode()
            r = p.rpc(118, I(fid) + struct.pack('<QI', 0, len(text)) + text)
            print(struct.unpack('<I', r)[0])
        elif words[0] == 'create':
            directory, _, name = words[1].rpartition('/')
            fid, text = p.walk(directory), words[2].encode()
            p.rpc(114, I(fid) + S(name) + I(0o640) + bytes([1]))
            p.rpc(118, I(fid) + struct.pack('<QI', 0, len(text)) + text)
        elif words[0] == 'remove':
            p.rpc(122, I(p.walk(words[1])))
        elif words[0] == 'wstat':
            mode = int(words[3], 8) if words[3] else 0xffffffff
            record = b'\xff' * (2 + 4 + 13) + I(mode, 0xffffffff, 0xffffffff) + b'\xff' * 8 + S(words[2]) + S('') * 3
            record = struct.pack('<H', len(record)) + record
            p.rpc(126, I(p.walk(words[1])) + struct.pack('<H', len(record)) + record)
    except Refused as e:
        print('refused:', e)
        sys.exit(1)


if __name__ == "__main__":
    main()
