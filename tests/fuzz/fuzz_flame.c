/* Names, modules and amounts of any bytes: the flame graph stays well-formed, its boxes in order.
 * The input is lines `DEPTH AMOUNT NAME': a frame at that depth of the chain of the line before,
 * DEPTH and AMOUNT one byte each. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/export/writer.h"

#include <stdlib.h>
#include <string.h>

static const struct stacks_value values[] = {{"samples", "count"}, {"time", "nanoseconds"}};
enum { DEEPEST = 64, NAME = 64 };

static uint32_t frame_of(struct stacks *s, const char *name, uint8_t bits)
{
    struct stacks_function f = {.name = name,
                                .file = bits & 1 ? name : "",
                                .module = bits & 2 ? stacks_module(s, name, "") : STACKS_NONE,
                                .kind = bits >> 4 & 3};
    return stacks_frame(s, &(struct stacks_frame){.function = stacks_function(s, &f),
                                                  .line = bits,
                                                  .inlined = bits & 4});
}

static void read_stacks(struct stacks *s, const uint8_t *data, size_t len)
{
    uint32_t chain[DEEPEST + 1] = {STACKS_NONE};
    size_t deep = 0;
    stacks_init(s, values, 2);
    for (size_t at = 0, end; at + 3 <= len; at = end + 1) {
        const uint8_t *stop = memchr(data + at + 3, '\n', len - at - 3);
        char name[NAME] = "";
        end = stop ? (size_t)(stop - data) : len;
        memcpy(name, data + at + 3, end - at - 3 < NAME ? end - at - 3 : NAME - 1);
        size_t depth = data[at] % DEEPEST < deep ? data[at] % DEEPEST : deep;
        chain[depth + 1] = stacks_node(s, chain[depth], frame_of(s, name, data[at + 2]));
        deep = depth + 1 < DEEPEST ? depth + 1 : DEEPEST - 1;
        uint64_t amount = (uint64_t)(data[at + 1] & 0xf) << (data[at + 1] & 0xf0) / 4;
        stacks_add(s, STACKS_NONE, data[at] == 0xff ? STACKS_NONE : chain[depth + 1], 0,
                   (uint64_t[]){amount, amount});
    }
}

/* No stray markup: every tag is one that the writer makes, every `&' one of its entities. */
static void check_markup(const char *svg)
{
    static const char *const tags[] = {"g",     "/g",    "rect",   "/rect", "text",
                                       "/text", "title", "/title", "/svg"};
    static const char end[] = "\"svg\"));</script>\n</svg>\n";
    const char *body = strstr(svg, "]]></style>"), *script = strstr(svg, "<script>");
    if (!body || !script || strcmp(script + strlen(script) - strlen(end), end) != 0)
        abort();
    for (const char *c = body + 11; c < script; c++) {
        size_t known = 0, n = strcspn(c + 1, " >");
        if ((unsigned char)*c < 0x20 && *c != '\n')
            abort();
        if (*c != '<')
            continue;
        for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
            known += strlen(tags[i]) == n && memcmp(tags[i], c + 1, n) == 0;
        if (!known)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct stacks s, before;
    struct buf out = BUF_INIT;
    const uint8_t *half = memchr(data, 0, len);
    size_t first = half ? (size_t)(half - data) : len;
    read_stacks(&s, data, first);
    read_stacks(&before, data + first, len - first);
    s.origin.period = len & 1;
    if (writer_named("flame", 5)->write(&s, half ? &before : NULL, &out) == 0)
        check_markup(buf_str(&out));
    buf_release(&out);
    stacks_release(&s);
    stacks_release(&before);
    return 0;
}
