/* pprof's profile.proto (github.com/google/pprof/proto), gzipped. Addresses are link-time, so each
 * mapping spans all addresses: for pprof that says that nothing is to be taken off them.
 * Identifiers are our indices + 1. What has no frame at all is in the function "(unknown)", behind
 * the others. */
#include "write.h"

#include "core/base/buf.h"
#include "core/base/gzip.h"
#include "core/base/proto.h"
#include "core/containers/intern.h"
#include "pprof_sites.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING_TABLE = 6,
    PROFILE_TIME_NANOS = 9,
    PROFILE_DURATION_NANOS = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_SAMPLE_TYPE = 14,

    TYPE_TYPE = 1,
    TYPE_UNIT = 2,

    SAMPLE_LOCATION = 1,
    SAMPLE_VALUE = 2,
    SAMPLE_LABEL = 3,

    LABEL_KEY = 1,
    LABEL_STR = 2,
    LABEL_NUM = 3,

    MAPPING_ID = 1,
    MAPPING_LIMIT = 3,
    MAPPING_FILENAME = 5,
    MAPPING_BUILD_ID = 6,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILENAMES = 8,
    MAPPING_HAS_LINES = 9,
    MAPPING_HAS_INLINES = 10,

    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4,

    LINE_FUNCTION = 1,
    LINE_LINE = 2,

    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILENAME = 4,

    FLUSH_BYTES = 65536, /* bytes that are gathered before they are compressed */
};

struct pprof {
    const struct stacks *s;
    struct intern strings;
    struct pprof_sites sites;
    struct buf out, message, part; /* the profile, a message of it, a message or list of that */
    struct gzip *gzip;
    int err;
};

static uint64_t clamp_to_int64(uint64_t v)
{
    return v > INT64_MAX ? INT64_MAX : v;
}

static void add_text(struct pprof *p, struct buf *out, unsigned field, const char *text)
{
    proto_number(out, field, intern_string(&p->strings, text));
}

/* Ends a message of the profile. */
static void end_message(struct pprof *p, unsigned field)
{
    proto_message(&p->out, field, &p->message);
    if (p->out.len < FLUSH_BYTES)
        return;
    if (gzip_add(p->gzip, p->out.data, p->out.len) < 0)
        p->err = -ENOMEM;
    buf_clear(&p->out);
}

static void add_type(struct pprof *p, unsigned field, const struct stacks_value *v)
{
    add_text(p, &p->message, TYPE_TYPE, v->name);
    add_text(p, &p->message, TYPE_UNIT, v->unit);
    end_message(p, field);
}

static void add_comment(struct pprof *p, const char *key, const char *text)
{
    SCOPED_BUF line = BUF_INIT;
    buf_printf(&line, "%s: %s", key, text);
    proto_varint(&p->part, intern_string(&p->strings, buf_str(&line)));
    if (buf_error(&line))
        p->err = buf_error(&line);
}

static void add_comments(struct pprof *p)
{
    char lost[24];
    add_comment(p, "applet", p->s->origin.applet);
    add_comment(p, "method", p->s->origin.method);
    snprintf(lost, sizeof lost, "%" PRIu64, p->s->origin.lost);
    add_comment(p, "lost samples", lost);
    proto_message(&p->out, PROFILE_COMMENT, &p->part);
}

static void add_head(struct pprof *p)
{
    const struct stacks *s = p->s;
    for (size_t v = 0; v < s->values; v++)
        add_type(p, PROFILE_SAMPLE_TYPE, &s->value[v]);
    proto_number(&p->out, PROFILE_TIME_NANOS, clamp_to_int64(s->origin.start_ns));
    proto_number(&p->out, PROFILE_DURATION_NANOS, clamp_to_int64(s->origin.duration_ns));
    if (s->origin.period) {
        add_type(p, PROFILE_PERIOD_TYPE, &s->value[s->origin.period_value]);
        proto_number(&p->out, PROFILE_PERIOD, clamp_to_int64(s->origin.period));
    }
    add_comments(p);
    add_text(p, &p->out, PROFILE_DEFAULT_SAMPLE_TYPE, s->value[write_weight(s)].name);
}

/* --- mappings --- */

struct known {
    bool files, lines, inlines;
};

static struct known *find_known(const struct stacks *s)
{
    struct known *known = calloc(s->modules + 1, sizeof *known);
    for (size_t i = 0; known && i < s->frames; i++) {
        const struct stacks_frame *f = &s->frame[i];
        const struct stacks_function *of = &s->function[f->function];
        struct known *k = &known[of->module == STACKS_NONE ? s->modules : of->module];
        k->files |= of->file[0] != '\0';
        k->lines |= f->line != 0;
        k->inlines |= f->inlined;
    }
    return known;
}

static void add_mappings(struct pprof *p)
{
    SCOPED_FREE struct known *known = find_known(p->s);
    for (size_t i = 0; known && i < p->s->modules; i++) {
        struct buf *m = &p->message;
        proto_number(m, MAPPING_ID, i + 1);
        proto_number(m, MAPPING_LIMIT, UINT64_MAX);
        add_text(p, m, MAPPING_FILENAME, p->s->module[i].path);
        add_text(p, m, MAPPING_BUILD_ID, p->s->module[i].build_id);
        proto_number(m, MAPPING_HAS_FUNCTIONS, true);
        proto_number(m, MAPPING_HAS_FILENAMES, known[i].files);
        proto_number(m, MAPPING_HAS_LINES, known[i].lines);
        proto_number(m, MAPPING_HAS_INLINES, known[i].inlines);
        end_message(p, PROFILE_MAPPING);
    }
    if (!known)
        p->err = -ENOMEM;
}

/* --- functions and locations --- */

