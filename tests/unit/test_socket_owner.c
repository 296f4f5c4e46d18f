/* Whose a socket is, by the kernel's tables. */
#include "unit.h"

#include "core/base/buf.h"
#include "core/procfs/socket_owner.h"

#include <string.h>

#define HEAD                                                                                       \
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "  \
    "inode\n"
#define REST " 1 0000000000000000 20 4 30 10 -1\n"

static struct socket_end v4(uint8_t last, uint16_t port)
{
    return (struct socket_end){{[10] = 0xff, [11] = 0xff, 127, 0, 0, last}, port};
}

/* As this machine's kernel prints an address: words in its own order of bytes. */
static void add_end(struct buf *b, const struct socket_end *e, int words)
{
    for (int i = 4 - words; i < 4; i++) {
        uint32_t word;
        memcpy(&word, e->address + 4 * i, 4);
        buf_printf(b, "%08X", word);
    }
    buf_printf(b, ":%04X ", e->port);
}

struct row {
    struct socket_end local, remote;
    int words;
    unsigned state, uid, inode;
};

static void add_row(struct buf *b, const struct row *r)
{
    buf_adds(b, "  17: ");
    add_end(b, &r->local, r->words);
    add_end(b, &r->remote, r->words);
    buf_printf(b, "%02X 00000000:00000000 02:000005A3 00000000 %5u        0 %u" REST, r->state,
               r->uid, r->inode);
}

TEST(a_socket_is_found_by_both_of_its_ends)
{
    struct buf b = BUF_INIT;
    struct socket_owner o;
    const struct socket_end here = v4(1, 5640), there = v4(2, 43210), other = v4(2, 43211);
    buf_adds(&b, HEAD);
    add_row(&b, &(struct row){here, there, 1, 1, 0, 11});
    add_row(&b, &(struct row){there, here, 1, 1, 1000, 12});
    add_row(&b, &(struct row){other, here, 4, 5, 4294967294u, 13});
    CHECK(socket_owner_find(buf_str(&b), &there, &here, &o));
    CHECK(o.state == 1 && o.uid == 1000 && o.inode == 12 && socket_owner_is_known(&o));
    CHECK(socket_owner_find(buf_str(&b), &here, &there, &o) && o.uid == 0 && o.inode == 11);
    CHECK(socket_owner_find(buf_str(&b), &other, &here, &o) && o.uid == 4294967294u);
    CHECK(!socket_owner_find(buf_str(&b), &here, &other, &o));
    for (size_t len = b.len; len-- > 0;) { /* cut anywhere it is the same, or not found */
        b.data[len] = '\0';
        if (socket_owner_find(b.data, &there, &here, &o))
            CHECK_INT(o.uid, 1000);
    }
    buf_release(&b);
}

TEST(a_socket_without_a_process_is_nobodys)
{
    enum { STATES = 12 };
    static const bool connected[STATES + 1] = {[1] = true, [4] = true, [5] = true, [8] = true};
    for (unsigned state = 0; state <= STATES; state++) {
        CHECK_INT(socket_owner_is_known(&(struct socket_owner){state, 0, 77}), connected[state]);
        CHECK(!socket_owner_is_known(&(struct socket_owner){state, 0, 0}));
    }
}
