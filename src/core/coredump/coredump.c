#include "core/coredump/coredump.h"

#include "core/base/grow.h"
#include "core/base/search.h"
#include "core/base/sort.h"
#include "parts.h"

#include <errno.h>
#include <stdlib.h>

/* --- the head --- */

enum { ET_CORE = 4, PT_LOAD = 1, PT_NOTE = 4, PF_X = 1, MANY_SEGMENTS = 0xffff };

/* Where the fields of both classes are. */
struct layout {
    size_t head, table_at, sections_at, entry_size_at, entries_at; /* of the file */
    size_t section, many_at; /* the first section says how many segments, when they are many */
    size_t entry, flags_at, offset_at, start_at, bytes_at, memory_at; /* of a segment */
};
static const struct layout layouts[2] = {
    {52, 28, 32, 42, 44, 40, 28, 32, 24, 4, 8, 16, 20},
    {64, 32, 40, 54, 56, 64, 44, 56, 4, 8, 16, 32, 40},
};

static const struct {
    const char *magic, *program;
} packed[] = {{"\x28\xb5\x2f\xfd", "zstd -d"},
              {"\x1f\x8b", "gzip -d"},
              {"\xfd"
               "7zXZ",
               "xz -d"},
              {"\x04\x22\x4d\x18", "lz4 -d"}};

static int refuse_other(const uint8_t *image, size_t len, struct fail *f)
{
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++) {
        size_t magic = strlen(packed[i].magic);
        if (len < magic || memcmp(image, packed[i].magic, magic) != 0)
            continue;
        fail_set(f, ENOEXEC, "the file is compressed");
        fail_hint(f, "run `%s' first; `coredumpctl dump -o FILE' writes a core file of systemd's",
                  packed[i].program);
        return -ENOEXEC;
    }
    return fail_set(f, ENOEXEC, "not a core file");
}

static int read_head(struct coredump *c, struct fail *f)
{
    const uint8_t *head = c->image;
    if (c->len < layouts[0].head || memcmp(head, "\177ELF", 4) != 0 || head[4] < 1 || head[4] > 2 ||
        head[5] < 1 || head[5] > 2 || c->len < layouts[head[4] - 1].head)
        return refuse_other(c->image, c->len, f);
    c->wide = head[4] == 2;
    c->big_endian = head[5] == 2;
    c->machine = get_u16(head + 18, c->big_endian);
    if (get_u16(head + 16, c->big_endian) == ET_CORE)
        return 0;
    fail_set(f, ENOEXEC, "a program or library, not a core file");
    fail_hint(f, "look up addresses of a program by `psuite sym PROGRAM ADDRESS'");
    return -ENOEXEC;
}

bool coredump_is(const uint8_t *image, size_t len)
{
    struct coredump c = {.image = image, .len = len};
    return read_head(&c, NULL) == 0;
}

static uint64_t count_segments(const struct coredump *c, const struct layout *l)
{
    uint64_t count = get_u16(c->image + l->entries_at, c->big_endian);
    const uint8_t *section =
        coredump_bytes(c, coredump_word(c, c->image + l->sections_at), l->section);
    if (count == MANY_SEGMENTS && section)
        count = get_u32(section + l->many_at, c->big_endian);
    return count;
}

/* --- segments --- */

static uint64_t within(uint64_t n, uint64_t most)
{
    return n < most ? n : most;
}

static void note_missing(struct coredump *c, uint64_t offset, uint64_t bytes)
{
    uint64_t end = offset + within(bytes, UINT64_MAX - offset);
    if (bytes && end > c->len && end - c->len > c->missing_bytes)
        c->missing_bytes = end - c->len;
}

static int add_segment(struct coredump *c, const struct layout *l, const uint8_t *at)
{
    uint64_t offset = coredump_word(c, at + l->offset_at);
    uint64_t bytes = coredump_word(c, at + l->bytes_at);
    uint64_t start = coredump_word(c, at + l->start_at);
    uint64_t memory = within(coredump_word(c, at + l->memory_at), UINT64_MAX - start);
    bytes = within(bytes, memory);
    note_missing(c, offset, bytes);
    if (!memory)
        return 0;
    struct coredump_segment segment = {
        .start = start,
        .end = start + memory,
        .offset = offset,
        .bytes = offset < c->len ? within(bytes, c->len - offset) : 0,
        .executable = get_u32(at + l->flags_at, c->big_endian) & PF_X,
    };
    return GROW_ADD(c->segment, c->segment_cap, c->segments, segment) ? 0 : -ENOMEM;
}

static int read_entry(struct coredump *c, const struct layout *l, const uint8_t *at)
{
    uint32_t type = get_u32(at, c->big_endian);
    if (type == PT_LOAD)
        return add_segment(c, l, at);
    return type == PT_NOTE ? coredump_notes(c, coredump_word(c, at + l->offset_at),
                                            coredump_word(c, at + l->bytes_at))
                           : 0;
}

static int read_entries(struct coredump *c, struct fail *f)
{
    const struct layout *l = &layouts[c->wide];
    uint64_t count = count_segments(c, l), at = coredump_word(c, c->image + l->table_at);
    size_t each = get_u16(c->image + l->entry_size_at, c->big_endian);
    int r = 0;
    if (each < l->entry)
        return fail_set(f, ENOEXEC, "its program headers are damaged");
    for (uint64_t i = 0; r == 0 && i < count; i++, at += each) {
        const uint8_t *entry = coredump_bytes(c, at, l->entry);
        if (!entry || i == COREDUMP_SEGMENTS_MOST) {
            c->left_out += (size_t)(count - i);
            break;
        }
        r = read_entry(c, l, entry);
    }
    return r < 0 ? fail_set(f, -r, "core file") : 0;
}

