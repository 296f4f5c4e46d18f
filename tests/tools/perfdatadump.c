/* perfdatadump FILE [-n]: the samples of a perf.data as psuite reads them, a line each:
 * `PID/TID TIME PERIOD EVENT PC: CHAIN', in order (a task that is gone is -1); FILE `-' is standard
 * input. With -n nothing but their number. Facts, events and build-ids come first, as lines that
 * begin with `#'. */
#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/perf/perfdata.h"
#include "plat/file.h"
#include "plat/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void dump_facts(const struct perfdata_facts *f)
{
    printf("# host %s\n# release %s\n# version %s\n# arch %s\n# cpu %s\n# command %s\n", f->host,
           f->os_release, f->perf_version, f->machine, f->cpu, f->command);
    printf("# cpus %" PRIu32 " of %" PRIu32 ", memory %" PRIu64 " kB\n", f->cpus_online,
           f->cpus_present, f->memory_kb);
    printf("# time %" PRIu64 " %" PRIu64 ", resolution %" PRIu64 ", wall %" PRIu64 " at %" PRIu64
           "\n",
           f->first_ns, f->last_ns, f->clock_resolution_ns, f->wall_ns, f->wall_at_ns);
    printf("# zstd %" PRIu32 ", %s, %s, %" PRIu64 " bytes\n", f->compression_level,
           f->stream ? "stream" : "file", f->finished ? "finished" : "unfinished", f->record_bytes);
}

static void dump_event(const struct perfdata_event *e)
{
    printf("# event %s type %" PRIu32 " config %" PRIx64 " %s %" PRIu64 " fields %" PRIx64
           " ids %" PRIu64 "%s%s\n",
           e->name, e->type, e->config, e->freq ? "rate" : "period", e->period_or_freq,
           e->format.fields, e->ids, e->user ? " user" : "", e->kernel ? " kernel" : "");
}

static void dump_build_id(const struct perfdata_build_id *b)
{
    printf("# build-id ");
    for (size_t i = 0; i < b->id_len; i++)
        printf("%02x", b->id[i]);
    printf(" %s\n", b->path);
}

static void take(void *arg, const struct perfdata_event *event, const struct perfrec *r)
{
    if (arg || r->type != PERFREC_SAMPLE)
        return;
    printf("%" PRId32 "/%" PRId32 " %" PRIu64 ".%09" PRIu64 " %" PRIu64 " %s %" PRIx64 ":",
           (int32_t)r->pid, (int32_t)r->tid, r->time / 1000000000, r->time % 1000000000,
           r->sample.period, event->name, r->sample.pc);
    for (size_t i = 0; i < r->sample.chain_len; i++)
        printf(" %" PRIx64, get_le64(r->sample.chain + 8 * i));
    putchar('\n');
}

static int dump(const void *bytes, size_t len, void *quiet)
{
    struct perfdata *pd;
    struct fail f;
    if (perfdata_open(bytes, len, NULL, &pd, &f) < 0) {
        fprintf(stderr, "perfdatadump: %s\n", f.what);
        return 1;
    }
    dump_facts(perfdata_facts(pd));
    for (size_t i = 0; i < perfdata_events(pd); i++)
        dump_event(perfdata_event(pd, i));
    for (size_t i = 0; i < perfdata_build_ids(pd); i++)
        dump_build_id(perfdata_build_id(pd, i));
    int err = perfdata_read(pd, take, quiet, &f);
    const struct perfdata_counts *c = perfdata_counts(pd);
    printf("# %" PRIu64 " records, %" PRIu64 " samples, lost %" PRIu64 " %" PRIu64
           ", strange %" PRIu64 ", malformed %" PRIu64 ", late %" PRIu64 "\n",
           c->records, c->samples, c->lost, c->lost_samples, c->unknown_events, c->malformed,
           c->out_of_order);
    if (err)
        fprintf(stderr, "perfdatadump: %s\n", f.what);
    else if (perfdata_warning(pd))
        printf("# warning: %s\n", perfdata_warning(pd));
    perfdata_free(pd);
    return err ? 1 : 0;
}

static int dump_stream(void *quiet)
{
    struct buf b = BUF_INIT;
    struct fail f;
    int got, status = 1;
    while ((got = input_read(&b, &f)) > 0)
        ;
    if (got == 0)
        status = dump(buf_str(&b), b.len, quiet);
    buf_release(&b);
    return status;
}

int main(int argc, char **argv)
{
    struct image image;
    struct fail f;
    void *quiet = argc > 2 ? argv : NULL;
    if (argc < 2)
        return 2;
    if (strcmp(argv[1], "-") == 0)
        return dump_stream(quiet);
    if (file_map(argv[1], SIZE_MAX, &image, &f) < 0) {
        fprintf(stderr, "perfdatadump: %s\n", f.what);
        return 1;
    }
    int status = dump(image.data, image.len, quiet);
    file_unmap(&image);
    return status;
}
