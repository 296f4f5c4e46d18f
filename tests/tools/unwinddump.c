/*
 * unwinddump [-v] [-n ROUNDS] [-s BYTES] FILE...: unwinds the stops of a file that
 * tests/tools/gdbstops.py wrote, offline, and compares each chain with gdb's. A line a file: stops,
 * those with the same chain, those whose chain is proven whole; -v shows those that differ. -n
 * unwinds all stops again so many times and says how many frames a second that was. -s gives the
 * unwinder no more than so many bytes of each stack, from the stack pointer on, as a sample of perf
 * would. A chain is proven if it is the same, whole, and without a guess; wrong if it has a frame
 * that the program's has not.
 *
 * FILE is lines and counted bytes: `maps LEN`, its text; `image NAME LEN`, an ELF file out of
 * memory; `stop`, `regs DWARF-NUMBER=HEX ...` (pc=), `stack ADDR LEN`, its bytes (of each stack
 * there is), `frame PC KIND` (normal or signal) a frame, `end`.
 */
#include "core/elf/elf.h"
#include "core/sample/maps.h"
#include "core/unwind/unwind.h"
#include "plat/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAPPINGS = 1024, FRAMES = 16384 };

struct module {
    char path[256];
    struct image image;
    struct elf_module *elf;
    struct cfi *cfi;
};

struct mapping {
    uint64_t start, end, bias, file_offset;
    struct module *module;
};

struct chain {
    uint64_t pc[FRAMES];
    bool signal[FRAMES];
    size_t frames;
};

static struct module modules[256];
static size_t module_count;
static struct mapping mapping[MAPPINGS];
static size_t mappings;
static struct unwind_slice stack[4];
static size_t stacks;
static struct unwind_regs regs;
static enum unwind_machine machine = UNWIND_X86_64;
static struct chain want;
static struct unwind_frame got[FRAMES];
static bool verbose;
static long rounds, slice_bytes;
static size_t stops, same, whole, inside, frames, guessed, want_frames;
static size_t proven,
    wrong; /* chains: the same, whole, without a guess; with a frame that is not there */
static size_t ends[UNWIND_ENDS];
static double seconds;
static uint64_t timed_frames;

static void die(const char *what)
{
    fprintf(stderr, "unwinddump: %s\n", what);
    exit(1);
}

static struct module *module_known(const char *path)
{
    for (size_t i = 0; i < module_count; i++)
        if (strcmp(modules[i].path, path) == 0)
            return &modules[i];
    return NULL;
}

static struct module *module_of(const char *path, struct image image)
{
    struct module *m = &modules[module_count++];
    struct fail f;
    if (module_count == sizeof modules / sizeof modules[0])
        die("too many modules");
    snprintf(m->path, sizeof m->path, "%s", path);
    m->image = image;
    if (elf_open(image.data, image.len, &m->elf, &f) < 0 ||
        cfi_new(&(struct cfi_image){image.data, image.len, NULL}, NULL, &m->cfi, &f) < 0)
        fprintf(stderr, "unwinddump: %s: %s\n", path, f.what);
    else
        unwind_machine_of(elf_machine(m->elf), &machine);
    return m;
}

static struct module *module_at(const char *path)
{
    struct image image;
    struct module *m = module_known(path);
    if (m || path[0] != '/' || file_map(path, SIZE_MAX, &image, NULL) < 0)
        return m;
    return module_of(path, image);
}

static void add_mapping(const struct maps_line *l)
{
    uint64_t vaddr = 0;
    if (!l->executable || mappings == MAPPINGS)
        return;
    struct mapping m = {l->start, l->end, 0, l->file_offset, module_at(l->path)};
    bool found = false;
    for (uint64_t off = 0; m.module && m.module->elf && !found && off < l->end - l->start;
         off += 0x400)
        if ((found = elf_vaddr(m.module->elf, l->file_offset + off, &vaddr)))
            m.bias = l->start + off - vaddr;
    mapping[mappings++] = m;
}

static const struct mapping *mapping_at(uint64_t pc)
{
    for (size_t i = 0; i < mappings; i++)
        if (pc - mapping[i].start < mapping[i].end - mapping[i].start)
            return &mapping[i];
    return NULL;
}

static bool code(void *arg, uint64_t pc, struct unwind_code *out)
{
    (void)arg;
    const struct mapping *m = mapping_at(pc);
    if (m)
        *out = (struct unwind_code){m->module ? m->module->cfi : NULL, m->bias};
    return m;
}

static bool sliced_off(uint64_t addr)
{
    return slice_bytes && addr - unwind_stack(machine, &regs) >= (uint64_t)slice_bytes;
}

