#include "core/base/proto.h"

#include "core/base/buf.h"

enum { VARINT = 0, COUNTED = 2 };

void proto_varint(struct buf *out, uint64_t v)
{
    unsigned char bytes[10];
    size_t n = 0;
    for (; v >= 0x80; v >>= 7)
        bytes[n++] = (unsigned char)(v | 0x80);
    bytes[n++] = (unsigned char)v;
    buf_add(out, bytes, n);
}

void proto_number(struct buf *out, unsigned field, uint64_t v)
{
    if (!v)
        return;
    proto_varint(out, field << 3 | VARINT);
    proto_varint(out, v);
}

/* Also one of no bytes. */
static void bytes_field(struct buf *out, unsigned field, const void *bytes, size_t len)
{
    proto_varint(out, field << 3 | COUNTED);
    proto_varint(out, len);
    buf_add(out, bytes, len);
}

void proto_message(struct buf *out, unsigned field, struct buf *message)
{
    bytes_field(out, field, buf_str(message), message->len);
    if (buf_error(message))
        out->err = message->err;
    buf_clear(message);
}
