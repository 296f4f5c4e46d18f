/* The words of tracectl, and what is wrong with them in the words of Plan 9's kernels. */
#include "core/ktrace/device.h"

#include "core/base/hex.h"
#include "core/base/line.h"
#include "core/base/scan.h"

#include <stdlib.h>

enum { MAX_WORDS = 6, WORD_BYTES = 64 };

struct words {
    char word[MAX_WORDS][WORD_BYTES]; /* cut to fit */
    size_t count;                     /* MAX_WORDS: or more */
};

static void split_words(struct line line, struct words *w)
{
    const char *at = line.at;
    *w = (struct words){.count = 0};
    while (w->count < MAX_WORDS) {
        while (at < line.end && (*at == ' ' || *at == '\t'))
            at++;
        const char *start = at;
        while (at < line.end && *at != ' ' && *at != '\t')
            at++;
        size_t len = (size_t)(at - start), kept = len < WORD_BYTES ? len : WORD_BYTES - 1;
        if (!len)
            return;
        memcpy(w->word[w->count++], start, kept);
    }
}

static bool is_word(const struct words *w, size_t i, const char *word)
{
    return i < w->count && strcmp(w->word[i], word) == 0;
}

static int misuse(struct fail *f, const char *usage)
{
    return fail_set(f, 0, "devtrace: usage: %s", usage);
}

static int misuse_all(struct fail *f)
{
    return fail_set(f, 0,
                    "devtrace:  usage: 'trace' [ktextaddr|name] 'on'|'off'|'mk'|'del' [name] or:  "
                    "'size' buffersize (power of 2)");
}

static bool parse_decimal(const char *word, uint64_t max, uint64_t *out)
{
    return scan_u64(&word, out) && !*word && *out <= max;
}

/* --- ranges --- */

static struct ktrace_range *find_range(struct ktrace *k, const char *word)
{
    for (size_t i = 0; i < k->ranges; i++)
        if (strncmp(k->range[i].name, word, KTRACE_NAME_BYTES - 1) == 0)
            return &k->range[i];
    return NULL;
}

/* Plan 9 sets the bits of an offset in KTZERO, which has none there; a kernel at a random place may
 * have some. */
static bool parse_address(const struct ktrace *k, const char *word, uint64_t *out)
{
    if (!hex_read(&word, out) || *word)
        return false;
    if (*out < k->ktzero)
        *out += k->ktzero;
    return *out >= k->ktzero && *out <= k->etext;
}

static bool overlaps_any(const struct ktrace *k, uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < k->ranges; i++)
        if (start <= k->range[i].end && end >= k->range[i].start)
            return true;
    return false;
}

/* It is printed into tracectl's lines. */
static bool is_name(const char *word)
{
    for (; *word; word++)
        if (*word <= ' ' || *word > '~')
            return false;
    return true;
}

static int check_range(struct ktrace *k, const struct words *w, uint64_t *start, uint64_t *end,
                       struct fail *f)
{
    if (!parse_address(k, w->word[1], start) || !parse_address(k, w->word[2], end))
        return fail_set(f, 0, "devtrace: bad address");
    if (*start >= *end)
        return fail_set(f, 0, "devtrace: invalid address range");
    if (!is_name(w->word[4]))
        return fail_set(f, 0, "devtrace: bad name");
    if (find_range(k, w->word[4]))
        return fail_set(f, 0, "devtrace: trace with that name already exists");
    if (overlaps_any(k, *start, *end))
        return fail_set(f, 0, "devtrace: given range overlaps with existing trace");
    return k->ranges < KTRACE_MAX_RANGES ? 0 : fail_set(f, 0, "devtrace: too many traces");
}

static int make_range(struct ktrace *k, const struct words *w, struct fail *f)
{
    uint64_t start, end;
    int r = check_range(k, w, &start, &end, f);
    if (r < 0)
        return r;
    struct ktrace_range *made = &k->range[k->ranges++];
    *made = (struct ktrace_range){.start = start, .end = end};
    memcpy(made->name, w->word[4], strnlen(w->word[4], KTRACE_NAME_BYTES - 1));
    return 0;
}

static void remove_range(struct ktrace *k, struct ktrace_range *gone)
{
    size_t after = k->ranges - (size_t)(gone - k->range) - 1;
    k->changes += gone->on;
    memmove(gone, gone + 1, after * sizeof *gone);
    k->ranges--;
}

