#include "core/base/bytes.h"
#include "perfdata_parts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The header: magic, its own size, the size of an entry of the table of events, three sections
 * (events, records, one that is no more used), 256 bits that name the features. A stream's ends
 * behind its size. */
enum {
    MAGIC_BYTES = 8,
    STREAM_HEADER_BYTES = 16,
    AT_HEADER_SIZE = 8,
    AT_ENTRY_SIZE = 16,
    AT_EVENTS = 24,
    AT_RECORDS = 40,
    AT_FEATURES = 72,
    FEATURES = 256,
    HEADER_BYTES = AT_FEATURES + FEATURES / 8,
    SECTION_BYTES = 16, /* offset in the file, size */
};

struct section {
    uint64_t at, len;
};

static struct section section_at(const uint8_t *p)
{
    return (struct section){get_le64(p), get_le64(p + 8)};
}

static bool is_inside(const struct perfdata *pd, struct section s)
{
    return s.at <= pd->len && s.len <= pd->len - s.at;
}

static struct cursor bytes_of(const struct perfdata *pd, struct section s)
{
    return cursor_of(pd->bytes + s.at, (size_t)s.len);
}

void perfdata_warn(struct perfdata *pd, const char *fmt, ...)
{
    va_list args;
    if (pd->warning[0])
        return;
    va_start(args, fmt);
    vsnprintf(pd->warning, sizeof pd->warning, fmt, args);
    va_end(args);
}

static int not_perf(struct fail *f, const char *reason)
{
    return fail_set(f, 0, "%s", reason);
}

static int check_magic(const uint8_t *bytes, size_t len, struct fail *f)
{
    if (len < STREAM_HEADER_BYTES)
        return not_perf(f, "too short to be perf.data");
    if (memcmp(bytes, "PERFILE2", MAGIC_BYTES) == 0)
        return 0;
    if (memcmp(bytes, "2ELIFREP", MAGIC_BYTES) == 0) {
        fail_set(f, 0, "perf.data of a big-endian machine is not supported");
        fail_hint(f, "read it with perf on that machine");
        return -ENOTSUP;
    }
    if (memcmp(bytes, "PERFFILE", MAGIC_BYTES) == 0) {
        fail_set(f, 0, "perf.data of a perf before Linux 2.6.36 is not supported");
        return -ENOTSUP;
    }
    return not_perf(f, "not perf.data");
}

/* --- the file's tables --- */

static int event_entry(struct perfdata *pd, struct cursor entry)
{
    struct section ids = section_at(entry.end - SECTION_BYTES);
    entry.end -= SECTION_BYTES;
    int err = perfdata_add_event(pd, &entry);
    if (err)
        return err;
    if (!is_inside(pd, ids))
        return -EINVAL;
    struct cursor b = bytes_of(pd, ids);
    return perfdata_add_ids(pd, pd->events - 1, &b);
}

static int read_events(struct perfdata *pd, struct fail *f)
{
    struct section table = section_at(pd->bytes + AT_EVENTS);
    uint64_t each = get_le64(pd->bytes + AT_ENTRY_SIZE);
    if (!is_inside(pd, table) || each < SECTION_BYTES || each > table.len)
        return not_perf(f, "perf.data without a table of events");
    struct cursor b = bytes_of(pd, table);
    const uint8_t *entry;
    while ((size_t)(b.end - b.at) >= each && (entry = cursor_bytes(&b, (size_t)each))) {
        int err = event_entry(pd, cursor_of(entry, (size_t)each));
        if (err == -ENOMEM)
            return fail_set(f, ENOMEM, "perf.data's events");
        if (err)
            return not_perf(f, "perf.data with a damaged table of events");
    }
    return 0;
}

/* perf fills in the size of the records last. What was cut off has the size it should have. */
static int find_records(struct perfdata *pd, struct fail *f)
{
    struct section s = section_at(pd->bytes + AT_RECORDS);
    if (s.at > pd->len)
        return not_perf(f, "perf.data cut off before its records");
    size_t there = pd->len - (size_t)s.at;
    pd->facts.finished = s.len != 0;
    pd->records = (size_t)s.at;
    pd->records_end = s.len && s.len <= there ? (size_t)(s.at + s.len) : pd->len;
    if (s.len == 0 && there)
        perfdata_warn(pd, "the recording was not finished: perf was killed");
    else if (s.len > there)
        perfdata_warn(pd, "cut off: it has %zu of %llu bytes of records", there,
                      (unsigned long long)s.len);
    return 0;
}

