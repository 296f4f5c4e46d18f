#include "core/base/buf.h"
#include "core/base/grow.h"
#include "core/base/search.h"
#include "reader.h"

enum { MAX_SCOPES = 1 << 20 };

bool reader_is_scoped(struct reader *r, die_t die)
{
    uint64_t language = 0;
    SCOPED(reader_free) die_t unit = reader_die(r, reader_unit(die));
    if (unit)
        reader_number(r, unit, DW_AT_language, &language);
    return language == DW_LANG_C_plus_plus || language == DW_LANG_C_plus_plus_03 ||
           language == DW_LANG_C_plus_plus_11 || language == DW_LANG_C_plus_plus_14 ||
           language == DW_LANG_Rust || (language >= 0x2a && language <= 0x2b); /* C++ 17, 20 */
}

static bool is_scope(unsigned tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
           tag == DW_TAG_union_type;
}

/* `OUTER::NAME::', in memory of r->names. */
static const char *scope_name(struct reader *r, die_t die, const char *outer)
{
    SCOPED_BUF text = BUF_INIT;
    const char *name = reader_text(die, DW_AT_name);
    if (!name && reader_tag(die) == DW_TAG_namespace)
        name = "(anonymous namespace)";
    buf_printf(&text, "%s%s%s", outer, name ? name : "", name ? "::" : "");
    const char *kept = buf_error(&text) ? NULL : intern_copy(&r->names, buf_str(&text));
    r->failed |= !kept;
    return kept ? kept : "";
}

static void add_scopes(struct reader *r, die_t parent, const char *outer, unsigned deep);

static void add_scope(struct reader *r, die_t die, const char *outer, unsigned deep)
{
    if (!grow_within(&r->scope, &r->scope_cap, r->scopes, MAX_SCOPES, sizeof *r->scope)) {
        r->failed = true;
        return;
    }
    size_t own = r->scopes++;
    r->scope[own] =
        (struct reader_scope){reader_offset(die), UINT64_MAX, scope_name(r, die, outer)};
    add_scopes(r, die, r->scope[own].name, deep + 1);
}

/* A scope ends where the DIE after it begins, and so does the last of those inside. */
static void end_scope(struct reader *r, size_t scope, uint64_t end)
{
    for (size_t i = scope; i < r->scopes; i++)
        if (r->scope[i].end > end)
            r->scope[i].end = end;
}

static void add_scopes(struct reader *r, die_t parent, const char *outer, unsigned deep)
{
    size_t open = SIZE_MAX;
    if (deep > READER_DEEPEST)
        return;
    for (die_t die = reader_child(r, parent); die && !r->failed; die = reader_next(r, die)) {
        if (open != SIZE_MAX)
            end_scope(r, open, reader_offset(die));
        open = SIZE_MAX;
        if (is_scope(reader_tag(die))) {
            open = r->scopes;
            add_scope(r, die, outer, deep);
        }
    }
}

static void read_scopes(struct reader *r, die_t die)
{
    uint64_t unit = reader_unit(die);
    if (r->scoped_unit == unit + 1)
        return;
    r->scoped_unit = unit + 1;
    r->scopes = 0;
    SCOPED(reader_free) die_t top = reader_die(r, unit);
    if (top)
        add_scopes(r, top, "", 0);
}

/* The innermost scope around an offset: the last that begins before it and has not ended. */
static const char *scope_at(const struct reader *r, uint64_t offset)
{
    size_t low = FIRST_WHERE(r->scopes, i, r->scope[i].start >= offset);
    while (low && r->scope[low - 1].end <= offset)
        low--;
    return low ? r->scope[low - 1].name : "";
}

const char *reader_scoped(struct reader *r, die_t die, const char *name)
{
    SCOPED_BUF text = BUF_INIT;
    if (!name || !reader_is_scoped(r, die))
        return name;
    read_scopes(r, die);
    const char *scope = scope_at(r, reader_offset(die));
    if (!scope[0])
        return name;
    buf_printf(&text, "%s%s", scope, name);
    const char *kept = buf_error(&text) ? NULL : intern_copy(&r->names, buf_str(&text));
    r->failed |= !kept;
    return kept ? kept : name;
}