static bool memory(void *arg, uint64_t addr, void *bytes, size_t len)
{
    (void)arg;
    for (size_t i = 0; i < stacks; i++)
        if (unwind_slice_read(&stack[i], addr, bytes, len))
            return !sliced_off(addr + len - 1);
    const struct mapping *m = mapping_at(addr);
    if (!m || !m->module)
        return false;
    uint64_t at = addr - m->start + m->file_offset;
    if (at > m->module->image.len || len > m->module->image.len - at)
        return false;
    memcpy(bytes, m->module->image.data + at, len);
    return true;
}

static bool next(void *arg, uint64_t addr, uint64_t *start)
{
    (void)arg;
    *start = UINT64_MAX;
    for (size_t i = 0; i < mappings; i++)
        if (mapping[i].start > addr && mapping[i].start < *start)
            *start = mapping[i].start;
    return *start != UINT64_MAX;
}

static const struct unwind_space space_template = {.memory = memory, .code = code, .next = next};

/* --- reading --- */

static char *take_bytes(FILE *in, size_t len)
{
    char *bytes = malloc(len + 1);
    if (!bytes || fread(bytes, 1, len, in) != len)
        die("the file ends early");
    bytes[len] = '\0';
    return bytes;
}

static void read_maps(FILE *in, const char *line)
{
    struct maps_line l;
    char *text = take_bytes(in, strtoul(line + 5, NULL, 10));
    const char *at = text;
    for (mappings = 0; maps_next(&at, &l);)
        add_mapping(&l);
    free(text);
}

static void read_image(FILE *in, const char *line)
{
    char name[200];
    size_t len;
    if (sscanf(line, "image %199s %zu", name, &len) != 2)
        die("a bad line");
    char *bytes = take_bytes(in, len);
    if (module_known(name))
        free(bytes);
    else
        module_of(name, (struct image){.data = (uint8_t *)bytes, .len = len});
}

static void read_regs(const char *line)
{
    regs = (struct unwind_regs){0};
    for (const char *at = strchr(line, ' '); at; at = strchr(at + 1, ' ')) {
        bool pc = strncmp(at + 1, "pc=", 3) == 0;
        unsigned long reg = pc ? UNWIND_PC : strtoul(at + 1, NULL, 10);
        const char *value = strchr(at, '=');
        if (reg >= UNWIND_REGISTERS || !value)
            die("a bad register");
        regs.r[reg] = strtoull(value + 1, NULL, 16);
        regs.known |= UINT64_C(1) << reg;
    }
}

static void read_stack(FILE *in, const char *line)
{
    uint64_t addr;
    size_t len;
    if (sscanf(line, "stack %" SCNx64 " %zu", &addr, &len) != 2)
        die("a bad line");
    if (stacks == sizeof stack / sizeof stack[0])
        die("too many stacks");
    stack[stacks++] = (struct unwind_slice){addr, (uint8_t *)take_bytes(in, len), len};
}

static void start_stop(void)
{
    want.frames = 0;
    while (stacks)
        free((void *)stack[--stacks].bytes);
}

static void read_frame(const char *line)
{
    char kind[20];
    if (sscanf(line, "frame %" SCNx64 " %19s", &want.pc[want.frames], kind) != 2)
        die("a bad line");
    want.signal[want.frames] = strcmp(kind, "signal") == 0;
    want.frames += want.frames < FRAMES - 1;
}

/* --- comparing --- */

static size_t common_frames(const struct unwind_result *r)
{
    size_t i = 0;
    while (i < r->frames && i < want.frames && got[i].pc == want.pc[i])
        i++;
    return i;
}

static void show_name(uint64_t pc, uint64_t lookup)
{
    const struct mapping *m = mapping_at(pc);
    const struct symbol *s = m && m->module && m->module->elf
                                 ? symtab_find(elf_symbols(m->module->elf), lookup - m->bias)
                                 : NULL;
    printf("%" PRIx64 " %s", pc, s ? s->name : "-");
    if (m && m->module)
        printf(" (%s+%" PRIx64 ")",
               strrchr(m->module->path, '/') ? strrchr(m->module->path, '/') + 1 : m->module->path,
               pc - m->bias);
}

static const char *const methods[] = {
    "", "", "signal: ", "code: ", "leaf: ", "fp: ", "red zone: ", "scan: "};

