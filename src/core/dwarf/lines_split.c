#include "lines_module.h"

#include <stdlib.h>

/* What a split unit takes from its skeleton. */
static bool join_skeleton(struct dwarf_unit *split, const struct dwarf_unit *skeleton,
                          const struct dwarf_die *root)
{
    split->addrs = &skeleton->file->image;
    split->addr = skeleton->addr;
    split->low_pc = skeleton->low_pc;
    if (split->version < 5)
        dwarf_value_number(root, DWARF_RANGES_BASE, &split->ranges);
    return dwarf_unit_ready(split);
}

static struct dwarf_file *read_file(struct lines *l, const char *path)
{
    const uint8_t *bytes;
    size_t len;
    struct dwarf_file *f = calloc(1, sizeof *f);
    if (!f || !l->read_split || !l->read_split(l->read_split_arg, path, &bytes, &len)) {
        free(f);
        return NULL;
    }
    int err = dwarf_file_open(f, bytes, len, true, l->budget, NULL);
    dwarf_left_out_add(&l->left_out, &f->image.left_out);
    if (!err)
        return f;
    dwarf_file_release(f);
    free(f);
    return NULL;
}

/* Paths are of the table of paths: equal ones are the same pointer. */
static struct dwarf_file *file_of(struct lines *l, const char *path)
{
    struct lines_splits *s = &l->splits;
    uint64_t *known = imap_at(&s->by_path, (uintptr_t)path);
    if (!known)
        return NULL;
    if (*known)
        return *known == LINES_SPLIT_MISSING ? NULL : (struct dwarf_file *)(uintptr_t)*known;
    struct dwarf_file *f = read_file(l, path);
    *known = f ? (uintptr_t)f : LINES_SPLIT_MISSING;
    if (f)
        return f;
    if (!s->missing++)
        s->first_missing = path;
    return NULL;
}

static bool find_unit(struct dwarf_file *f, uint64_t id, struct dwarf_unit *out)
{
    for (size_t i = 0; i < f->units; i++)
        if (dwarf_unit_ready(&f->unit[i]) && f->unit[i].id == id) {
            *out = f->unit[i];
            return true;
        }
    return false;
}

bool lines_split_find(struct lines *l, const struct dwarf_unit *skeleton,
                      const struct dwarf_die *root, struct dwarf_unit *out)
{
    const char *name = dwarf_value_string(root, DWARF_DWO_NAME);
    const char *dir = dwarf_value_string(root, DWARF_COMP_DIR);
    if (l->has_package && dwarf_package_find(&l->package, skeleton->id, out))
        return join_skeleton(out, skeleton, root);
    const char *path = name ? lines_path(&l->paths, NULL, dir, name) : NULL;
    struct dwarf_file *f = path ? file_of(l, path) : NULL;
    return f && find_unit(f, skeleton->id, out) && join_skeleton(out, skeleton, root);
}

void lines_splits_release(struct lines_splits *s)
{
    struct imap_slot slot;
    for (size_t i = 0; imap_next(&s->by_path, &i, &slot);) {
        if (slot.value == LINES_SPLIT_MISSING)
            continue;
        struct dwarf_file *f = (struct dwarf_file *)(uintptr_t)slot.value;
        dwarf_file_release(f);
        free(f);
    }
    imap_release(&s->by_path);
    *s = (struct lines_splits){0};
}
