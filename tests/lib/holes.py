"""holes.py sections|segments OUT COUNT: an ELF file (64 bits, little-endian) that is mostly a hole, with so many of them.
holes.py names OUT COUNT LENGTH: one with COUNT functions whose names, NAME@VERSION, overlap: each is of about LENGTH bytes, and
none ends with the one before it."""
import struct, sys

kind, out, count = sys.argv[1], sys.argv[2], int(sys.argv[3])

def header(table, sections, strings, programs=0):
    return struct.pack('<16sHHIQQQIHHHHHH', b'\x7fELF\x02\x01\x01', 2, 62, 1, 0x401000, 64, table, 0, 64, 56, programs,
                       64, sections, strings)

def section(name, kind, flags, address, at, size, link=0, info=0, each=0):
    return struct.pack('<IIQQQQIIQQ', name, kind, flags, address, at, size, link, info, 8, each)

if kind != 'names':
    many = kind == 'sections'
    data = header(64, 0 if many else 1, 0, 0 if many else 0xffff)
    data += section(0, 0, 0, 0, 0, count if many else 0, 0, 0 if many else count)
    with open(out, 'wb') as f:
        f.write(data)
        f.truncate(64 + 64 * count)
else:
    length, places = int(sys.argv[4]), 64
    strings = b'\0' + b''.join(letter * (length + places) + b'@V\0' for letter in (b'n', b'm'))
    names = b'\0.symtab\0.strtab\0.text\0.shstrtab\0'
    function = 2 | 1 << 4  # STT_FUNC, STB_GLOBAL
    symbols = bytes(24) + b''.join(
        struct.pack('<IBBHQQ', 1 + i % places + i % 2 * (len(strings) // 2), function, 0, 3, 0x401000 + i, 1) for i in range(count))
    body = symbols + strings + names
    body += bytes(-len(body) % 8)
    at = 64 + len(symbols)
    data = header(64 + len(body), 5, 4) + body
    data += section(0, 0, 0, 0, 0, 0) + section(1, 2, 0, 0, 64, len(symbols), 2, 1, 24)
    data += section(9, 3, 0, 0, at, len(strings)) + section(17, 1, 6, 0x401000, 0, count + 64)
    data += section(23, 3, 0, 0, at + len(strings), len(names))
    open(out, 'wb').write(data)