static int change_range(struct ktrace *k, const struct words *w, struct fail *f)
{
    struct ktrace_range *range = find_range(k, w->word[1]);
    bool on = is_word(w, 2, "on");
    if (w->count != 3)
        return fail_set(f, 0, "devtrace: usage: trace <name> %s", w->word[2]);
    if (!range)
        return fail_set(f, 0, "devtrace: trace not found");
    if (is_word(w, 2, "remove")) {
        remove_range(k, range);
        return 0;
    }
    k->changes += range->on != on;
    range->on = on;
    return 0;
}

static int handle_trace(struct ktrace *k, const struct words *w, struct fail *f)
{
    if (is_word(w, 3, "new"))
        return w->count == 5 ? make_range(k, w, f)
                             : misuse(f, "trace <ktextstart> <ktextend> new <name>");
    if (is_word(w, 2, "on") || is_word(w, 2, "off") || is_word(w, 2, "remove"))
        return change_range(k, w, f);
    return misuse_all(f);
}

/* --- the log --- */

static int resize_log(struct ktrace *k, size_t events)
{
    free(k->log);
    k->log = NULL;
    k->log_events = events;
    k->produced = k->consumed = 0;
    return 0;
}

static int handle_size(struct ktrace *k, const struct words *w, struct fail *f)
{
    uint64_t bits;
    if (w->count != 2 || !parse_decimal(w->word[1], KTRACE_MAX_LOG_BITS, &bits))
        return misuse(f, "size <exponent>");
    return resize_log(k, (size_t)1 << bits);
}

static int handle_logsize(struct ktrace *k, const struct words *w, struct fail *f)
{
    uint64_t events;
    if (w->count != 2 || !parse_decimal(w->word[1], 1 << KTRACE_MAX_LOG_BITS, &events) || !events ||
        events & (events - 1))
        return misuse(f, "logsize <power of 2>");
    return resize_log(k, (size_t)events);
}

/* --- threads --- */

static int add_watched(struct ktrace *k, uint64_t pid, struct fail *f)
{
    size_t i = 0;
    while (i < k->watches && k->watched[i] < pid)
        i++;
    if (i < k->watches && k->watched[i] == pid)
        return 0;
    if (k->watches == KTRACE_MAX_WATCHED)
        return fail_set(f, 0, "devtrace: too many watched processes");
    memmove(&k->watched[i + 1], &k->watched[i], (k->watches - i) * sizeof *k->watched);
    k->watched[i] = pid;
    k->watches++;
    return 0;
}

static int handle_watch(struct ktrace *k, const struct words *w, struct fail *f)
{
    uint64_t pid;
    if (w->count != 2 || !parse_decimal(w->word[1], INT32_MAX, &pid))
        return misuse(f, "watch [0|pid]");
    if (pid)
        return add_watched(k, pid, f);
    k->watches = 0;
    return 0;
}

/* --- running --- */

static int run_or_stop(struct ktrace *k, const struct words *w, struct fail *f)
{
    bool all = is_word(w, 0, "all"), active = all || is_word(w, 0, "start");
    if (w->count != 1)
        return misuse(f, w->word[0]);
    k->changes += active != k->active;
    k->active = active;
    k->all = active && (all || k->all);
    return 0;
}

static int handle_line(struct ktrace *k, struct line line, struct fail *f)
{
    static const struct {
        const char *word;
        int (*handle)(struct ktrace *k, const struct words *w, struct fail *f);
    } table[] = {{"all", run_or_stop},   {"start", run_or_stop},      {"stop", run_or_stop},
                 {"size", handle_size},  {"logsize", handle_logsize}, {"watch", handle_watch},
                 {"trace", handle_trace}};
    struct words w;
    split_words(line, &w);
    if (!w.count || w.word[0][0] == '#')
        return 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(w.word[0], table[i].word) == 0)
            return table[i].handle(k, &w, f);
    return misuse_all(f);
}

int ktrace_command(struct ktrace *k, const char *message, struct fail *f)
{
    struct lines rest = lines_of(message, strlen(message));
    struct line line;
    int r = 0;
    while (r == 0 && line_next(&rest, &line))
        r = handle_line(k, line, f);
    return r;
}
