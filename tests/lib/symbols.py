# symbols.py OUT ELF COUNT: the program (64 bits, little-endian) with COUNT functions more in its .symtab, as
# far above its code as nothing is executed.
import struct, sys

out, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
data = bytearray(open(path, 'rb').read())
table, = struct.unpack_from('<Q', data, 40)
each, sections = struct.unpack_from('<HH', data, 58)
heads = [list(struct.unpack_from('<IIQQQQIIQQ', data, table + i * each)) for i in range(sections)]
symtab = next(h for h in heads if h[1] == 2)
text = next(i for i, h in enumerate(heads) if h[1] == 1 and h[2] & 4)
own = data[symtab[4]:symtab[4] + symtab[5]]
functions = 2 | 1 << 4  # STT_FUNC, STB_GLOBAL
new = b''.join(struct.pack('<IBBHQQ', 1, functions, 0, text, 1 << 40 | i << 4, 8) for i in range(count))
data += b'\0' * (-len(data) % 8)
symtab[4], symtab[5] = len(data), len(own) + len(new)
data += own + new
struct.pack_into('<Q', data, 40, len(data))
for h in heads:
    data += struct.pack('<IIQQQQIIQQ', *h)
open(out, 'wb').write(data)