static void add_function(struct pprof *p, uint64_t id, const char *name, const char *raw,
                         const char *file)
{
    proto_number(&p->message, FUNCTION_ID, id);
    add_text(p, &p->message, FUNCTION_NAME, name);
    add_text(p, &p->message, FUNCTION_SYSTEM_NAME, raw);
    add_text(p, &p->message, FUNCTION_FILENAME, file);
    end_message(p, PROFILE_FUNCTION);
}

static void add_line(struct pprof *p, uint64_t function_id, uint32_t line)
{
    proto_number(&p->part, LINE_FUNCTION, function_id);
    proto_number(&p->part, LINE_LINE, line);
    proto_message(&p->message, LOCATION_LINE, &p->part);
}

/* Innermost function first, as pprof requires for inlined ones. */
static void add_location(struct pprof *p, uint32_t site)
{
    const struct stacks *s = p->s;
    const struct stacks_frame *f = NULL;
    uint64_t address = s->frame[pprof_site(&p->sites, site)->frame].address;
    proto_number(&p->message, LOCATION_ID, (uint64_t)site + 1);
    proto_number(&p->message, LOCATION_ADDRESS, address);
    for (uint32_t i = site; i != STACKS_NONE; i = pprof_site(&p->sites, i)->outer) {
        f = &s->frame[pprof_site(&p->sites, i)->frame];
        add_line(p, (uint64_t)f->function + 1, f->line);
    }
    if (s->function[f->function].module != STACKS_NONE)
        proto_number(&p->message, LOCATION_MAPPING, (uint64_t)s->function[f->function].module + 1);
    end_message(p, PROFILE_LOCATION);
}

static void add_places(struct pprof *p)
{
    const struct stacks *s = p->s;
    for (size_t i = 0; i < s->functions; i++)
        add_function(p, i + 1, s->function[i].name, s->function[i].raw, s->function[i].file);
    for (uint32_t i = 0; i < p->sites.sites.count; i++)
        if (p->sites.ends[i])
            add_location(p, i);
}

/* The place of what has no frame. */
static void add_unknown(struct pprof *p)
{
    add_function(p, p->s->functions + 1, WRITE_UNKNOWN, WRITE_UNKNOWN, "");
    proto_number(&p->message, LOCATION_ID, p->sites.sites.count + 1);
    add_line(p, p->s->functions + 1, 0);
    end_message(p, PROFILE_LOCATION);
}

/* --- samples --- */

static void add_locations(struct pprof *p, uint32_t node)
{
    if (node == STACKS_NONE)
        proto_varint(&p->part, p->sites.sites.count + 1);
    for (uint32_t n = node; n != STACKS_NONE; n = pprof_caller(p->s, n))
        proto_varint(&p->part, (uint64_t)p->sites.of_node[n] + 1);
    proto_message(&p->message, SAMPLE_LOCATION, &p->part);
}

static void add_label(struct pprof *p, const char *key, const char *text, uint64_t number)
{
    add_text(p, &p->part, LABEL_KEY, key);
    if (text)
        add_text(p, &p->part, LABEL_STR, text);
    proto_number(&p->part, LABEL_NUM, number);
    proto_message(&p->message, SAMPLE_LABEL, &p->part);
}

static void add_sample(struct pprof *p, const struct write_sum *a)
{
    const struct stacks *s = p->s;
    add_locations(p, a->node);
    for (size_t v = 0; v < s->values; v++)
        proto_varint(&p->part, clamp_to_int64(a->amount[v]));
    proto_message(&p->message, SAMPLE_VALUE, &p->part);
    if (a->thread != STACKS_NONE && s->origin.group) {
        add_label(p, s->origin.group, s->thread[a->thread].name, 0);
    } else if (a->thread != STACKS_NONE) {
        add_label(p, "pid", NULL, s->thread[a->thread].pid);
        add_label(p, "tid", NULL, s->thread[a->thread].tid);
        add_label(p, "thread", s->thread[a->thread].name, 0);
    }
    end_message(p, PROFILE_SAMPLE);
}

static void add_samples(struct pprof *p)
{
    SCOPED(intern_release) struct intern sums;
    bool unknown = false;
    if (write_sums(p->s, &sums) < 0)
        p->err = -ENOMEM;
    for (size_t i = 0; i < sums.count; i++) {
        unknown |= write_sum(&sums, i)->node == STACKS_NONE;
        add_sample(p, write_sum(&sums, i));
    }
    if (unknown)
        add_unknown(p);
}

/* Last, when all are known. */
static void add_strings(struct pprof *p)
{
    for (size_t i = 0; i < p->strings.count; i++) {
        buf_adds(&p->message, intern_string_at(&p->strings, i));
        end_message(p, PROFILE_STRING_TABLE);
    }
}

static void add_all(struct pprof *p)
{
    intern_string(&p->strings, ""); /* is number 0 */
    add_head(p);
    add_mappings(p);
    add_places(p);
    add_samples(p);
    add_strings(p);
}

static int error_of(const struct pprof *p)
{
    return p->err ? p->err : p->strings.err ? p->strings.err : buf_error(&p->out);
}

int write_pprof(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    struct pprof p = {.s = s, .gzip = gzip_new(out)};
    int r = pprof_sites_make(&p.sites, s);
    if (r == 0 && p.gzip) {
        add_all(&p);
        r = gzip_add(p.gzip, buf_str(&p.out), p.out.len);
        if (gzip_end(p.gzip) < 0 || error_of(&p))
            r = -ENOMEM;
    } else {
        gzip_free(p.gzip);
        r = -ENOMEM;
    }
    buf_release(&p.out);
    buf_release(&p.message);
    buf_release(&p.part);
    intern_release(&p.strings);
    pprof_sites_release(&p.sites);
    return r;
}
