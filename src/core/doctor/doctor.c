#include "core/doctor/doctor.h"

#include "core/text/json.h"
#include "private.h"

#include <string.h>

enum { SHORT_FACT = 120, MAX_CAUSES = 32 };

struct report {
    const struct machine *m;
    doctor_is_built *is_built;
    enum doctor_detail detail;
    struct finding cause[MAX_CAUSES]; /* of a brief report: those printed so far */
    size_t causes;
    struct remedies remedies; /* of a short one */
    bool privilege;           /* something would work for root */
};

static void add_how(struct buf *b, const struct ability *a)
{
    if (b->len)
        buf_adds(b, "; ");
    buf_adds(b, a->label);
    if (a->found.how[0])
        buf_printf(b, " (%s)", a->found.how);
}

static bool same_cause(const struct finding *a, const struct finding *b)
{
    return strcmp(a->why, b->why) == 0 && strcmp(a->remedy, b->remedy) == 0;
}

/* Whether a brief report has it already. */
static bool is_printed(const struct report *r, const struct finding *f)
{
    for (size_t i = 0; r->detail == DOCTOR_BRIEF && i < r->causes; i++)
        if (same_cause(&r->cause[i], f) || (!f->remedy[0] && !strcmp(r->cause[i].why, f->why)))
            return true;
    return false;
}

static void note_printed(struct report *r, const struct finding *f)
{
    if (r->causes < MAX_CAUSES)
        r->cause[r->causes++] = *f;
}

/* The missing ability i and the following ones with the same cause, reported once. name, word: of
 * a row that begins with it. */
static void print_missing(struct report *r, struct table *t, const char *name, const char *word,
                          const struct verdict *v, size_t i, bool reported[ABILITIES])
{
    const struct finding *f = &v->ability[i].found;
    SCOPED_BUF b = BUF_INIT;
    for (size_t k = i; k < v->n; k++) {
        const struct ability *a = &v->ability[k];
        if (a->found.ok || !same_cause(f, &a->found))
            continue;
        buf_printf(&b, "%s%s", b.len ? ", " : "- ", a->label);
        reported[k] = true;
    }
    buf_printf(&b, ": %s", f->why);
    table_cells(t, name, word, buf_str(&b));
    buf_clear(&b);
    buf_printf(&b, "    %s", f->remedy);
    if (f->remedy[0] && !is_printed(r, f))
        table_cells(t, "", "", buf_str(&b));
    note_printed(r, f);
}

static void print_row(struct report *r, struct table *t, const struct doctor_row *row,
                      const struct verdict *v)
{
    bool reported[ABILITIES] = {false};
    SCOPED_BUF works = BUF_INIT;
    for (size_t i = 0; r->detail != DOCTOR_BRIEF && i < v->n; i++)
        if (v->ability[i].found.ok)
            add_how(&works, &v->ability[i]);
    const char *name = row->applet, *word = verdict_word(v);
    if (works.len) {
        table_cells(t, name, word, buf_str(&works));
        name = word = "";
    }
    for (size_t i = 0; i < v->n; i++) {
        if (v->ability[i].found.ok || reported[i])
            continue;
        print_missing(r, t, name, word, v, i, reported);
        name = word = "";
    }
}

static bool wants_privilege(const struct verdict *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->ability[i].found.privilege)
            return true;
    return false;
}

/* Debian's and Android's third level of perf_event_paranoid asks for CAP_SYS_ADMIN, as all levels
 * do before 5.8. */
static void add_privilege(const struct machine *m, struct buf *out)
{
    int64_t paranoid = 0;
    facts_i64(m->facts, "perf_event_paranoid", &paranoid);
    bool perfmon = machine_since(m, 5, 8) && paranoid < 3;
    buf_printf(out,
               "Or, for everything that is not permitted: run as root, or once as root\n"
               "    setcap %s,cap_syslog+ep psuite\n",
               perfmon ? "cap_perfmon" : "cap_sys_admin");
}

static bool has_row(const struct doctor_row *row, doctor_is_built *is_built)
{
    return !is_built || is_built(row->applet);
}

/* Those that work entirely are one row then. */
static bool is_brief(const struct report *r, const struct verdict *v)
{
    return r->detail <= DOCTOR_BRIEF && strcmp(verdict_word(v), "yes") == 0;
}

static int print_applets(struct report *r, struct buf *out)
{
    static const char whole[] = "<applet <works "
                                "<what_it_can_do;_-_what_it_cannot,_why,_and_the_remedy";
    static const char *const head[] = {[DOCTOR_SHORT] = "<applet <works <what_is_missing,_and_why",
                                       [DOCTOR_BRIEF] =
                                           "<applet <works <what_is_missing,_why,_and_the_remedy",
                                       [DOCTOR_WHOLE] = whole,
                                       [DOCTOR_VERBOSE] = whole};
    struct table t;
    SCOPED_BUF working = BUF_INIT;
    table_init(&t, head[r->detail]);
    for (const struct doctor_row *row = doctor_rows; row->applet; row++) {
        struct verdict v = {.n = 0};
        if (!has_row(row, r->is_built))
            continue;
        row->judge(r->m, &v);
        if (is_brief(r, &v))
            buf_printf(&working, "%s%s", working.len ? ", " : "", row->applet);
        else if (r->detail == DOCTOR_SHORT)
            doctor_short_row(&t, row->applet, &v, &r->remedies);
        else
            print_row(r, &t, row, &v);
        r->privilege |= wants_privilege(&v);
    }
    if (working.len)
        table_cells(&t, "others", "yes", buf_str(&working));
    return table_print(&t, out, DOCTOR_WIDTH);
}

