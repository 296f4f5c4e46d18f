"""Makes the memory of an ARM kernel as /proc/kcore has it: kcore.py CODE FILE. A line of CODE: ADDRESS call|jump TARGET."""
import struct
import sys

START, SIZE, HEAD, SEGMENT = 0xc0008000, 0x1000, 52, 32
code = bytearray(struct.pack('<I', 0xe1a00000) * (SIZE // 4))
for line in open(sys.argv[1]):
    words = line.split()
    if not words or words[0].startswith('#'):
        continue
    at, target = int(words[0], 16), int(words[2], 16)
    word = (0xeb000000 if words[1] == 'call' else 0xea000000) | (target - at - 8 >> 2) & 0xffffff
    struct.pack_into('<I', code, at - START, word)
data = HEAD + 2 * SEGMENT
with open(sys.argv[2], 'wb') as out:
    out.write(struct.pack('<16sHHIIIIIHHHHHH', b'\x7fELF\1\1\1', 4, 40, 1, 0, HEAD, 0, 0, HEAD, SEGMENT, 2, 0, 0, 0))
    out.write(struct.pack('<8I', 4, data, 0, 0, 0, 0, 0, 0))
    out.write(struct.pack('<8I', 1, data, START, 0, SIZE, SIZE, 7, 4096))
    out.write(code)
