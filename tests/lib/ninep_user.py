"""A 9P2000.L client that says who it is: what a server lets a user do who attaches so.

ninep_user.py ADDR UID COMMAND...   ADDR: a unix socket's path, HOST:PORT; UID: in the attach, - for none
  read NAME                    the file's first bytes         link NAME     where the link leads
  create NAME MODE [TEXT]      Tlcreate, Twrite; MODE in octal, with the set-id bits
  mkdir NAME MODE              mknod NAME MODE MAJOR MINOR       MODE with its kind
  mode NAME MODE               Tsetattr                          unlink NAME
  write NAME TEXT              what is there already
  orclose NAME                 by 9P2000.u: opened to be removed when it is closed; then the connection ends
  gone COMMAND...              all is sent at once, and the socket is closed before an answer is read
What is refused is said in a line `refused: ERRNO', with exit status 1.
"""
import os, socket, struct, sys

NOFID = 0xffffffff
I = lambda *v: struct.pack('<%dI' % len(v), *v)
S = lambda s: struct.pack('<H', len(s)) + s.encode()


class Client:
    def __init__(self, address, uid, dialect='9P2000.L', gone=False):
        unix = '/' in address
        host, _, port = address.rpartition(':')
        family = socket.AF_UNIX if unix else socket.AF_INET6 if ':' in host else socket.AF_INET
        self.s = socket.socket(family)
        self.s.settimeout(30)
        self.s.connect(address if unix else (host.strip('[]'), int(port)))
        self.gone, self.dialect, self.out = gone, dialect, b''
        self.rpc(100, I(8192) + S(dialect), tag=0xffff)
        self.rpc(104, I(0, NOFID) + S('') + S('') + I(NOFID if uid == '-' else int(uid)))

    def whole(self, n):
        got = b''
        while len(got) < n:
            more = self.s.recv(n - len(got))
            if not more:
                raise EOFError
            got += more
        return got

    def rpc(self, kind, body, tag=1):
        self.s.sendall(struct.pack('<IBH', 7 + len(body), kind, tag) + body)
        if self.gone:
            return b'\0' * 64
        size, k, _ = struct.unpack('<IBH', self.whole(7))
        r = self.whole(size - 7)
        if k == 7:
            print('refused:', os.strerror(struct.unpack('<I', r)[0]))
            sys.exit(1)
        if k == 107:
            n, = struct.unpack_from('<H', r)
            print('refused:', r[2:2 + n].decode())
            sys.exit(1)
        assert k == kind + 1, (k, kind)
        return r

    def walk(self, name, fid=1):
        names = [n for n in name.split('/') if n]
        r = self.rpc(110, I(0, fid) + struct.pack('<H', len(names)) + b''.join(map(S, names)))
        if not self.gone and struct.unpack_from('<H', r)[0] < len(names):
            print('refused: walked only a part')
            sys.exit(1)
        return fid

    def write(self, fid, text):
        self.rpc(118, I(fid) + struct.pack('<QI', 0, len(text)) + text)


def run(c, words):
    command, name = words[0], words[1]
    directory, _, last = name.rpartition('/')
    if command == 'read':
        c.rpc(12, I(c.walk(name), 0))
        r = c.rpc(116, I(1) + struct.pack('<QI', 0, 8000))
        sys.stdout.buffer.write(r[4:])
    elif command == 'link':
        sys.stdout.buffer.write(c.rpc(22, I(c.walk(name)))[2:])
    elif command == 'create':
        c.rpc(14, I(c.walk(directory)) + S(last) + I(1 | 0o100, int(words[2], 8), 0))
        if len(words) > 3:
            c.write(1, words[3].encode())
    elif command == 'write':
        c.rpc(12, I(c.walk(name), 1))
        c.write(1, words[2].encode())
    elif command == 'mkdir':
        c.rpc(72, I(c.walk(directory)) + S(last) + I(int(words[2], 8), 0))
    elif command == 'mknod':
        c.rpc(18, I(c.walk(directory)) + S(last) + I(int(words[2], 8), int(words[3]), int(words[4]), 0))
    elif command == 'mode':
        c.rpc(26, I(c.walk(name), 1, int(words[2], 8), 0, 0) + b'\0' * 40)
    elif command == 'unlink':
        c.rpc(76, I(c.walk(directory)) + S(last) + I(0))
    elif command == 'orclose':
        c.rpc(112, I(c.walk(name)) + bytes([0x40]))
    else:
        sys.exit('no such command: ' + command)


def main():
    address, uid, words = sys.argv[1], sys.argv[2], sys.argv[3:]
    gone = words[0] == 'gone'
    words = words[1:] if gone else words
    c = Client(address, uid, '9P2000.u' if words[0] == 'orclose' else '9P2000.L', gone)
    run(c, words)


main()