static void print_line(struct table *t, const char *name, const struct finding *f)
{
    table_cells(t, name, f->ok ? f->how : f->why);
    if (!f->remedy[0])
        return;
    table_cells(t, "");
    table_cell(t, "    %s", f->remedy);
}

/* /proc and /sys, without which much else is not known, are the first two lines. */
enum { MOUNTS = 2 };

static int print_missing_mounts(const struct machine *m, struct buf *out)
{
    struct table t;
    table_init(&t, "<system <not_there,_so_that_what_depends_on_it_is_not_known");
    bool any = false;
    for (size_t i = 0; i < MOUNTS; i++) {
        struct finding f = doctor_lines[i].find(m);
        if (!f.ok)
            print_line(&t, doctor_lines[i].name, &f);
        any |= !f.ok;
    }
    if (!any) {
        table_release(&t);
        return 0;
    }
    int r = table_print(&t, out, DOCTOR_WIDTH);
    buf_addc(out, '\n');
    return r;
}

/* A line that misses for the cause of the one before is left out. */
static int print_system(const struct report *r, struct buf *out)
{
    struct table t;
    struct finding before = found("%s", "");
    table_init(&t, "<system <");
    for (const struct doctor_line *l = doctor_lines; l->name; l++) {
        struct finding f = l->find(r->m);
        bool known = !f.ok && ((!before.ok && same_cause(&f, &before)) ||
                               l < doctor_lines + MOUNTS || is_printed(r, &f));
        if (!known && (!f.ok || l->always || r->detail == DOCTOR_VERBOSE))
            print_line(&t, l->name, &f);
        before = f;
    }
    return table_print(&t, out, DOCTOR_WIDTH);
}

/* The end of a long report is what stays on a screen: the applets and their remedies. */
static int print_parts(struct report *r, struct buf *out)
{
    SCOPED_BUF applets = BUF_INIT, system = BUF_INIT;
    bool is_short = r->detail == DOCTOR_SHORT, last = r->detail <= DOCTOR_BRIEF;
    int err = is_short ? 0 : print_missing_mounts(r->m, out);
    if (err == 0)
        err = print_applets(r, &applets);
    if (err == 0)
        err =
            is_short ? doctor_short_system(r->m, &r->remedies, &system) : print_system(r, &system);
    if (err == 0 && is_short)
        err = doctor_short_remedies(&r->remedies, &applets);
    if (r->privilege)
        add_privilege(r->m, &applets);
    buf_printf(out, "%s\n%s", buf_str(last ? &system : &applets),
               buf_str(last ? &applets : &system));
    return err;
}

int doctor_text(const struct facts *facts, doctor_is_built *is_built, enum doctor_detail detail,
                struct buf *out)
{
    SCOPED(machine_release) struct machine m;
    struct report r = {.m = &m, .is_built = is_built, .detail = detail};
    machine_init(&m, facts);
    int err = print_parts(&r, out);
    buf_release(&r.remedies.options);
    buf_release(&r.remedies.others);
    return err ? err : buf_error(out);
}

static void json_finding(struct json *j, const struct finding *f)
{
    json_members(j, "works? [how] [why] [remedy] [privilege?]", f->ok, f->ok ? f->how : NULL,
                 f->ok ? NULL : f->why, f->remedy, f->privilege);
}

static void json_row(struct json *j, const struct machine *m, const struct doctor_row *row)
{
    struct verdict v = {.n = 0};
    row->judge(m, &v);
    json_object(j, NULL);
    json_members(j, "name works", row->applet, verdict_word(&v));
    json_array(j, "abilities");
    for (size_t i = 0; i < v.n; i++) {
        json_object(j, NULL);
        json_members(j, "what needed?", v.ability[i].label, v.ability[i].kind == NEEDED);
        json_finding(j, &v.ability[i].found);
        json_object_end(j);
    }
    json_array_end(j);
    json_object_end(j);
}

static void json_system(struct json *j, const struct machine *m)
{
    json_array(j, "system");
    for (const struct doctor_line *l = doctor_lines; l->name; l++) {
        struct finding f = l->find(m);
        json_object(j, NULL);
        json_str(j, "name", l->name);
        json_finding(j, &f);
        json_object_end(j);
    }
    json_array_end(j);
}

static void json_counter(struct json *j, const struct facts *facts)
{
    const char *name = facts_text(facts, "counter.name");
    json_record(
        j, "counter", "name hz.0 resolution_ns.3 cost_ns.3 steady?", name ? name : "",
        facts_double(facts, "counter.hz", 0), facts_double(facts, "counter.resolution_ns", 0),
        facts_double(facts, "counter.cost_ns", 0), facts_double(facts, "counter.steady", 1) != 0);
}

static void json_facts(struct json *j, const struct facts *facts)
{
    json_object(j, "facts");
    for (size_t i = 0; i < facts->n; i++) {
        const struct fact *f = &facts->fact[i];
        if (f->err)
            json_record(j, f->key, "errno", -f->err);
        else if (f->len <= SHORT_FACT && !strchr(f->text, '\n') && strlen(f->text) == f->len)
            json_str(j, f->key, f->text);
    }
    json_object_end(j);
}

int doctor_json(const struct facts *facts, doctor_is_built *is_built, struct buf *out)
{
    SCOPED(machine_release) struct machine m;
    struct json j;
    machine_init(&m, facts);
    json_start(&j, out, "doctor");
    json_array(&j, "applets");
    for (const struct doctor_row *row = doctor_rows; row->applet; row++)
        if (has_row(row, is_built))
            json_row(&j, &m, row);
    json_array_end(&j);
    json_system(&j, &m);
    json_counter(&j, facts);
    json_facts(&j, facts);
    json_end(&j);
    return buf_error(out);
}
