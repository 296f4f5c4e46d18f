/* The shortest report: a row for what is missing of each applet, and all remedies at the end. */
#include "private.h"

#include <string.h>

/* Whether it is there, from `before' or the beginning to `after' or the end. */
static bool has_part(const struct buf *of, char before, const char *part, size_t len, char after)
{
    const char *text = buf_str(of);
    for (const char *at = text; (at = memmem(at, strlen(at), part, len)); at++)
        if ((at == text || at[-1] == before) && (!at[len] || at[len] == after))
            return true;
    return false;
}

/* "CONFIG_A=y CONFIG_B=y (or =m)": the options alone. */
static void add_options(struct buf *options, const char *text)
{
    for (size_t len; *text; text += len + (text[len] == ' ')) {
        len = strcspn(text, " ");
        if (strncmp(text, "CONFIG_", 7) == 0 && !has_part(options, ' ', text, len, ' '))
            buf_printf(options, " %.*s", (int)len, text);
    }
}

static void add_remedy(struct remedies *r, const struct finding *f)
{
    static const char kernel[] = "kernel option";
    size_t n = sizeof kernel - 1;
    if (f->ok || !f->remedy[0])
        return;
    if (strncmp(f->remedy, kernel, n) == 0)
        add_options(&r->options, f->remedy + n + strspn(f->remedy + n, "s "));
    else if (!has_part(&r->others, ' ', f->remedy, strlen(f->remedy), ';'))
        buf_printf(&r->others, "%s%s", r->others.len ? "; " : "", f->remedy);
}

/* --- the applets --- */

/* The abilities from i on that are missing for the same reason, and the reason. */
static void add_missing(const struct verdict *v, size_t i, bool reported[ABILITIES],
                        struct buf *out)
{
    const char *separator = out->len ? "; " : "";
    for (size_t k = i; k < v->n; k++) {
        const struct ability *a = &v->ability[k];
        if (a->found.ok || strcmp(a->found.why, v->ability[i].found.why) != 0)
            continue;
        buf_printf(out, "%s%s", separator, a->label);
        reported[k] = true;
        separator = ", ";
    }
    buf_printf(out, ": %s", v->ability[i].found.why);
}

void doctor_short_row(struct table *t, const char *applet, const struct verdict *v,
                      struct remedies *r)
{
    bool reported[ABILITIES] = {false};
    SCOPED_BUF missing = BUF_INIT;
    for (size_t i = 0; i < v->n; i++) {
        add_remedy(r, &v->ability[i].found);
        if (!v->ability[i].found.ok && !reported[i])
            add_missing(v, i, reported, &missing);
    }
    table_cells(t, applet, verdict_word(v), buf_str(&missing));
}

/* --- the system --- */

/* The kernel and the user in one row; what hides the rest, as a missing /proc does, in others. */
int doctor_short_system(const struct machine *m, struct remedies *r, struct buf *out)
{
    struct table t;
    SCOPED_BUF known = BUF_INIT;
    table_init(&t, "<system <");
    for (const struct doctor_line *l = doctor_lines; l->name; l++) {
        struct finding f = l->find(m);
        add_remedy(r, &f);
        if (f.ok && (strcmp(l->name, "kernel") == 0 || strcmp(l->name, "user") == 0))
            buf_printf(&known, "%s%s", known.len ? "; " : "", f.how);
        if (f.ok || l->name[0] != '/')
            continue;
        table_cells(&t, l->name, f.why);
    }
    table_cells(&t, "kernel", buf_str(&known));
    return table_print(&t, out, DOCTOR_WIDTH);
}

int doctor_short_remedies(const struct remedies *r, struct buf *out)
{
    struct table t;
    table_init(&t, "<remedy <");
    if (r->options.len) {
        table_cell(&t, "kernel");
        table_cell(&t, "options%s", r->options.data);
    }
    if (r->others.len)
        table_cells(&t, "here", r->others.data);
    return table_print(&t, out, DOCTOR_WIDTH);
}