/* Behind the records a table has the sections of those features whose bit is set. */
static int read_features(struct perfdata *pd)
{
    struct cursor table = cursor_of(pd->bytes + pd->records_end, pd->len - pd->records_end);
    int err = 0;
    if (get_le64(pd->bytes + AT_HEADER_SIZE) < HEADER_BYTES) /* before there were any */
        return 0;
    for (unsigned i = 0; i < FEATURES && !err; i++) {
        if (!(pd->bytes[AT_FEATURES + i / 8] & 1 << i % 8))
            continue;
        const uint8_t *entry = cursor_bytes(&table, SECTION_BYTES);
        if (!entry)
            break;
        struct section s = section_at(entry);
        if (is_inside(pd, s))
            err = perfdata_feature(pd, i, bytes_of(pd, s));
    }
    return err;
}

static int open_file(struct perfdata *pd, struct fail *f)
{
    if (pd->len < HEADER_BYTES)
        return not_perf(f, "perf.data cut off in its header");
    int err = read_events(pd, f);
    if (!err)
        err = find_records(pd, f);
    if (!err && pd->facts.finished && read_features(pd))
        return fail_set(f, ENOMEM, "perf.data's features");
    return err;
}

static void open_stream(struct perfdata *pd)
{
    pd->facts.stream = pd->facts.finished = true;
    pd->records = STREAM_HEADER_BYTES;
    pd->records_end = pd->len;
}

/* Where a table is missing, as in a stream and in a file of `perf record -B`, what it would have
 * may stand among the records. */
static bool needs_survey(const struct perfdata *pd)
{
    return pd->facts.stream || !pd->names_events || !pd->names_builds;
}

static int open_parts(struct perfdata *pd, struct fail *f)
{
    int err = 0;
    if (get_le64(pd->bytes + AT_HEADER_SIZE) == STREAM_HEADER_BYTES)
        open_stream(pd);
    else
        err = open_file(pd, f);
    if (err)
        return err;
    pd->facts.record_bytes = pd->records_end - pd->records;
    if ((needs_survey(pd) && perfdata_survey(pd)) || perfdata_finish_events(pd))
        return fail_set(f, ENOMEM, "perf.data's events");
    return pd->events ? 0 : not_perf(f, "perf.data without events");
}

int perfdata_open(const void *bytes, size_t len, const struct perfdata_release *release,
                  struct perfdata **out, struct fail *f)
{
    int err = check_magic(bytes, len, f);
    if (err)
        return err;
    struct perfdata *pd = calloc(1, sizeof *pd);
    if (!pd)
        return fail_set(f, ENOMEM, "perf.data");
    pd->bytes = bytes;
    pd->len = len;
    if (release)
        pd->window.release = *release;
    pd->facts = (struct perfdata_facts){
        .host = "", .os_release = "", .perf_version = "", .machine = "", .cpu = "", .command = ""};
    err = open_parts(pd, f);
    if (err)
        perfdata_free(pd);
    else
        *out = pd;
    return err;
}

void perfdata_free(struct perfdata *pd)
{
    if (!pd)
        return;
    free(pd->event);
    free(pd->layouts);
    free(pd->build_id);
    imap_release(&pd->of_id);
    buf_release(&pd->command);
    buf_release(&pd->names);
    free(pd);
}

/* --- what was read --- */

size_t perfdata_events(const struct perfdata *pd)
{
    return pd->events;
}

const struct perfdata_event *perfdata_event(const struct perfdata *pd, size_t i)
{
    return i < pd->events ? &pd->event[i] : NULL;
}

size_t perfdata_build_ids(const struct perfdata *pd)
{
    return pd->build_ids;
}

const struct perfdata_build_id *perfdata_build_id(const struct perfdata *pd, size_t i)
{
    return i < pd->build_ids ? &pd->build_id[i] : NULL;
}

const struct perfdata_facts *perfdata_facts(const struct perfdata *pd)
{
    return &pd->facts;
}

const struct perfdata_counts *perfdata_counts(const struct perfdata *pd)
{
    return &pd->counts;
}

const char *perfdata_warning(const struct perfdata *pd)
{
    return pd->warning[0] ? pd->warning : NULL;
}
