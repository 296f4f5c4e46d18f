#include "core/procfs/pid_status.h"

#include "core/base/buf.h"
#include "core/base/scan.h"

#include <errno.h>

enum { FIELDS = 21 }; /* numbers behind the state, the last the resident pages */

static bool read_numbers(const char *s, int64_t n[FIELDS])
{
    for (size_t i = 0; i < FIELDS; i++)
        if (!scan_i64(&s, &n[i]))
            return false;
    return true;
}

/* Amounts that can be multiplied; what is beyond is garbage. */
static uint64_t clamp_amount(int64_t v)
{
    return v < 0 ? 0 : v < (int64_t)1 << 44 ? (uint64_t)v : (uint64_t)1 << 44;
}

static int64_t clamp_small(int64_t v)
{
    return v < -1000 || v > 1000 ? 0 : v;
}

/* The numbers are proc(5)'s fields from the fourth on. */
bool pid_status_parse(const char *text, struct pid_status *out)
{
    enum { UTIME = 10, STIME, CUTIME, CSTIME, PRIORITY, NICE, START = 18, RSS = 20 };
    struct pid_status p = {.name = ""};
    int64_t n[FIELDS];
    const char *open = strchr(text, '('), *close = strrchr(text, ')');
    if (!open || !close || close < open || close[1] != ' ' || !isalpha((unsigned char)close[2]) ||
        !read_numbers(close + 3, n))
        return false;
    size_t len = (size_t)(close - open - 1);
    memcpy(p.name, open + 1, len < sizeof p.name ? len : sizeof p.name - 1);
    p.state = close[2];
    p.user_ticks = clamp_amount(n[UTIME]);
    p.sys_ticks = clamp_amount(n[STIME]);
    p.child_user = clamp_amount(n[CUTIME]);
    p.child_sys = clamp_amount(n[CSTIME]);
    p.priority = clamp_small(n[PRIORITY]);
    p.nice = clamp_small(n[NICE]);
    p.start_ticks = clamp_amount(n[START]);
    p.resident_pages = clamp_amount(n[RSS]);
    *out = p;
    return true;
}

const char *pid_status_state_name(char state)
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

bool pid_status_uid(const char *text, uint32_t *uid)
{
    uint64_t v;
    if (!scan_key(text, "Uid:", &v) || v > UINT32_MAX)
        return false;
    *uid = (uint32_t)v;
    return true;
}

bool pid_status_process(const char *text, int32_t *process, int32_t *parent)
{
    uint64_t pid, of;
    if (!scan_key(text, "Tgid:", &pid) || !scan_key(text, "PPid:", &of) || !pid ||
        pid > INT32_MAX || of > INT32_MAX)
        return false;
    *process = (int32_t)pid;
    *parent = (int32_t)of;
    return true;
}

static void keep_group(uint64_t id, uint32_t *out, size_t max, size_t *count)
{
    if (*count < max)
        out[*count] = (uint32_t)id;
    ++*count;
}

long pid_status_groups(const char *text, uint32_t *out, size_t max)
{
    const char *s = scan_after(text, "Groups:");
    size_t count = 0;
    uint64_t id;
    if (!s || !strchr(s, '\n'))
        return -EAGAIN;
    while (scan_u64(&s, &id) && id < UINT32_MAX)
        keep_group(id, out, max, &count);
    return (long)count;
}

/* --- passwd and group: lines of fields between colons --- */

/* The text after the field at s and its colon; NULL: the line ends there. */
static const char *next_field(const char *s)
{
    s += strcspn(s, ":\n");
    return *s == ':' ? s + 1 : NULL;
}

/* The text after the number in the user's line; NULL: there is no such line. */
static const char *find_user(const char *passwd, uint32_t uid, const char **rest)
{
    uint64_t v;
    for (const char *s = passwd; s; s = scan_next(s)) {
        const char *password = next_field(s);
        *rest = password ? next_field(password) : NULL;
        if (*rest && scan_u64(rest, &v) && v == uid)
            return s;
    }
    return NULL;
}

bool pid_status_user(const char *passwd, uint32_t uid, char *out, size_t cap)
{
    const char *rest, *line = find_user(passwd, uid, &rest);
    size_t name = line ? strcspn(line, ":\n") : 0;
    if (!name || name >= cap)
        return false;
    memcpy(out, line, name);
    out[name] = '\0';
    return true;
}

bool pid_status_gid(const char *passwd, uint32_t uid, uint32_t *gid)
{
    uint64_t v;
    const char *rest, *line = find_user(passwd, uid, &rest);
    const char *group = line ? next_field(rest) : NULL;
    if (!group || !scan_u64(&group, &v) || v >= UINT32_MAX)
        return false;
    *gid = (uint32_t)v;
    return true;
}

static bool has_member(const char *members, const char *user)
{
    size_t len = strlen(user);
    for (const char *s = members; len && *s && *s != '\n'; s += *s == ',') {
        size_t n = strcspn(s, ",\n");
        if (n == len && memcmp(s, user, len) == 0)
            return true;
        s += n;
    }
    return false;
}

size_t pid_status_member(const char *group, const char *user, uint32_t *out, size_t max)
{
    size_t count = 0;
    uint64_t id;
    for (const char *s = group; s; s = scan_next(s)) {
        const char *password = next_field(s), *number = password ? next_field(password) : NULL;
        const char *members = number ? next_field(number) : NULL;
        if (members && scan_u64(&number, &id) && id < UINT32_MAX && has_member(members, user))
            keep_group(id, out, max, &count);
    }
    return count;
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

void pid_status_args(const char *bytes, size_t len, struct buf *out)
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
