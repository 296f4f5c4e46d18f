#include "core/tui/keys.h"

#include "core/text/rune.h"
#include "keys_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ESC = 27, DEL = 127, X10_BYTES = 3 };

/* What is read, and how many bytes it took. */
struct reading {
    const uint8_t *byte;
    size_t n, at;
    bool last; /* no more will come */
};

/* --- without ESC --- */

static struct key control_key(uint8_t byte)
{
    switch (byte) {
    case '\r':
    case '\n':
        return (struct key){.code = KEY_ENTER};
    case '\t':
        return (struct key){.code = KEY_TAB};
    case '\b':
    case DEL:
        return (struct key){.code = KEY_BACKSPACE};
    case ESC:
        return (struct key){.code = KEY_ESC};
    }
    uint32_t rune = byte == 0 ? ' ' : byte <= 26 ? 'a' + byte - 1u : byte + 64u;
    return (struct key){.rune = rune, .mods = KEY_CTRL};
}

static enum key_read read_plain(struct reading *r, struct key *out)
{
    uint32_t rune;
    uint8_t byte = r->byte[r->at];
    if (byte < ' ' || byte == DEL) {
        r->at++;
        *out = control_key(byte);
        return KEY_HERE;
    }
    size_t n = rune_decode(r->byte + r->at, r->n - r->at, &rune);
    if (n == 0 && !r->last)
        return KEY_MORE;
    r->at += n ? n : 1;
    *out = (struct key){.rune = rune};
    return n == 0 || (rune == RUNE_BAD && n == 1) || (rune >= 0x80 && rune < 0xA0) ? KEY_PASS
                                                                                   : KEY_HERE;
}

/* --- with ESC --- */

static enum key_read cut_off(struct reading *r)
{
    if (!r->last)
        return KEY_MORE;
    r->at = r->n;
    return KEY_PASS;
}

static enum key_read read_x10_mouse(struct reading *r, struct key *out)
{
    const uint8_t *v = r->byte + r->at;
    if (r->n - r->at < X10_BYTES)
        return cut_off(r);
    r->at += X10_BYTES;
    if (v[0] < 32 || v[1] < 32 || v[2] < 32)
        return KEY_PASS;
    return key_of_mouse(v[0] - 32u, v[1] - 32u, v[2] - 32u, false, out);
}

static void add_digit(struct key_sequence *s, uint8_t byte)
{
    enum { MAX_PARAM = 65535 };
    unsigned *p = &s->param[s->params - 1];
    *p = *p * 10 + (byte - '0');
    if (*p > MAX_PARAM)
        *p = MAX_PARAM;
}

/* Takes a byte of the parameters; false when it is none. */
static bool add_parameter(struct key_sequence *s, uint8_t byte, bool first)
{
    if (byte >= '0' && byte <= '9')
        add_digit(s, byte);
    else if (byte == ';')
        s->params += s->params < KEYS_MAX_PARAMS;
    else if (byte >= '<' && byte <= '?' && first)
        s->private = byte;
    else /* a colon, or rxvt's final $, which else comes before the final */
        return byte >= ' ' && byte < '@' && byte != '$';
    return true;
}

static enum key_read read_sequence(struct reading *r, char kind, struct key *out)
{
    struct key_sequence s = {.kind = kind, .params = 1};
    size_t start = r->at;
    for (; r->at < r->n; r->at++) {
        uint8_t byte = r->byte[r->at];
        if (add_parameter(&s, byte, r->at == start))
            continue;
        if (byte < ' ' || byte >= DEL) /* it was cut off, and another thing begins */
            return KEY_PASS;
        s.final = byte;
        r->at++;
        return key_of_sequence(&s, out);
    }
    if (r->n - start > KEYS_MAX_SEQUENCE)
        return KEY_PASS;
    r->at = start;
    return cut_off(r);
}

static enum key_read read_bracket(struct reading *r, struct key *out)
{
    if (r->at == r->n)
        return cut_off(r);
    if (r->byte[r->at] == 'M') {
        r->at++;
        return read_x10_mouse(r, out);
    }
    bool linux_console = r->byte[r->at] == '[';
    r->at += linux_console;
    return read_sequence(r, linux_console ? 'L' : '[', out);
}

/* An ESC before another thing, which then has Alt. */
static enum key_read read_alt(struct reading *r, struct key *out)
{
    enum key_read read = read_plain(r, out);
    if (read == KEY_HERE)
        out->mods |= KEY_ALT;
    return read;
}

static bool is_introducer(const struct reading *r, size_t at)
{
    return at < r->n && (r->byte[at] == '[' || r->byte[at] == 'O');
}

static enum key_read read_opened(struct reading *r, struct key *out)
{
    bool bracket = r->byte[r->at] == '[';
    if (r->last && r->at + 1 == r->n) /* typed: Alt and that letter */
        return read_alt(r, out);
    r->at++;
    return bracket ? read_bracket(r, out) : read_sequence(r, 'O', out);
}

/* ESC ESC [: rxvt's Alt with a key that has a sequence; an ESC before an ESC is else the key. */
static enum key_read read_escaped_escape(struct reading *r, struct key *out)
{
    if (r->at + 1 == r->n && !r->last)
        return KEY_MORE;
    if (!is_introducer(r, r->at + 1) || (r->last && r->at + 2 == r->n)) {
        *out = (struct key){.code = KEY_ESC};
        return KEY_HERE;
    }
    r->at++;
    enum key_read read = read_opened(r, out);
    out->mods |= KEY_ALT;
    return read;
}

static enum key_read read_escape(struct reading *r, struct key *out)
{
    r->at++;
    if (r->at == r->n) {
        *out = (struct key){.code = KEY_ESC};
        return r->last ? KEY_HERE : KEY_MORE;
    }
    if (r->byte[r->at] == ESC)
        return read_escaped_escape(r, out);
    return is_introducer(r, r->at) ? read_opened(r, out) : read_alt(r, out);
}

/* --- the bytes --- */

size_t keys_add(struct keys *k, const void *bytes, size_t len)
{
    size_t avail = KEYS_BYTES - k->n;
    if (len > avail)
        len = avail;
    if (len)
        memcpy(k->byte + k->n, bytes, len);
    k->n += len;
    if (len)
        k->expired = false;
    return len;
}

static void drop_bytes(struct keys *k, size_t n)
{
    k->n -= n;
    memmove(k->byte, k->byte + n, k->n);
}

bool keys_next(struct keys *k, struct key *out)
{
    while (k->n) {
        struct reading r = {.byte = k->byte, .n = k->n, .last = k->expired};
        struct key key = {0};
        enum key_read read = k->byte[0] == ESC ? read_escape(&r, &key) : read_plain(&r, &key);
        if (read == KEY_MORE)
            return false;
        drop_bytes(k, r.at);
        if (read == KEY_HERE) {
            *out = key;
            return true;
        }
    }
    k->expired = false;
    return false;
}

bool keys_partial(const struct keys *k)
{
    return k->n > 0;
}

void keys_expire(struct keys *k)
{
    k->expired = k->n > 0;
}

struct key_answer key_unknown(uint32_t rune)
{
    struct key_answer answer;
    bool ascii = rune > ' ' && rune < 0x7f;
    if (ascii)
        snprintf(answer.text, sizeof answer.text, "no key %c: h for help", (char)rune);
    else
        snprintf(answer.text, sizeof answer.text, "no key U+%04" PRIX32 ": h for help", rune);
    return answer;
}
