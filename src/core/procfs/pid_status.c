#include "core/procfs/pid_status.h"

#include "core/base/buf.h"
#include "core/base/scan.h"

enum { FIELDS = 21 }; /* numbers behind the state, the last the resident pages */

static bool read_numbers(const char *s, int64_t n[FIELDS])
{
    for (size_t i = 0; i < FIELDS; i++)
        if (!scan_i64(&s, &n[i]))
            return false;
    return true;
}

/* Amounts that can be multiplied; what is beyond is garbage. */
static uint64_t amount(int64_t v)
{
    return v < 0 ? 0 : v < (int64_t)1 << 44 ? (uint64_t)v : (uint64_t)1 << 44;
}

static int64_t small(int64_t v)
{
    return v < -1000 || v > 1000 ? 0 : v;
}

/* The numbers are proc(5)'s fields from the fourth on. */
bool proc_about_parse(const char *text, struct proc_about *out)
{
    enum { UTIME = 10, STIME, CUTIME, CSTIME, PRIORITY, NICE, START = 18, RSS = 20 };
    struct proc_about p = {.name = ""};
    int64_t n[FIELDS];
    const char *open = strchr(text, '('), *close = strrchr(text, ')');
    if (!open || !close || close < open || close[1] != ' ' || !isalpha((unsigned char)close[2]) ||
        !read_numbers(close + 3, n))
        return false;
    size_t len = (size_t)(close - open - 1);
    memcpy(p.name, open + 1, len < sizeof p.name ? len : sizeof p.name - 1);
    p.state = close[2];
    p.user_ticks = amount(n[UTIME]);
    p.sys_ticks = amount(n[STIME]);
    p.child_user = amount(n[CUTIME]);
    p.child_sys = amount(n[CSTIME]);
    p.priority = small(n[PRIORITY]);
    p.nice = small(n[NICE]);
    p.start_ticks = amount(n[START]);
    p.resident_pages = amount(n[RSS]);
    *out = p;
    return true;
}

const char *proc_about_state(char state)
{
    static const struct {
        char letter;
        const char *word;
    } words[] = {{'R', "Running"}, {'S', "Sleeping"}, {'D', "Wakeme"}, {'T', "Stopped"},
                 {'t', "Stopped"}, {'Z', "Moribund"}, {'X', "Dead"},   {'I', "Idle"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].letter == state)
            return words[i].word;
    return "Unknown";
}

bool proc_about_uid(const char *text, uint32_t *uid)
{
    uint64_t v;
    if (!scan_key(text, "Uid:", &v) || v > UINT32_MAX)
        return false;
    *uid = (uint32_t)v;
    return true;
}

bool proc_about_user(const char *passwd, uint32_t uid, char *out, size_t room)
{
    uint64_t v;
    for (const char *s = passwd; s; s = scan_next(s)) {
        size_t name = strcspn(s, ":\n");
        if (s[name] != ':' || !name || name >= room)
            continue;
        const char *password = s + name + 1, *number = password + strcspn(password, ":\n");
        if (*number++ != ':' || !scan_u64(&number, &v) || v != uid)
            continue;
        memcpy(out, s, name);
        out[name] = '\0';
        return true;
    }
    return false;
}

static bool is_plain(const char *word, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)word[i] <= ' ' || word[i] == '\'')
            return false;
    return len > 0;
}

static void add_word(const char *word, size_t len, struct buf *out)
{
    bool plain = is_plain(word, len);
    if (!plain)
        buf_addc(out, '\'');
    for (size_t i = 0; i < len; i++) {
        if (word[i] == '\'')
            buf_addc(out, '\'');
        buf_addc(out, word[i]);
    }
    if (!plain)
        buf_addc(out, '\'');
}

void proc_about_args(const char *bytes, size_t len, struct buf *out)
{
    for (size_t at = 0; at < len;) {
        const char *end = memchr(bytes + at, '\0', len - at);
        size_t word = end ? (size_t)(end - bytes) - at : len - at;
        if (at)
            buf_addc(out, ' ');
        add_word(bytes + at, word, out);
        at += word + 1;
    }
}

bool proc_fdinfo_parse(const char *text, struct proc_fdinfo *out)
{
    struct proc_fdinfo d = {0};
    const char *flags = scan_after(text, "flags:");
    if (!scan_key(text, "pos:", &d.offset) || !flags)
        return false;
    d.access = (unsigned)(strtoul(flags, NULL, 8) & 3);
    scan_key(text, "ino:", &d.inode);
    *out = d;
    return true;
}
