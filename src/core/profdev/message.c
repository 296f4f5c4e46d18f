/* The words of ctl. What is wrong with them is said in the emulator's words. */
#include "core/profdev/device.h"

#include "core/base/scan.h"

#include <errno.h>
#include <string.h>

struct word {
    const char *at;
    size_t len;
};

enum { MAX_WORDS = 3 }; /* one more than any message but `module' has */

static const char blanks[] = " \t\n";

/* MAX_WORDS: or more. */
static size_t split_words(const char *message, struct word word[MAX_WORDS])
{
    size_t n = 0;
    for (const char *at = message; n < MAX_WORDS; at += word[n++].len) {
        at += strspn(at, blanks);
        word[n] = (struct word){at, strcspn(at, blanks)};
        if (!word[n].len)
            break;
    }
    return n;
}

static bool is_word(struct word w, const char *name)
{
    return w.len == strlen(name) && memcmp(w.at, name, w.len) == 0;
}

static bool parse_number(struct word w, uint64_t least, uint64_t most, uint32_t *out)
{
    const char *at = w.at;
    uint64_t n;
    if (!scan_u64(&at, &n) || at != w.at + w.len || n < least || n > most)
        return false;
    *out = (uint32_t)n;
    return true;
}

/* startmp, and the digits behind it; others mean nothing, as in the emulator. */
static bool parse_memory(struct word w, struct profdev_message *out)
{
    static const char name[] = "startmp";
    size_t len = sizeof name - 1;
    if (w.len < len || memcmp(w.at, name, len) != 0)
        return false;
    for (size_t i = len; i < w.len; i++)
        if (w.at[i] >= '1' && w.at[i] <= '3')
            out->pools |= 1u << (w.at[i] - '0');
    out->kind = PROFDEV_MEMORY;
    return true;
}

static bool parse_start(const struct word *w, size_t n, struct profdev_message *out)
{
    out->word = PROFDEV_START;
    if (is_word(w[0], "startcp")) {
        out->kind = PROFDEV_COVERAGE;
        return n == 1 || (n == 2 && parse_number(w[1], 1, INT32_MAX, &out->pid));
    }
    if (n == 1 && is_word(w[0], "start"))
        out->kind = PROFDEV_SAMPLES;
    return n == 1 && (out->kind || parse_memory(w[0], out));
}

static bool parse_plain(const struct word *w, size_t n, struct profdev_message *out)
{
    if (is_word(w[0], "interval")) {
        out->word = PROFDEV_INTERVAL;
        return n == 2 && parse_number(w[1], 1, PROFDEV_MAX_INTERVAL_MS, &out->interval_ms);
    }
    out->word = is_word(w[0], "stop") ? PROFDEV_STOP : PROFDEV_END;
    return n == 1 && (out->word == PROFDEV_STOP || is_word(w[0], "end"));
}

static bool parse_message(const char *message, struct profdev_message *out)
{
    struct word w[MAX_WORDS];
    size_t n = split_words(message, w);
    if (!n)
        return false;
    if (is_word(w[0], "module")) {
        *out = (struct profdev_message){.word = PROFDEV_MODULE, .names = w[0].at + w[0].len};
        return true;
    }
    return parse_plain(w, n, out) || parse_start(w, n, out);
}

/* Who reads or writes the device has not started those processes here. */
static int refuse_kind(enum profdev_kind kind, struct fail *f)
{
    const char *option = kind == PROFDEV_COVERAGE ? "--coverage" : "--heap";
    const char *word = kind == PROFDEV_COVERAGE ? "startcp" : "startmp";
    fail_set(f, 0, "%s: it needs breakpoints, and only programs that psuite started may have any",
             word);
    fail_hint(
        f, "psuite prof %s -x COMMAND; or write it in `psuite ns', and `run' the program there%s",
        option, kind == PROFDEV_COVERAGE ? "; or `startcp PID'" : "");
    return -EINVAL;
}

int profdev_read_message(const char *message, unsigned kinds, struct profdev_message *out,
                         struct fail *f)
{
    *out = (struct profdev_message){.word = PROFDEV_MODULE};
    if (!parse_message(message, out))
        return fail_set(f, 0, "bad arg in system call");
    bool available = out->word != PROFDEV_START || out->pid || kinds & 1u << out->kind;
    return available ? 0 : refuse_kind(out->kind, f);
}
