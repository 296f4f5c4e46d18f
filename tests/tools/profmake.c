/*
 * profmake: writes a prof.PID of version 2 from a text, to standard output:
 *
 *     file little|big TYPE        first; TYPE a number of enum psprof_type
 *     set32 OFFSET VALUE          a field of the header, also set64
 *     text OFFSET WORD
 *     module PATH BIAS BUILD-ID   PATH may have blanks; BUILD-ID in hex, - none; the program first
 *     thread TID NAME LAST
 *     call LEVEL MODULE PC COUNT TIME [TIMED]   below the last call of the level before; 0
 * outermost. MODULE by its order, 0 none; PC hex; TIME in ns, negative: open thread32 OFFSET VALUE
 * a field of the last thread, also thread64 node32 OFFSET VALUE         a field of the last call
 *     deep N MODULE PC TIME       a call within a call, N times, each TIME less than its caller's
 *     wide N MODULE PC TIME       N threads' worth of callees below the last outermost call, 16
 * bytes of code apart cut BYTES                   so many bytes are left off at the end
 */
#include "../lib/profmake.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 256, MODULES = 64 };

struct making {
    struct profmake file;
    uint32_t at[LEVELS]; /* at[0] the root, at[level + 1] the last call of a level */
    uint32_t module[MODULES];
    uint32_t modules, thread, node;
    size_t cut;
};

static void add_module(struct making *m, const char *path, uint64_t bias, const char *hex)
{
    uint8_t id[20];
    unsigned byte;
    uint8_t n = 0;
    for (; *hex != '-' && hex[0] && hex[1] && n < 20; hex += 2, n++) {
        sscanf(hex, "%2x", &byte);
        id[n] = (uint8_t)byte;
    }
    m->module[++m->modules] = profmake_module(&m->file, path, bias, id, n);
}

static void add_call(struct making *m, const char *line)
{
    unsigned level, module;
    uint64_t pc, count, timed;
    int64_t time;
    int n = sscanf(line, "call %u %u %" SCNx64 " %" SCNu64 " %" SCNd64 " %" SCNu64, &level, &module,
                   &pc, &count, &time, &timed);
    if (n < 5 || level + 1 >= LEVELS || module >= MODULES)
        return;
    m->node = m->at[level + 1] =
        profmake_node(&m->file, m->at[level], m->module[module], pc, count, time);
    if (n == 6)
        PROFMAKE32(&m->file, profmake_slot(&m->file, m->node), psprof_node, timed, timed);
}

static void add_many(struct making *m, const char *line, bool deep)
{
    uint32_t n, module, caller = m->at[deep ? 0 : 1];
    uint64_t pc;
    int64_t time;
    if (sscanf(line, "%*s %" SCNu32 " %" SCNu32 " %" SCNx64 " %" SCNd64, &n, &module, &pc, &time) !=
        4)
        return;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t made =
            profmake_node(&m->file, caller, m->module[module % MODULES], deep ? pc : pc + 16 * i, 1,
                          deep ? time * (int64_t)(n - i) : time);
        if (deep)
            caller = made;
    }
}

/* Slots follow each other, so the caller of the i-th is known. */
static void add_bushy(struct making *m, const char *line)
{
    uint32_t n, module, first = 0;
    uint64_t pc;
    int64_t time;
    if (sscanf(line, "%*s %" SCNu32 " %" SCNu32 " %" SCNx64 " %" SCNd64, &n, &module, &pc, &time) !=
        4)
        return;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t caller = i ? first + (i - 1) / 4 : m->at[0];
        uint32_t made = profmake_node(&m->file, caller, m->module[module % MODULES],
                                      pc + 16 * (i % 1000), 1, i ? time * (n - i) / i : time * n);
        first = i ? first : made;
    }
}

static void set(struct making *m, uint8_t *at, bool wide, unsigned offset, int64_t value)
{
    if (wide)
        profmake_put64(&m->file, at + offset, (uint64_t)value);
    else
        profmake_put32(&m->file, at + offset, (uint32_t)value);
}

static void take_field(struct making *m, const char *word, unsigned offset, int64_t value)
{
    bool wide = strstr(word, "64") != NULL;
    uint8_t *at = strncmp(word, "set", 3) == 0      ? m->file.bytes
                  : strncmp(word, "thread", 6) == 0 ? profmake_slot(&m->file, m->thread)
                                                    : profmake_slot(&m->file, m->node);
    set(m, at, wide, offset, value);
}

/* Cuts off the last word of a line: NULL when it has no other. */
static char *last_word(char *line)
{
    char *at = strrchr(line, ' ');
    if (at)
        *at++ = '\0';
    return at;
}

static bool take_module(struct making *m, const char *line)
{
    char path[640];
    if (strncmp(line, "module ", 7) != 0)
        return false;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(line + 7, "\n"), line + 7);
    const char *hex = last_word(path), *bias = last_word(path);
    if (hex && bias)
        add_module(m, path, strtoull(bias, NULL, 16), hex);
    return hex && bias;
}

static void take(struct making *m, const char *line)
{
    char word[16] = "", name[96] = "";
    unsigned number, type;
    uint64_t last;
    int64_t value;
    if (sscanf(line, "file %15s %u", word, &type) == 2)
        profmake_start(&m->file, strcmp(word, "big") == 0, type);
    else if (take_module(m, line))
        ;
    else if (strncmp(line, "thread ", 7) == 0 &&
             sscanf(line, "thread %u %15s %" SCNu64, &number, word, &last) == 3)
        m->at[0] =
            profmake_root(&m->file, m->thread = profmake_thread(&m->file, number, word, last));
    else if (strncmp(line, "call ", 5) == 0)
        add_call(m, line);
    else if (strncmp(line, "deep ", 5) == 0 || strncmp(line, "wide ", 5) == 0)
        add_many(m, line, line[0] == 'd');
    else if (strncmp(line, "bushy ", 6) == 0)
        add_bushy(m, line);
    else if (sscanf(line, "cut %zu", &m->cut) == 1)
        ;
    else if (sscanf(line, "text %u %95s", &number, name) == 2)
        strcpy((char *)m->file.bytes + number, name);
    else if (sscanf(line, "%15s %u %" SCNd64, word, &number, &value) == 3)
        take_field(m, word, number, value);
    else if (line[0] != '\n' && line[0] != '#')
        fprintf(stderr, "profmake: %s", line);
}

int main(void)
{
    static struct making m;
    char line[1024];
    while (fgets(line, sizeof line, stdin))
        take(&m, line);
    if (!m.file.bytes)
        return 1;
    fwrite(m.file.bytes, 1, profmake_len(&m.file) - m.cut, stdout);
    free(m.file.bytes);
    return ferror(stdout) != 0;
}
