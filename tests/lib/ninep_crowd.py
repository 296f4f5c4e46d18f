"""Many connections that say little: ninep_crowd.py ADDR COUNT HOW   HOW: nothing, part (of a version), version, attach
Prints `there' when all are, then `closed N' whenever the server has closed more of them; ends with its input.
"""
import select, socket, struct, sys

address, count, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
version = struct.pack('<IBHI', 21, 100, 0xffff, 8192) + b'\x08\x009P2000.L'
attach = struct.pack('<IBHII', 23, 104, 1, 0, 0xffffffff) + b'\0\0\0\0' + b'\xff' * 4
says = {'nothing': b'', 'part': version[:9], 'version': version, 'attach': version + attach}[how]
unix = '/' in address
host, _, port = address.rpartition(':')
poll, open_ones, closed = select.poll(), {}, 0


def drop(fd):
    global closed
    poll.unregister(fd)
    open_ones.pop(fd).close()
    closed += 1


for i in range(count):
    s = socket.socket(socket.AF_UNIX if unix else socket.AF_INET)
    s.setblocking(False)
    try:
        s.connect(address if unix else (host, int(port)))
    except BlockingIOError:
        pass
    open_ones[s.fileno()] = s
    poll.register(s, select.POLLIN | select.POLLOUT)
told = False
poll.register(0, select.POLLIN)
waiting = set(open_ones)
while True:
    for fd, event in poll.poll(1000):
        if fd == 0:
            sys.exit()
        try:
            if event & select.POLLOUT:
                open_ones[fd].send(says)
                waiting.discard(fd)
                poll.modify(fd, select.POLLIN)
            if event & ~select.POLLOUT and not open_ones[fd].recv(4096):
                drop(fd)
                print('closed', closed, flush=True)
        except OSError:
            waiting.discard(fd)
            drop(fd)
            print('closed', closed, flush=True)
    if not waiting and not told:
        told = True
        print('there', flush=True)