static void show_difference(const struct unwind_result *r, size_t from)
{
    printf("stop %zu: %zu frames, gdb %zu, the same %zu; end: %s at %" PRIx64 "\n", stops,
           r->frames, want.frames, from, unwind_end_name(r->end), r->at);
    size_t most = r->frames > want.frames ? r->frames : want.frames;
    for (size_t i = from ? from - 1 : 0; i < most && i < from + 4; i++) {
        printf("  #%zu us ", i);
        if (i < r->frames)
            printf("%s", methods[got[i].method]);
        if (i < r->frames)
            show_name(got[i].pc, unwind_lookup_pc(&got[i]));
        printf("  gdb ");
        if (i < want.frames)
            show_name(want.pc[i], want.pc[i] - 1);
        printf("\n");
    }
}

static size_t first_guess(const struct unwind_result *r)
{
    size_t i = 0;
    while (i < r->frames && got[i].method < UNWIND_LEAF)
        i++;
    return i;
}

/* The frame whose caller is not proven, and how that was found. */
static void show_reason(const struct unwind_result *r, size_t common)
{
    size_t guess = first_guess(r), bad = common < guess ? common : guess;
    if (!bad)
        return;
    bool stopped = bad == r->frames;
    printf("reason: %s %s#%zu ",
           common == bad && !stopped ? "wrong"
           : stopped                 ? unwind_end_name(r->end)
                                     : "guessed",
           stopped ? "" : methods[got[bad].method], bad - 1);
    show_name(got[bad - 1].pc, unwind_lookup_pc(&got[bad - 1]));
    printf("\n");
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void compare(void)
{
    struct unwind_space space = space_template;
    space.machine = machine;
    struct unwind_result r = unwind(&space, &regs, got, FRAMES);
    size_t common = common_frames(&r);
    bool equal = common == r.frames && common == want.frames;
    stops++;
    same += equal;
    whole += r.end == UNWIND_WHOLE;
    proven += equal && r.end == UNWIND_WHOLE && !r.guessed;
    wrong += common < r.frames;
    inside += !equal && common == want.frames; /* we go on where gdb stopped */
    ends[r.end]++;
    frames += r.frames;
    guessed += r.guessed;
    want_frames += want.frames;
    if (verbose && !(equal && r.end == UNWIND_WHOLE && !r.guessed)) {
        show_reason(&r, common);
        show_difference(&r, common);
    }
    double from = now();
    for (long i = 0; i < rounds; i++)
        timed_frames += unwind(&space, &regs, got, FRAMES).frames;
    seconds += now() - from;
}

static void read_line(FILE *in, const char *line)
{
    if (strncmp(line, "maps ", 5) == 0)
        read_maps(in, line);
    else if (strncmp(line, "image ", 6) == 0)
        read_image(in, line);
    else if (strncmp(line, "regs ", 5) == 0)
        read_regs(line);
    else if (strncmp(line, "stack ", 6) == 0)
        read_stack(in, line);
    else if (strncmp(line, "frame ", 6) == 0)
        read_frame(line);
    else if (strncmp(line, "thumb ", 6) == 0)
        return; /* gdb needs it */
    else if (strcmp(line, "stop") == 0)
        start_stop();
    else if (strcmp(line, "end") == 0)
        compare();
    else
        die("an unknown line");
}

static void report(const char *path)
{
    printf("%s: %zu stops, %zu same (%.1f%%), %zu go further than gdb, %zu whole, %.1f frames "
           "(gdb %.1f), %zu guessed, %zu proven, %zu wrong",
           path, stops, same, stops ? 100.0 * (double)same / (double)stops : 0, inside, whole,
           stops ? (double)frames / (double)stops : 0,
           stops ? (double)want_frames / (double)stops : 0, guessed, proven, wrong);
    for (int e = 1; e < UNWIND_ENDS; e++)
        if (ends[e])
            printf("; %s: %zu", unwind_end_name((enum unwind_end)e), ends[e]);
    if (rounds)
        printf("; %.2f million frames a second", (double)timed_frames / seconds / 1e6);
    printf("\n");
    stops = same = whole = inside = frames = guessed = want_frames = proven = wrong = 0;
    memset(ends, 0, sizeof ends);
}

static void read_file(const char *path)
{
    char *line = NULL;
    size_t room = 0;
    FILE *in = fopen(path, "r");
    if (!in)
        die(path);
    for (ssize_t n; (n = getline(&line, &room, in)) > 0;) {
        line[strcspn(line, "\n")] = '\0';
        read_line(in, line);
    }
    free(line);
    fclose(in);
    report(path);
}

int main(int argc, char **argv)
{
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++)
        if (strcmp(argv[at], "-v") == 0)
            verbose = true;
        else if (strcmp(argv[at], "-n") == 0 && at + 1 < argc)
            rounds = atol(argv[++at]);
        else if (strcmp(argv[at], "-s") == 0 && at + 1 < argc)
            slice_bytes = atol(argv[++at]);
    for (; at < argc; at++)
        read_file(argv[at]);
    return 0;
}
