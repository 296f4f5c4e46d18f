/*
 * profdump [-t] FILE: what a prof.PID of version 2 holds, for the tests of the runtime; it trusts
 * the file. Without -t a line a function, `calls NAME COUNT', sorted by name, all threads together;
 * with it the tree: `LEVEL NAME COUNT', `*' behind what is open. Then a line each of: type
 * T clock C missed N orphans N refused N nodes N threads N trees N marks N ended 0|1 open N Times
 * are checked: a node that is closed has no less time than its callees that are closed.
 */
#include "core/elf/elf.h"
#include "plat/file.h"
#include "runtime/psprof_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct psprof_header *header;
static const unsigned char *slots;
static struct elf_module *loaded[4096];
static uint32_t loaded_slot[4096], loaded_count;

static struct row {
    char name[128];
    uint64_t count;
} rows[4096];
static size_t row_count;
static uint64_t nodes, open_nodes, odd_times;

static const void *slot(uint32_t i)
{
    return slots + (size_t)i * PSPROF_SLOT_BYTES;
}

static struct elf_module *module_elf(uint32_t at, const struct psprof_module *m)
{
    for (uint32_t i = 0; i < loaded_count; i++)
        if (loaded_slot[i] == at)
            return loaded[i];
    struct image image;
    struct elf_module *elf = NULL;
    struct fail f;
    if (file_map(m->path, SIZE_MAX, &image, &f) >= 0 &&
        elf_open(image.data, image.len, &elf, &f) < 0)
        elf = NULL;
    loaded_slot[loaded_count] = at;
    return loaded[loaded_count++] = elf;
}

static void name_of(const struct psprof_node *n, char out[128])
{
    uint64_t pc = n->pc & ~((uint64_t)1 << 63);
    const struct psprof_module *m = n->module ? slot(n->module) : NULL;
    struct elf_module *elf = m ? module_elf(n->module, m) : NULL;
    const struct symbol *s = elf ? symtab_find(elf_symbols(elf), pc - m->bias) : NULL;
    if (!n->pc)
        snprintf(out, 128, "-");
    else if (s)
        snprintf(out, 128, "%.120s%s", s->name, n->pc >> 63 ? "!" : "");
    else
        snprintf(out, 128, "#%" PRIx64, pc);
}

static void add_row(const char *name, uint64_t count)
{
    size_t i = 0;
    while (i < row_count && strcmp(rows[i].name, name) != 0)
        i++;
    if (i == row_count) {
        if (row_count == sizeof rows / sizeof rows[0])
            return;
        strcpy(rows[row_count++].name, name);
    }
    rows[i].count += count;
}

/* Closed callees' time; looks for none where there are none. */
static int64_t callees_time(const struct psprof_node *n)
{
    int64_t sum = 0;
    for (uint32_t i = n->down; i; i = ((const struct psprof_node *)slot(i))->right) {
        const struct psprof_node *c = slot(i);
        sum += c->time > 0 ? c->time : 0;
    }
    return sum;
}

static void visit(const struct psprof_node *n, int level, int tree)
{
    char name[128];
    name_of(n, name);
    nodes++;
    open_nodes += n->time < 0;
    odd_times +=
        n->pc && n->time >= 0 && header->type != PSPROF_ADAPTIVE && n->time < callees_time(n);
    if (tree) {
        printf("%d %s %" PRIu64 "%s\n", level, name, n->count, n->time < 0 ? " *" : "");
    } else if (n->pc) {
        add_row(name, n->count);
    }
}

struct place {
    uint32_t at;
    int level;
};

/* A tree may be a million levels deep. */
static void walk(uint32_t root, int tree)
{
    size_t room = header->slots_claimed, depth = 0;
    struct place *todo = malloc((room + 1) * sizeof *todo);
    todo[depth++] = (struct place){root, 0};
    while (depth) {
        struct place p = todo[--depth];
        const struct psprof_node *n = slot(p.at);
        visit(n, p.level, tree);
        if (n->right)
            todo[depth++] = (struct place){n->right, p.level};
        if (n->down)
            todo[depth++] = (struct place){n->down, p.level + 1};
    }
    free(todo);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

static const char *const types[] = {"?",      "elapsed", "kernel",  "user",
                                    "sample", "count",   "adaptive"};

static void summary(void)
{
    uint64_t missed = 0, orphans = 0, refused = 0, refused_nodes = 0, threads = 0, trees = 0,
             marks = 0;
    for (uint32_t i = header->threads; i; i = ((const struct psprof_thread *)slot(i))->next) {
        const struct psprof_thread *t = slot(i);
        missed += t->missed_exits;
        orphans += t->orphan_exits;
        refused += t->refused;
        refused_nodes += t->refused_nodes;
        threads += t->threads;
        trees++;
    }
    for (uint32_t i = header->marks; i; i = ((const struct psprof_mark *)slot(i))->next)
        marks++;
    printf("type %s missed %" PRIu64 " orphans %" PRIu64 " refused %" PRIu64 "/%" PRIu64
           " nodes %" PRIu64 " threads %" PRIu64 " trees %" PRIu64 " marks %" PRIu64
           " ended %d open %" PRIu64 " odd_times %" PRIu64 "\n",
           types[header->type < 7 ? header->type : 0], missed, orphans, refused, refused_nodes,
           nodes, threads, trees, marks, header->end_ticks != 0, open_nodes, odd_times);
    printf("hz %" PRIu64 " resolution_ps %" PRIu64 " inside_ps %" PRIu64 " outside_ps %" PRIu64
           " untimed_ps %" PRIu64 " clock %s note %s\n",
           header->ticks_per_second, header->resolution_ps, header->inside_ps, header->outside_ps,
           header->untimed_ps, header->clock_name, header->type_note);
}

int main(int argc, char **argv)
{
    struct image image;
    struct fail f;
    int tree = argc == 3 && strcmp(argv[1], "-t") == 0;
    if (argc != 2 + tree)
        return 2;
    if (file_map(argv[1 + tree], SIZE_MAX, &image, &f) < 0 || image.len < PSPROF_HEADER_BYTES) {
        fprintf(stderr, "profdump: %s: cannot be read\n", argv[1 + tree]);
        return 1;
    }
    header = (const void *)image.data;
    slots = (const unsigned char *)image.data + PSPROF_HEADER_BYTES;
    if (memcmp(header->magic, PSPROF_MAGIC, PSPROF_MAGIC_BYTES) != 0 ||
        image.len < PSPROF_HEADER_BYTES + (size_t)header->slots_claimed * PSPROF_SLOT_BYTES) {
        fprintf(stderr, "profdump: %s: not a whole file\n", argv[1 + tree]);
        return 1;
    }
    for (uint32_t i = header->threads; i; i = ((const struct psprof_thread *)slot(i))->next)
        walk(((const struct psprof_thread *)slot(i))->root, tree);
    qsort(rows, row_count, sizeof rows[0], by_name);
    for (size_t i = 0; i < row_count; i++)
        printf("calls %s %" PRIu64 "\n", rows[i].name, rows[i].count);
    summary();
    return 0;
}
