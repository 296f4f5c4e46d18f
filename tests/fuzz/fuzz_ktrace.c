/* trace(3): words of tracectl, or a condition on calls, up to the first NUL, then a format file up
 * to the next, then a page of the kernel's buffer. The state makes itself again, and reads are
 * whole lines. */
#include "fuzz.h"

#include "core/ktrace/call_format.h"
#include "core/ktrace/decode.h"
#include "core/ktrace/device.h"
#include "core/ktrace/pack.h"
#include "core/ktrace/report.h"
#include "core/ktrace/where.h"

#include <stdlib.h>
#include <string.h>

static void init_device(struct ktrace *k)
{
    ktrace_init(k);
    k->ktzero = UINT64_C(0xffffffff80000000);
    k->etext = UINT64_C(0xffffffff80900000);
}

static void copy_state(struct ktrace *k)
{
    struct ktrace again;
    struct buf first = BUF_INIT;
    init_device(&again);
    ktrace_state_text(k, &first);
    if (ktrace_command(&again, buf_str(&first), NULL) < 0 || again.active != k->active ||
        again.all != k->all || again.ranges != k->ranges || again.watches != k->watches)
        abort();
    ktrace_release(&again);
    buf_release(&first);
}

struct sink {
    struct ktrace device;
    struct ktrace_calls calls;
    struct ktrace_where where;
    struct ktrace_signatures signatures;
    struct buf text;
};

/* What is packed is unpacked the same. */
static void check_pack(const struct ktrace_event *e, const struct ktrace_more *m)
{
    struct buf bytes = BUF_INIT;
    struct ktrace_event again;
    struct ktrace_more more;
    ktrace_pack(e, m, &bytes);
    ktrace_unpack(bytes.data, bytes.len, &again, &more);
    if (memcmp(e, &again, sizeof again) != 0 || more.frame_count != m->frame_count ||
        more.what != m->what)
        abort();
    for (int i = 0; i < KTRACE_MAX_ARGS && m->what != KTRACE_STACK; i++)
        if (!more.text[i].at != !m->text[i].at ||
            (m->text[i].at && (more.text[i].len != m->text[i].len ||
                               memcmp(more.text[i].at, m->text[i].at, m->text[i].len) != 0)))
            abort();
    buf_release(&bytes);
}

static void add_event(void *arg, const struct ktrace_event *e, const struct ktrace_more *m)
{
    struct sink *s = arg;
    check_pack(e, m);
    if (m->what == KTRACE_EDGE)
        ktrace_add(&s->device, e);
    ktrace_calls_add(&s->calls, e, m);
}

static const char *name_function(void *arg, uint32_t function)
{
    (void)arg;
    return function ? "exit" : "entry";
}

static void write_call(void *arg, const struct ktrace_call *c)
{
    struct sink *s = arg;
    if (c->depth >= KTRACE_MAX_DEPTH)
        abort();
    const struct ktrace_shown show = {.function = name_function, .signatures = &s->signatures};
    struct json j = {.out = &s->text};
    buf_clear(&s->text);
    if (!ktrace_where_holds(&s->where, c, ktrace_signature(&s->signatures, c->function)))
        return;
    ktrace_call_text(&show, c, &s->text);
    json_object(&j, NULL);
    ktrace_call_json(&show, c, &j);
    json_object_end(&j);
}

static void read_lines(struct ktrace *k)
{
    char line[2 * KTRACE_LINE_BYTES];
    size_t n;
    while ((n = ktrace_read(k, line, sizeof line - 1)))
        if (n != KTRACE_LINE_BYTES || line[n - 1] != '\n')
            abort();
}

/* Up to the next NUL, or all. */
static size_t part(const uint8_t *data, size_t len)
{
    const uint8_t *end = memchr(data, 0, len);
    return end ? (size_t)(end - data) : len;
}

/* The format is that of several events: the number of words says of which. */
enum { BOTH, ENTRY, STACK, CALL, TEXTS, LEARNED };

static void learn(struct ktrace_decoder *d, struct ktrace_signatures *s, size_t which,
                  const char *format, size_t len)
{
    if (which == BOTH || which == ENTRY)
        ktrace_decoder_learn(d, 0, false, format, len);
    if (which == BOTH)
        ktrace_decoder_learn(d, 1, true, format, len);
    if (which == BOTH || which == STACK)
        ktrace_decoder_learn_stack(d, format, len);
    if (which == TEXTS)
        ktrace_decoder_learn_texts(d, format, len);
    if (which == CALL)
        ktrace_call_learn(d, s, 0, false, format, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static struct sink s; /* all of it is set below */
    struct ktrace_decoder d = {
        .layout = {.commit_at = 8, .commit_size = 8, .data_at = 16, .page_size = 4096}};
    size_t words = len ? part(data, len) : 0, at = words < len ? words + 1 : len;
    size_t format = at < len ? part(data + at, len - at) : 0;
    size_t page = at + format < len ? at + format + 1 : len;
    char *message = malloc(words + 1);
    memcpy(message, data, words);
    message[words] = '\0';
    init_device(&s.device);
    s.where.count = 0;
    ktrace_calls_init(&s.calls, write_call, &s);
    ktrace_command(&s.device, message, NULL);
    copy_state(&s.device);
    ktrace_where_read(&s.where, message, NULL);
    if (ktrace_signatures_init(&s.signatures, 2) == 0)
        learn(&d, &s.signatures, words % LEARNED, (const char *)data + at, format);
    uint8_t *bytes = malloc(len - page + 1); /* exactly: what is read beyond it shows */
    memcpy(bytes, data + page, len - page);
    ktrace_decode_page(&d, bytes, len - page, add_event, &s);
    ktrace_calls_end(&s.calls);
    read_lines(&s.device);
    ktrace_decoder_release(&d);
    ktrace_release(&s.device);
    ktrace_calls_release(&s.calls);
    ktrace_signatures_release(&s.signatures);
    buf_release(&s.text);
    free(message);
    free(bytes);
    return 0;
}
