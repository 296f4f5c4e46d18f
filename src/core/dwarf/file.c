#include "file.h"

#include "core/base/budget.h"

#include "names.h"

#include "core/base/search.h"
#include <errno.h>

static bool is_type_unit(const struct dwarf_unit *u)
{
    return u->type == DW_UT_type || u->type == DW_UT_split_type;
}

static int find_units(struct dwarf_file *f, struct fail *why)
{
    enum { MAX_UNITS = 1 << 20 };
    struct dwarf_unit u;
    for (uint64_t at = 0; f->units < MAX_UNITS && dwarf_unit_read(f, &at, &u);) {
        if (is_type_unit(&u) || u.broken)
            continue;
        if (!BUDGET_ADD(f->image.budget, f->unit, f->unit_room, f->units, u))
            return fail_set(why, EFBIG, "its debug information is over the memory limit");
    }
    return 0;
}

int dwarf_file_open(struct dwarf_file *f, const uint8_t *image, size_t len, bool split,
                    struct budget *budget, struct fail *why)
{
    *f = (struct dwarf_file){0};
    int err = dwarf_image_read(&f->image, image, len, split, budget, why);
    f->abbrev_budget = f->image.section[DWARF_ABBREV].len;
    return err ? err : find_units(f, why);
}

void dwarf_file_release(struct dwarf_file *f)
{
    struct imap_slot s;
    for (size_t i = 0; imap_next(&f->abbrevs, &i, &s);)
        dwarf_abbrevs_free((struct dwarf_abbrevs *)(uintptr_t)s.value);
    imap_release(&f->abbrevs);
    budget_free(f->image.budget, f->unit, f->unit_room, sizeof *f->unit);
    dwarf_image_release(&f->image);
    *f = (struct dwarf_file){0};
}

struct dwarf_unit *dwarf_unit_holding(const struct dwarf_file *f, uint64_t offset)
{
    size_t above = FIRST_ABOVE(f->unit, f->units, offset, offset);
    struct dwarf_unit *u = above ? &f->unit[above - 1] : NULL;
    return u && offset < u->end && dwarf_unit_ready(u) ? u : NULL;
}

/* Tables are shared by units that name the same offset. Together they are not longer than the
 * section, unless they overlap, which only a forged file does. */
static const struct dwarf_abbrevs *abbrevs_at(struct dwarf_file *f, uint64_t offset)
{
    uint64_t *known = imap_at(&f->abbrevs, offset);
    if (!known)
        return NULL;
    if (!*known) {
        struct dwarf_abbrevs *t = dwarf_abbrevs_new(&f->image, offset, &f->abbrev_budget);
        if (!t)
            return NULL;
        *known = (uintptr_t)t;
    }
    return (const struct dwarf_abbrevs *)(uintptr_t)*known;
}

/* --- headers (DWARF 5, 7.5.1) --- */

static bool read_length(struct dwarf_cursor *c, struct dwarf_unit *u)
{
    uint64_t len = dwarf_number(c, 4);
    u->offset_size = 4;
    if (len == 0xffffffff) {
        len = dwarf_number(c, 8);
        u->offset_size = 8;
    } else if (len >= 0xfffffff0) {
        return false;
    }
    bool all = len <= c->end - c->at;
    u->end = all ? c->at + len : c->end;
    return !c->bad && len;
}

static void read_version_5(struct dwarf_cursor *c, struct dwarf_unit *u)
{
    u->type = (uint8_t)dwarf_number(c, 1);
    u->addr_size = (uint8_t)dwarf_number(c, 1);
    u->abbrev_offset = dwarf_number(c, u->offset_size);
    if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
        u->id = dwarf_number(c, 8);
    else if (is_type_unit(u))
        dwarf_skip(c, 8 + (uint64_t)u->offset_size);
    u->skeleton = u->type == DW_UT_skeleton;
}

static void read_version_2(struct dwarf_cursor *c, struct dwarf_unit *u)
{
    u->type = DW_UT_compile;
    u->abbrev_offset = dwarf_number(c, u->offset_size);
    u->addr_size = (uint8_t)dwarf_number(c, 1);
}

bool dwarf_unit_read(struct dwarf_file *f, uint64_t *offset, struct dwarf_unit *out)
{
    struct dwarf_cursor c = dwarf_cursor_at(&f->image, DWARF_INFO, *offset);
    struct dwarf_unit u = {.file = f, .offset = *offset, .addrs = &f->image};
    if (c.at == c.end || !read_length(&c, &u))
        return false;
    c.end = (size_t)u.end;
    uint64_t version = dwarf_number(&c, 2);
    u.version = (uint8_t)version;
    if (version == 5)
        read_version_5(&c, &u);
    else
        read_version_2(&c, &u);
    u.broken = c.bad || version < 2 || version > 5 ||
               (u.addr_size != 4 && u.addr_size != 8 && u.addr_size != 2);
    u.die = c.at;
    *offset = u.end;
    *out = u;
    return true;
}

/* --- the root entry --- */

/* Split units have one part a unit, which begins with a header that no attribute steps over. */
static void default_bases(struct dwarf_unit *u)
{
    uint64_t wide = u->offset_size == 8;
    if (!u->file->image.split || u->version < 5)
        return;
    u->str_offsets += wide ? 16 : 8;
    u->rnglists += wide ? 20 : 12;
}

static void read_bases(struct dwarf_unit *u, const struct dwarf_die *root)
{
    uint64_t n;
    default_bases(u);
    dwarf_value_number(root, DWARF_STR_OFFSETS_BASE, &u->str_offsets);
    dwarf_value_number(root, DWARF_RNGLISTS_BASE, &u->rnglists);
    dwarf_value_number(root, DWARF_ADDR_BASE, &u->addr);
    if (dwarf_value_number(root, DWARF_DWO_ID, &n)) {
        u->id = n;
        u->skeleton = !u->file->image.split;
    }
    dwarf_value_address(root, DWARF_LOW_PC, &u->low_pc);
}

bool dwarf_unit_ready(struct dwarf_unit *u)
{
    struct dwarf_die root;
    if (u->ready || u->broken)
        return !u->broken;
    u->abbrevs = abbrevs_at(u->file, u->abbrev_offset);
    u->broken = !u->abbrevs || !dwarf_die_at(u, u->die, &root);
    if (!u->broken)
        read_bases(u, &root);
    u->ready = !u->broken;
    return u->ready;
}