/* --- order: of what overlaps the first stays --- */

#define COMPARE_STARTS(type)                                                                       \
    const type *x = a, *y = b;                                                                     \
    return x->start < y->start ? -1 : x->start > y->start

static int compare_segments(const void *a, const void *b)
{
    COMPARE_STARTS(struct coredump_segment);
}

static int compare_files(const void *a, const void *b)
{
    COMPARE_STARTS(struct coredump_file);
}

#define DROP_OVERLAPS(c, record, count)                                                            \
    do {                                                                                           \
        size_t kept = 0;                                                                           \
        for (size_t i = 0; i < (count); i++)                                                       \
            if (!kept || (record)[i].start >= (record)[kept - 1].end)                              \
                (record)[kept++] = (record)[i];                                                    \
        (c)->left_out += (count)-kept;                                                             \
        (count) = kept;                                                                            \
    } while (0)

static void put_in_order(struct coredump *c)
{
    sort_array(c->segment, c->segments, sizeof *c->segment, compare_segments);
    sort_array(c->file, c->files, sizeof *c->file, compare_files);
    DROP_OVERLAPS(c, c->segment, c->segments);
    DROP_OVERLAPS(c, c->file, c->files);
}

int coredump_open(const uint8_t *image, size_t len, struct coredump *out, struct fail *f)
{
    *out = (struct coredump){.image = image, .len = len};
    int r = read_head(out, f);
    if (r == 0)
        r = read_entries(out, f);
    if (r < 0)
        return r;
    put_in_order(out);
    coredump_first_thread(out);
    return 0;
}

void coredump_release(struct coredump *c)
{
    free(c->segment);
    free(c->file);
    free(c->thread);
    *c = (struct coredump){0};
}

const uint8_t *coredump_memory(const struct coredump *c, uint64_t address, uint64_t *avail)
{
    size_t i = FIRST_ABOVE(c->segment, c->segments, end, address);
    if (i == c->segments || address < c->segment[i].start)
        return NULL;
    const struct coredump_segment *s = &c->segment[i];
    uint64_t in = address - s->start;
    if (in >= s->bytes)
        return NULL;
    *avail = s->bytes - in;
    return c->image + s->offset + in;
}

/* --- code --- */

/* The first byte of the file that is mapped at a place: in one of the mappings just before. */
static uint64_t find_base(const struct coredump *c, size_t file)
{
    enum { MOST_BEFORE = 16 };
    const char *path = c->file[file].path;
    for (size_t i = file, n = 0; n < MOST_BEFORE; i--, n++) {
        if (strcmp(c->file[i].path, path) != 0)
            return 0;
        if (!c->file[i].file_offset)
            return c->file[i].start;
        if (!i)
            return 0;
    }
    return 0;
}

static void describe_file(const struct coredump *c, size_t file, struct coredump_code *out)
{
    const struct coredump_file *f = &c->file[file];
    out->file_offset = f->file_offset + (out->start - f->start);
    out->path = f->path;
    out->base = find_base(c, file);
}

static void describe_memory(const struct coredump *c, const struct coredump_segment *s,
                            struct coredump_code *out)
{
    bool vdso = c->vdso && c->vdso >= s->start && c->vdso < s->end;
    out->file_offset = out->start - s->start;
    out->path = vdso ? "[vdso]" : "";
    out->base = vdso ? s->start : 0;
}

/* Where the mapping that starts or ends next after a place is: of records by their starts, from
 * *next on, which is moved past those that end before. */
#define NEXT_EDGE(record, count, next, place, inside, edge)                                        \
    do {                                                                                           \
        while (*(next) < (count) && (record)[*(next)].end <= (place))                              \
            ++*(next);                                                                             \
        bool more_ = *(next) < (count);                                                            \
        *(inside) = more_ && (record)[*(next)].start <= (place);                                   \
        *(edge) = !more_      ? UINT64_MAX                                                         \
                  : *(inside) ? (record)[*(next)].end                                              \
                              : (record)[*(next)].start;                                           \
    } while (0)

/* The kernel writes a segment for each mapping, gcore only for those that it writes: a file mapped
 * where there is none may be code. */
bool coredump_next_code(const struct coredump *c, struct coredump_cursor *at,
                        struct coredump_code *out)
{
    for (uint64_t start = at->at;; start = at->at) {
        bool in_segment, in_file;
        uint64_t segment_edge, file_edge;
        NEXT_EDGE(c->segment, c->segments, &at->segment, start, &in_segment, &segment_edge);
        NEXT_EDGE(c->file, c->files, &at->file, start, &in_file, &file_edge);
        at->at = within(segment_edge, file_edge);
        *out = (struct coredump_code){.start = start, .end = at->at};
        if (at->segment == c->segments && at->file == c->files)
            return false;
        if (in_file && (!in_segment || c->segment[at->segment].executable)) {
            describe_file(c, at->file, out);
            return true;
        }
        if (in_segment && c->segment[at->segment].executable) {
            describe_memory(c, &c->segment[at->segment], out);
            return true;
        }
    }
}
