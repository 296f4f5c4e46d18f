/* Compressed records of perf.data. */
#include "perfdata_make.h"

/* A zstd frame of one raw block: what any packer may write, by hand. */
static void frame(struct buf *b, const struct buf *content)
{
    u32(b, 0xfd2fb528);
    buf_addc(b, 0);                                   /* no size, a window */
    buf_addc(b, 0);                                   /* of 1 KB */
    uint32_t block = 1 | (uint32_t)content->len << 3; /* the last, raw */
    buf_add(b, (uint8_t[]){block & 255, block >> 8 & 255, block >> 16 & 255}, 3);
    buf_add(b, content->data, content->len);
}

static void packed_in(struct buf *b, const struct buf *packed, size_t from, size_t to)
{
    header(b, 81, 0, to - from);
    buf_add(b, packed->data + from, to - from);
}

TEST(perfdata_compressed_records_are_cut_anywhere)
{
    struct buf records = BUF_INIT, packed = BUF_INIT;
    struct taken t;
    sample(&records, 3, 0xa), sample(&records, 1, 0xb), sample(&records, 2, 0xc);
    frame(&packed, &records);
    for (size_t cut = 1; cut < packed.len; cut++) {
        struct buf b = BUF_INIT;
        plain_stream(&b);
        packed_in(&b, &packed, 0, cut);
        round_ends(&b);
        packed_in(&b, &packed, cut, packed.len);
        int err = read_all(&b, &t);
        if (err == -ENOSYS) { /* a build without zstd says so */
            buf_release(&b);
            break;
        }
        CHECK_INT(err, 0);
        CHECK_STR(t.text, "1:b 2:c 3:a ");
        CHECK_STR(t.warning, "");
        buf_release(&b);
    }
    buf_release(&records);
    buf_release(&packed);
}

TEST(perfdata_damaged_compression_ends_the_reading)
{
    struct buf b = BUF_INIT, records = BUF_INIT, packed = BUF_INIT;
    struct taken t;
    sample(&records, 1, 0xa);
    frame(&packed, &records);
    plain_stream(&b);
    header(&b, 83, 0, 8 + packed.len + 3); /* the later kind: its size, then padding */
    u64(&b, packed.len);
    buf_add(&b, packed.data, packed.len);
    buf_add(&b, "\0\0", 3);
    size_t good = b.len;
    header(&b, 81, 0, 8), u64(&b, 0x1111111111111111);
    packed_in(&b, &packed, 0, packed.len);
    int err = read_all(&b, &t);
    if (err != -ENOSYS) {
        char want[80];
        snprintf(want, sizeof want,
                 "compressed records are damaged at byte %zu: what follows is missing", good);
        CHECK_INT(err, 0);
        CHECK_STR(t.text, "1:a ");
        CHECK_STR(t.warning, want);
    }
    buf_release(&b);
    buf_release(&records);
    buf_release(&packed);
}

/* Blocks of one byte repeated: four bytes say 128 KB, each 2056 a record that means nothing. */
TEST(perfdata_compression_that_grows_too_much_is_refused)
{
    enum { BLOCKS = 64, BLOCK_BYTES = 128 << 10 };
    struct buf b = BUF_INIT, packed = BUF_INIT;
    struct taken t;
    u32(&packed, 0xfd2fb528);
    buf_addc(&packed, 0);
    buf_addc(&packed, 7 << 3); /* a window of 128 KB */
    for (uint32_t i = 0; i < BLOCKS; i++) {
        uint32_t block = (i == BLOCKS - 1) | 1 << 1 | BLOCK_BYTES << 3;
        buf_add(&packed, (uint8_t[]){block & 255, block >> 8 & 255, block >> 16 & 255, 8}, 4);
    }
    plain_stream(&b);
    size_t good = b.len;
    packed_in(&b, &packed, 0, packed.len);
    sample(&b, 1, 0xa);
    int err = read_all(&b, &t);
    if (err != -ENOSYS) {
        char want[80];
        snprintf(want, sizeof want,
                 "compressed records are damaged at byte %zu: what follows is missing", good);
        CHECK_INT(err, 0);
        CHECK_STR(t.text, "1:a ");
        CHECK_STR(t.warning, want);
    }
    buf_release(&b);
    buf_release(&packed);
}
