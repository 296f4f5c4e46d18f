#include "core/ktrace/call_format.h"

#include "core/base/line.h"
#include "core/base/text.h"
#include "value_names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { TYPE_BYTES = 64 };

/* --- names --- */

static int add_cut(const char *call, const char *end, char *to)
{
    if (!text_ends(call, end))
        return 0;
    snprintf(to, KTRACE_CALL_BYTES, "%.*s", (int)(strlen(call) - strlen(end)), call);
    return 1;
}

static const char *other_name(const char *call)
{
    static const struct {
        const char *call, *function;
    } other[] = {{"sendfile", "sendfile64"},
                 {"umount2", "umount"},
                 {"mmap2", "mmap_pgoff"},
                 {"_llseek", "llseek"},
                 {"_newselect", "select"}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (strcmp(other[i].call, call) == 0)
            return other[i].function;
    return NULL;
}

int ktrace_call_names(const char *call, char name[KTRACE_CALL_NAMES][KTRACE_CALL_BYTES])
{
    int count = 2;
    const char *other = other_name(call);
    snprintf(name[0], KTRACE_CALL_BYTES, "%s", call);
    snprintf(name[1], KTRACE_CALL_BYTES, "new%s", call);
    if (other)
        snprintf(name[count++], KTRACE_CALL_BYTES, "%s", other);
    count += add_cut(call, "32", name[count]);
    count += add_cut(call, "_time64", name[count]);
    return count;
}

/* --- types, as the kernel's source has them --- */

static bool is_one_of(const char *type, const char *const *of)
{
    for (; *of; of++)
        if (strcmp(type, *of) == 0)
            return true;
    return false;
}

static void describe_pointer(const char *type, struct ktrace_type *out)
{
    static const char *const texts[] = {"const char *", "char *", NULL};
    out->kind = is_one_of(type, texts) ? KTRACE_TEXT : KTRACE_POINTER;
}

/* All have as many bytes as a register; these are the bytes that count. */
static void describe_type(const char *type, uint8_t bytes, struct ktrace_type *out)
{
    static const char *const ints[] = {"int",     "pid_t",        "s32",   "__s32", "clockid_t",
                                       "timer_t", "key_serial_t", "mqd_t", "key_t", "rwf_t",
                                       NULL};
    static const char *const unsigneds[] = {"unsigned int", "unsigned", "u32",   "__u32", "uid_t",
                                            "gid_t",        "umode_t",  "qid_t", NULL};
    static const char *const longs[] = {"long", "off_t", "loff_t", "ssize_t", "s64", NULL};
    if (strncmp(type, "const ", 6) == 0 && !strchr(type, '*'))
        type += 6;
    *out = (struct ktrace_type){.kind = KTRACE_UNSIGNED, .bytes = bytes};
    if (strchr(type, '*'))
        describe_pointer(type, out);
    else if (is_one_of(type, ints) || is_one_of(type, longs))
        out->kind = KTRACE_SIGNED;
    if (is_one_of(type, ints) || is_one_of(type, unsigneds))
        out->bytes = 4;
}

/* --- fields: `field:TYPE NAME;', those of the arguments follow the call's number --- */

static bool read_declaration(const struct line *line, char text[TYPE_BYTES])
{
    static const char word[] = "field:";
    size_t len = line_len(*line);
    const char *at = memmem(line->at, len, word, sizeof word - 1);
    const char *stop = at ? memchr(at, ';', len - (size_t)(at - line->at)) : NULL;
    if (!stop)
        return false;
    at += sizeof word - 1;
    snprintf(text, TYPE_BYTES, "%.*s", (int)(stop - at < TYPE_BYTES ? stop - at : TYPE_BYTES - 1),
             at);
    return true;
}

/* Cuts the name off, which is kept. */
static int describe_argument(struct ktrace_signatures *s, char *text,
                             const struct trace_field *field, struct ktrace_signature *out)
{
    char *end = text + strlen(text);
    size_t len = strlen(field->name);
    if ((size_t)(end - text) <= len)
        return -EINVAL;
    end[-(ptrdiff_t)len] = '\0';
    for (end -= len; end > text && end[-1] == ' '; end--)
        end[-1] = '\0';
    struct ktrace_type *type = &out->arg[out->args++];
    describe_type(text, field->size > 8 ? 8 : (uint8_t)field->size, type);
    type->name = intern_copy(&s->names, field->name);
    return type->name ? 0 : -ENOMEM;
}

static int describe_call(struct ktrace_signatures *s, const struct trace_format *f,
                         const char *format, size_t len, struct ktrace_signature *out)
{
    struct lines rest = lines_of(format, len);
    struct line line;
    char text[TYPE_BYTES];
    size_t fields = 0;
    bool numbered = false;
    int r = 0;
    *out = (struct ktrace_signature){.known = true}; /* some return addresses */
    while (r == 0 && line_next(&rest, &line) && fields < f->fields && out->args < KTRACE_MAX_ARGS) {
        if (!read_declaration(&line, text))
            continue;
        const struct trace_field *field = &f->field[fields++];
        if (numbered)
            r = describe_argument(s, text, field, out);
        numbered =
            numbered || strcmp(field->name, "__syscall_nr") == 0 || strcmp(field->name, "nr") == 0;
    }
    return r;
}

static bool is_length(const char *name)
{
    static const char *const lengths[] = {"len", "size", "siz", "count"};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (strcmp(name, lengths[i]) == 0 || text_ends(name, lengths[i]))
            return true;
    return false;
}

/* Characters whose number follows need not end with a NUL, or are what the call fills. */
static void find_texts(struct ktrace_signature *s)
{
    for (int i = 0; i + 1 < s->args; i++)
        if (s->arg[i].kind == KTRACE_TEXT && is_length(s->arg[i + 1].name))
            s->arg[i].kind = KTRACE_POINTER;
}

int ktrace_call_learn(struct ktrace_decoder *d, struct ktrace_signatures *s, uint32_t function,
                      bool exit, const char *format, size_t len)
{
    struct trace_format f;
    struct ktrace_signature one;
    const struct trace_field *value[KTRACE_MAX_ARGS] = {NULL};
    if (function >= s->count || trace_format_read(format, len, &f) < 0)
        return -EINVAL;
    if (exit) {
        value[0] = trace_format_field(&f, "ret");
        return value[0] ? ktrace_decoder_map(d, function, true, &f, value) : -EINVAL;
    }
    int r = describe_call(s, &f, format, len, &one);
    if (r == 0)
        find_texts(&one);
    for (int i = 0; r == 0 && i < one.args; i++)
        value[i] = one.arg[i].name ? trace_format_field(&f, one.arg[i].name) : NULL;
    if (r == 0)
        r = ktrace_decoder_map(d, function, false, &f, value);
    if (r == 0) {
        s->known += !s->of[function].known;
        s->of[function] = one;
    }
    return r;
}

void ktrace_call_name_values(struct ktrace_signatures *s, uint32_t function, const char *call,
                             enum syscall_machine machine)
{
    if (function >= s->count)
        return;
    s->machine = (uint8_t)machine;
    for (unsigned i = 0; i < s->of[function].args; i++)
        s->of[function].arg[i].names = (uint8_t)value_names_of(call, i);
}
