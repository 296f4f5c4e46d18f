#include "core/doctor/doctor.h"

#include "core/base/buf.h"
#include "core/text/json.h"
#include "core/text/table.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH = 80, SHORT_FACT = 120 };

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

static void add_cells(struct table *t, const char *first, const char *second, const char *third)
{
    table_cell(t, "%s", first);
    table_cell(t, "%s", second);
    table_cell(t, "%s", third);
}

/* The missing ability i and the following ones with the same cause, reported once. name, word: of
 * a row that begins with it. */
static void print_missing(struct table *t, const char *name, const char *word,
                          const struct verdict *v, size_t i, bool reported[ABILITIES])
{
    const struct finding *f = &v->ability[i].found;
    struct buf b = BUF_INIT;
    for (size_t k = i; k < v->n; k++) {
        const struct ability *a = &v->ability[k];
        if (a->found.ok || !same_cause(f, &a->found))
            continue;
        buf_printf(&b, "%s%s", b.len ? ", " : "- ", a->label);
        reported[k] = true;
    }
    buf_printf(&b, ": %s", f->why);
    add_cells(t, name, word, buf_str(&b));
    buf_clear(&b);
    buf_printf(&b, "    %s", f->remedy);
    if (f->remedy[0])
        add_cells(t, "", "", buf_str(&b));
    buf_release(&b);
}

static void print_row(struct table *t, const struct doctor_row *row, const struct verdict *v)
{
    bool reported[ABILITIES] = {false};
    struct buf works = BUF_INIT;
    for (size_t i = 0; i < v->n; i++)
        if (v->ability[i].found.ok)
            add_how(&works, &v->ability[i]);
    const char *name = row->applet, *word = verdict_word(v);
    if (works.len) {
        add_cells(t, name, word, buf_str(&works));
        name = word = "";
    }
    for (size_t i = 0; i < v->n; i++) {
        if (v->ability[i].found.ok || reported[i])
            continue;
        print_missing(t, name, word, v, i, reported);
        name = word = "";
    }
    buf_release(&works);
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
static void print_privilege(const struct machine *m, struct buf *out)
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

static int print_applets(const struct machine *m, doctor_is_built *is_built, struct buf *out)
{
    struct table t;
    bool privilege = false;
    table_init(&t, "<applet <works <what_it_can_do;_-_what_it_cannot,_why,_and_the_remedy");
    for (const struct doctor_row *row = doctor_rows; row->applet; row++) {
        struct verdict v = {.n = 0};
        if (!has_row(row, is_built))
            continue;
        row->judge(m, &v);
        print_row(&t, row, &v);
        privilege |= wants_privilege(&v);
    }
    int r = table_print(&t, out, WIDTH);
    table_release(&t);
    if (privilege)
        print_privilege(m, out);
    return r;
}

static void print_line(struct table *t, const char *name, const struct finding *f)
{
    table_cell(t, "%s", name);
    table_cell(t, "%s", f->ok ? f->how : f->why);
    if (!f->remedy[0])
        return;
    table_cell(t, "%s", "");
    table_cell(t, "    %s", f->remedy);
}

/* /proc and /sys, without which much else is not known, are the first two lines. */
enum { MOUNTS = 2 };

static int print_missing_mounts(const struct machine *m, struct buf *out)
{
    struct table t;
    size_t before = out->len;
    table_init(&t, "<system <not_there,_so_that_what_depends_on_it_is_not_known");
    bool any = false;
    for (size_t i = 0; i < MOUNTS; i++) {
        struct finding f = doctor_lines[i].find(m);
        if (!f.ok)
            print_line(&t, doctor_lines[i].name, &f);
        any |= !f.ok;
    }
    int r = any ? table_print(&t, out, WIDTH) : 0;
    table_release(&t);
    if (out->len > before)
        buf_addc(out, '\n');
    return r;
}

/* A line that misses for the cause of the one before is left out. */
static int print_system(const struct machine *m, bool all, struct buf *out)
{
    struct table t;
    struct finding before = found("%s", "");
    table_init(&t, "<system <");
    for (const struct doctor_line *l = doctor_lines; l->name; l++) {
        struct finding f = l->find(m);
        bool known =
            !f.ok && ((!before.ok && same_cause(&f, &before)) || l < doctor_lines + MOUNTS);
        if (!known && (!f.ok || l->always || all))
            print_line(&t, l->name, &f);
        before = f;
    }
    int r = table_print(&t, out, WIDTH);
    table_release(&t);
    return r;
}

int doctor_text(const struct facts *facts, doctor_is_built *is_built, bool all, struct buf *out)
{
    struct machine m;
    machine_init(&m, facts);
    int r = print_missing_mounts(&m, out);
    if (r == 0)
        r = print_applets(&m, is_built, out);
    buf_addc(out, '\n');
    if (r == 0)
        r = print_system(&m, all, out);
    machine_release(&m);
    return r;
}

static void json_finding(struct json *j, const struct finding *f)
{
    json_bool(j, "works", f->ok);
    if (f->ok ? f->how[0] : f->why[0])
        json_str(j, f->ok ? "how" : "why", f->ok ? f->how : f->why);
    if (f->remedy[0])
        json_str(j, "remedy", f->remedy);
    if (f->privilege)
        json_bool(j, "privilege", true);
}

static void json_row(struct json *j, const struct machine *m, const struct doctor_row *row)
{
    struct verdict v = {.n = 0};
    row->judge(m, &v);
    json_object(j, NULL);
    json_str(j, "name", row->applet);
    json_str(j, "works", verdict_word(&v));
    json_array(j, "abilities");
    for (size_t i = 0; i < v.n; i++) {
        json_object(j, NULL);
        json_str(j, "what", v.ability[i].label);
        json_bool(j, "needed", v.ability[i].kind == NEEDED);
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
    json_object(j, "counter");
    json_str(j, "name", name ? name : "");
    json_num(j, "hz", facts_double(facts, "counter.hz", 0), 0);
    json_num(j, "resolution_ns", facts_double(facts, "counter.resolution_ns", 0), 3);
    json_num(j, "cost_ns", facts_double(facts, "counter.cost_ns", 0), 3);
    json_bool(j, "steady", facts_double(facts, "counter.steady", 1) != 0);
    json_object_end(j);
}

static void json_facts(struct json *j, const struct facts *facts)
{
    json_object(j, "facts");
    for (size_t i = 0; i < facts->n; i++) {
        const struct fact *f = &facts->fact[i];
        if (f->err) {
            json_object(j, f->key);
            json_i64(j, "errno", -f->err);
            json_object_end(j);
        } else if (f->len <= SHORT_FACT && !strchr(f->text, '\n') && strlen(f->text) == f->len) {
            json_str(j, f->key, f->text);
        }
    }
    json_object_end(j);
}

int doctor_json(const struct facts *facts, doctor_is_built *is_built, struct buf *out)
{
    struct machine m;
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
    machine_release(&m);
    return buf_error(out);
}
