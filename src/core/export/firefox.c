/* The Firefox Profiler's processed profile format, version 60, the first in which threads share
 * their tables (github.com/firefox-devtools/profiler: docs-developer/CHANGELOG-formats.md,
 * src/types/profile): later versions upgrade it. A table is an object of columns of one length.
 *
 * A sample's weight is the last value; of nanoseconds, as milliseconds ("tracing-ms"). Stacks that
 * are not timed get times: each sample lasts as long as it weighs, or 1 ms when it weighs no time.
 * "extra" in the file's "meta" says so. */
#include "firefox.h"

#include "core/text/text_fold.h"

#include <inttypes.h>
#include <stdio.h>

enum { VERSION = 60, GECKO_VERSION = 31, OTHER = STACKS_WAIT + 1 };

static const struct {
    const char *name, *color;
} categories[] = {
    [STACKS_USER] = {"User", "yellow"}, [STACKS_KERNEL] = {"Kernel", "orange"},
    [STACKS_JIT] = {"JIT", "blue"},     [STACKS_WAIT] = {"Wait", "lightblue"},
    [OTHER] = {"Other", "grey"},
};

/* --- libraries --- */

static void add_lib(struct firefox *f, size_t row)
{
    const struct stacks_module *m = &f->s->module[row];
    char id[FIREFOX_BREAKPAD_SIZE];
    firefox_breakpad_id(m->build_id, id);
    json_record(&f->j, NULL, "arch name path debugName debugPath breakpadId codeId", "", m->name,
                m->path, m->name, m->path, id, *m->build_id ? m->build_id : NULL);
}

/* --- meta --- */

static void add_category(struct firefox *f, size_t row)
{
    json_object(&f->j, NULL);
    json_members(&f->j, "name color", categories[row].name, categories[row].color);
    json_array(&f->j, "subcategories");
    json_str(&f->j, NULL, "Other");
    json_array_end(&f->j);
    json_object_end(&f->j);
}

static void add_entry(struct firefox *f, const char *label, const char *value)
{
    json_record(&f->j, NULL, "label format value", label, "string", value);
}

static void add_extra(struct firefox *f)
{
    char lost[24];
    snprintf(lost, sizeof lost, "%" PRIu64, f->s->origin.lost);
    json_array(&f->j, "extra");
    json_object(&f->j, NULL);
    json_str(&f->j, "label", "psuite");
    json_array(&f->j, "entries");
    add_entry(f, "Method", f->s->origin.method);
    add_entry(f, "Lost samples", lost);
    add_entry(f, "Times",
              f->s->timed                            ? "measured, from the first sample"
              : write_weight_is(f->s, "nanoseconds") ? "artificial: each stack lasts its total time"
                                                     : "artificial: each stack lasts 1 ms");
    json_array_end(&f->j);
    json_object_end(&f->j);
    json_array_end(&f->j);
}

/* The period between two samples when it is a time, else 1 ms. */
static uint64_t interval_of(const struct stacks *s)
{
    bool time = s->origin.period && s->value[s->origin.period_value].unit[0] == 'n';
    return time ? s->origin.period : 1000000;
}

static void add_meta(struct firefox *f)
{
    json_object(&f->j, "meta");
    json_members(&f->j,
                 "version preprocessedProfileVersion interval/6 startTime/6 product importedFrom "
                 "processType stackwalk debug? platform symbolicated? usesOnlyOneStackType? "
                 "sourceCodeIsNotOnSearchfox?",
                 GECKO_VERSION, VERSION, interval_of(f->s), f->s->origin.start_ns,
                 f->s->origin.applet, "psuite", 0, 1, false, "Linux", true, true, true);
    firefox_array(f, "markerSchema", 0, NULL);
    firefox_array(f, "categories", sizeof categories / sizeof *categories, add_category);
    add_extra(f);
    json_object_end(&f->j);
}

int write_firefox(const struct stacks *s, const struct stacks *before, struct buf *out)
{
    struct firefox f = {.s = s, .j = {.out = out}};
    int r = firefox_tables_make(&f.tables, s);
    if (r == 0) {
        json_object(&f.j, NULL);
        add_meta(&f);
        firefox_array(&f, "libs", s->modules, add_lib);
        firefox_shared(&f);
        r = firefox_threads(&f);
        json_end(&f.j);
        r = r ? r : f.tables.strings.err ? f.tables.strings.err : f.tables.files.err;
    }
    firefox_tables_release(&f.tables);
    return r ? r : buf_error(out);
}

/* --- tables --- */

void firefox_array(struct firefox *f, const char *key, size_t rows, firefox_row *add)
{
    json_array(&f->j, key);
    for (size_t i = 0; i < rows; i++)
        add(f, i);
    json_array_end(&f->j);
}

void firefox_table_open(struct firefox *f, const char *key, size_t rows)
{
    json_object(&f->j, key);
    json_u64(&f->j, "length", rows);
}

void firefox_add_cells(struct firefox *f, const struct text_value *values)
{
    for (struct buf *column = f->column; values->type != VALUE_END; values++, column++) {
        struct json cell = {.out = column, .comma = column->len > 0};
        json_any(&cell, NULL, *values);
    }
}

static void end_column(struct firefox *f, const char *word, size_t len, struct buf *column)
{
    char key[32];
    snprintf(key, sizeof key, "%.*s", (int)len, word);
    json_array(&f->j, key);
    buf_add(f->j.out, buf_str(column), column->len);
    json_array_end(&f->j);
    if (buf_error(column))
        f->j.out->err = buf_error(column);
    buf_release(column);
}

void firefox_table(struct firefox *f, const char *key, size_t rows, const char *columns,
                   firefox_row *add)
{
    const char *word;
    size_t len;
    for (size_t i = 0; i < rows; i++)
        add(f, i);
    firefox_table_open(f, key, rows);
    for (struct buf *column = f->column; text_word(&columns, &word, &len); column++)
        end_column(f, word, len, column);
    json_object_end(&f->j);
}

struct text_value firefox_index(uint32_t number)
{
    return text_value_if(number != STACKS_NONE, number);
}
