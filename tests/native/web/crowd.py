"""crowd PORT: clients that behave badly beside one that does not, which must not notice."""
import socket
import sys
import time

PORT = int(sys.argv[1])
GET = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"


def connect():
    return socket.create_connection(("127.0.0.1", PORT), timeout=60)


def whole_answer():
    with connect() as s:
        s.sendall(GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        got = b""
        while more := s.recv(65536):
            got += more
    assert got.startswith(b"HTTP/1.1 200 OK") and got.endswith(b"# EOF\n"), got[:200]


def quickest(n=20):
    took = []
    for _ in range(n):
        start = time.monotonic()
        whole_answer()
        took.append(time.monotonic() - start)
    return sorted(took)[n // 4]


alone = quickest()
readers = [connect() for _ in range(20)]  # of a stream, that never read
for s in readers:
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
half = [connect() for _ in range(20)]  # half a request
for s in half:
    s.sendall(GET[:30])
for n in range(50):  # nonsense, and nothing at all
    with connect() as s:
        s.sendall(bytes([n * 5 % 256]) * n * 100)
beside = quickest()
assert beside < alone + 0.2, (alone, beside)

s = connect()  # several requests at once, byte by byte, on one connection
s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
for byte in GET * 3:
    s.send(bytes([byte]))
got = b""
while got.count(b"# EOF\n") < 3:
    got += s.recv(65536)
assert got.count(b"HTTP/1.1 200 OK") == 3

more = [connect() for _ in range(80)]  # more than there is room for: the silent ones give way
whole_answer()
for s in readers + half + more:
    s.close()
whole_answer()
