/* prof(3): messages, a line each. One that is accepted says what it can say, and the state holds.
 */
#include "fuzz.h"

#include "core/profdev/device.h"

#include <stdlib.h>
#include <string.h>

enum { ALL = 1u << PROFDEV_SAMPLES | 1u << PROFDEV_COVERAGE | 1u << PROFDEV_MEMORY };

static void check_message(const struct profdev_message *m)
{
    if ((m->word == PROFDEV_START) != (m->kind != PROFDEV_NONE) || m->pools & ~0xeu ||
        (m->word == PROFDEV_INTERVAL &&
         (!m->interval_ms || m->interval_ms > PROFDEV_MAX_INTERVAL_MS)))
        abort();
}

/* The message is also a path, and numbers. */
static void count_something(struct profdev *p, const char *message)
{
    size_t len = strlen(message);
    struct profdev_file file = {message, 0, 0, len};
    struct profdev_module *m = profdev_intern(p, &file);
    if (!m)
        return;
    if (profdev_find(p, m->id) != m || m->id > p->modules)
        abort();
    profdev_counted(m, m->now.count ? m->now.pair[m->now.count - 1].pc + len : len,
                    len * UINT64_C(0x1000000000001));
}

static void read_pairs(const struct profdev_module *m)
{
    struct profdev_histogram *h;
    char *bytes = malloc(41); /* exactly: what is written beyond it shows */
    if (!bytes || profdev_open(m, &h) < 0)
        abort();
    long n;
    while ((n = profdev_read(h, bytes, 41, NULL)) > 0)
        if (n < 3 || !memchr(bytes, ' ', (size_t)n))
            abort();
    if (n < 0)
        abort();
    profdev_close(h);
    free(bytes);
}

static void handle(struct profdev *p, const char *message)
{
    struct profdev_message m;
    char id[PROFDEV_ID_BYTES];
    uint32_t number = profdev_id_of(message);
    if (number) {
        profdev_id_text(number, id);
        if (strcmp(id, message) != 0)
            abort();
    }
    count_something(p, message);
    if (profdev_read_message(message, ALL, &m, NULL) < 0)
        return;
    check_message(&m);
    profdev_apply(p, &m, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct profdev p;
    char *text = malloc(len + 1), *rest = text, *message;
    memcpy(text, data, len);
    text[len] = '\0';
    profdev_init(&p);
    while ((message = strsep(&rest, "\n")))
        handle(&p, message);
    for (size_t i = 0; i < p.modules; i++)
        read_pairs(p.module[i]);
    profdev_release(&p);
    free(text);
    return 0;
}
