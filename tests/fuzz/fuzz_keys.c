/* Terminal input, in pieces that its own bytes cut. */
#include "fuzz.h"

#include "../lib/keyname.h"

#include <stdlib.h>

static void check(const struct key *k)
{
    struct buf name = BUF_INIT;
    if (k->code > KEY_WHEEL_DOWN || k->mods > 7 || k->button > 3)
        abort();
    if (k->code == KEY_RUNE && (k->rune < ' ' || k->rune > 0x10FFFF))
        abort();
    keyname(k, &name);
    if (!name.len)
        abort();
    buf_release(&name);
}

static void take_all(struct keys *k)
{
    struct key key;
    while (keys_next(k, &key))
        check(&key);
    if (k->n > KEYS_BYTES / 2)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct keys k = {.n = 0};
    for (size_t i = 0; i < len;) {
        size_t piece = 1 + bytes[i] % 40u;
        i += keys_add(&k, bytes + i, piece < len - i ? piece : len - i);
        take_all(&k);
        if (bytes[i - 1] == 'x')
            keys_expire(&k);
    }
    keys_expire(&k);
    take_all(&k);
    if (keys_partial(&k))
        abort();
    return 0;
}
