#include "ns_command.h"

#include "applets/applet.h"
#include "ns_session.h"

#include "core/text/json.h"
#include "core/text/rune.h"
#include "core/text/shown.h"
#include "plat/file.h"
#include "plat/tty.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { READ_BYTES = 65536, MAX_JSON = 64 << 20 };

/* A failure that has words of its own does not name the file; others may name its last part. */
static int report_failure(const char *name, const struct fail *f)
{
    struct fail named = *f;
    if (!f->err)
        fail_set(&named, 0, "%.120s: %.128s", name, f->what);
    else if (strstr(name, f->what))
        fail_set(&named, f->err, "%.250s", name);
    memcpy(named.hint, f->hint, sizeof named.hint);
    return applet_fail(&applet_ns, &named);
}

/* --- where it goes --- */

struct output {
    const char *path; /* NULL: standard output */
    int handle;
    bool terminal;
    struct buf cut; /* the start of a character whose end is not read yet */
};

/* Bytes of the characters that are whole. */
static size_t whole_length(const struct buf *text)
{
    uint32_t rune;
    for (size_t back = 1; back < RUNE_BYTES && back <= text->len; back++)
        if (rune_decode(text->data + text->len - back, back, &rune) == 0)
            return text->len - back;
    return text->len;
}

static int write_shown(struct output *o, const char *bytes, size_t len, struct fail *f)
{
    struct buf text = o->cut;
    buf_add(&text, bytes, len);
    size_t whole = len ? whole_length(&text) : text.len;
    buf_init(&o->cut);
    buf_add(&o->cut, buf_str(&text) + whole, text.len - whole);
    text.len = whole;
    shown_lines(&text, 0);
    int r = buf_error(&text) ? fail_set(f, -buf_error(&text), "output") : 0;
    fwrite(buf_str(&text), 1, text.len, stdout);
    buf_release(&text);
    return r;
}

/* No byte: the text ends. */
static int write_bytes(struct output *o, const char *bytes, size_t len, struct fail *f)
{
    if (o->path)
        return file_append(o->handle, bytes, len, o->path, f);
    if (o->terminal)
        return write_shown(o, bytes, len, f);
    fwrite(bytes, 1, len, stdout); /* checked at exit */
    return 0;
}

static int write_text(struct output *o, struct buf *text)
{
    struct fail f;
    int r = buf_error(text) ? fail_set(&f, -buf_error(text), "output")
                            : write_bytes(o, buf_str(text), text->len, &f);
    return r < 0 ? applet_fail(&applet_ns, &f) : DONE;
}

/* --- cat --- */

/* Where a read would wait, a stream's is what is there. */
static int copy_file(struct ns_file *file, bool records, struct output *o, struct fail *f)
{
    static char bytes[READ_BYTES];
    uint64_t offset = 0;
    long n = 0;
    int r = 0;
    while (r == 0 && (n = ns_read(file, offset, bytes, sizeof bytes, f)) > 0) {
        r = write_bytes(o, bytes, (size_t)n, f);
        if (r == 0 && records)
            r = write_bytes(o, "\n", 1, f);
        offset += (uint64_t)n;
    }
    if (r == 0 && n < 0 && n != -EAGAIN)
        r = (int)n;
    return r == 0 ? write_bytes(o, "", 0, f) : r;
}

static int cat_bytes(struct ns_session *s, const char *name, struct output *o)
{
    struct ns_file *file;
    struct fail f;
    int r = ns_open(&s->ns, name, NS_READ, &file, &f);
    if (r < 0)
        return report_failure(name, &f);
    r = copy_file(file, s->records, o, &f);
    ns_close(file);
    return r < 0 ? report_failure(name, &f) : DONE;
}

static int cat_json(struct ns_session *s, const char *name, struct output *o)
{
    SCOPED_BUF text = BUF_INIT, out = BUF_INIT;
    struct json j;
    struct fail f;
    int r = ns_text(&s->ns, name, MAX_JSON, &text, &f);
    bool whole = r == 0 || r == -EAGAIN;
    int status = whole ? DONE : report_failure(name, &f);
    if (whole) {
        json_start(&j, &out, "ns");
        json_members(&j, "name bytes text", name, text.len,
                     buf_str(&text)); /* up to a NUL: `bytes' tells of more */
        json_end(&j);
        status = write_text(o, &out);
    }
    return status;
}

static int do_cat(struct ns_session *s, int names, char **name, struct output *o)
{
    int status = names ? DONE : applet_misuse(&applet_ns, "cat: NAME is missing");
    for (int i = 0; i < names && status == DONE; i++)
        status = s->json ? cat_json(s, name[i], o) : cat_bytes(s, name[i], o);
    return status;
}

/* --- ls --- */

struct listing {
    const char *directory; /* NULL: the file itself */
    bool everything;
    struct buf out;
    struct json *json;
};

static void mode_text(const struct ns_stat *st, char out[16])
{
    static const char bits[] = "rwxrwxrwx";
    out[0] = st->directory ? 'd' : '-';
    for (int i = 0; i < 9; i++)
        out[i + 1] = st->mode >> (8 - i) & 1 ? bits[i] : '-';
    out[10] = '\0';
}

static void add_name(struct listing *l, const struct ns_stat *st)
{
    size_t len = l->directory ? strlen(l->directory) : 0;
    if (len)
        shown_printf(&l->out, "%s%s", l->directory, l->directory[len - 1] == '/' ? "" : "/");
    shown_printf(&l->out, "%s\n", st->name);
}

static int add_line(void *arg, const struct ns_stat *st)
{
    struct listing *l = arg;
    char mode[16];
    if (l->everything) {
        mode_text(st, mode);
        buf_printf(&l->out, "%s %10llu ", mode, (unsigned long long)st->length);
    }
    add_name(l, st);
    return 0;
}

static int add_json(void *arg, const struct ns_stat *st)
{
    struct json *j = ((struct listing *)arg)->json;
    char mode[8];
    snprintf(mode, sizeof mode, "%04o", st->mode & 07777);
    json_record(j, NULL, "name directory? mode bytes", st->name, st->directory, mode, st->length);
    return 0;
}

static int list_files(struct ns_session *s, const char *name, bool directory, struct listing *l,
                      ns_visit *visit, struct fail *f)
{
    struct ns_stat st;
    int r;
    if (directory)
        return ns_list(&s->ns, name, visit, l, f);
    r = ns_stat(&s->ns, name, &st, f);
    if (r == 0) {
        snprintf(st.name, sizeof st.name, "%.255s", name);
        r = visit(l, &st);
    }
    return r;
}

static int list_json(struct ns_session *s, const char *name, bool directory, struct listing *l,
                     struct fail *f)
{
    struct json j;
    json_start(&j, &l->out, "ns");
    json_str(&j, "name", name);
    json_array(&j, "files");
    l->json = &j;
    int r = list_files(s, name, directory, l, add_json, f);
    json_array_end(&j);
    json_end(&j);
    return r;
}

static int list_one(struct ns_session *s, const char *name, bool everything, struct output *o)
{
    struct listing l = {.everything = everything};
    struct ns_stat st;
    struct fail f;
    int status, r = ns_stat(&s->ns, name, &st, &f);
    if (r == 0) {
        l.directory = st.directory ? name : NULL;
        r = s->json ? list_json(s, name, st.directory, &l, &f)
                    : list_files(s, name, st.directory, &l, add_line, &f);
    }
    status = r < 0 ? report_failure(name, &f) : write_text(o, &l.out);
    buf_release(&l.out);
    return status;
}

static int do_ls(struct ns_session *s, int words, char **word, struct output *o)
{
    bool everything = words && strcmp(word[0], "-l") == 0;
    int status = DONE;
    if (words == everything)
        return list_one(s, "/", everything, o);
    for (int i = everything; i < words && status == DONE; i++)
        status = list_one(s, word[i], everything, o);
    return status;
}

/* --- write --- */

static int do_write(struct ns_session *s, int words, char **word, struct output *o)
{
    SCOPED_BUF text = BUF_INIT;
    struct ns_file *file = NULL;
    struct fail f;
    (void)o;
    if (words < 2)
        return applet_misuse(&applet_ns, "write: NAME or TEXT is missing");
    for (int i = 1; i < words; i++)
        buf_printf(&text, "%s%s", i > 1 ? " " : "", word[i]);
    long r = ns_open(&s->ns, word[0], NS_WRITE | NS_TRUNCATE, &file, &f);
    if (r == 0)
        r = ns_write(file, 0, buf_str(&text), text.len, &f);
    ns_close(file);
    return r < 0 ? report_failure(word[0], &f) : DONE;
}

/* --- the table --- */

static const struct {
    const char *name;
    int (*run)(struct ns_session *s, int words, char **word, struct output *o);
    bool prints;
} verbs[] = {
    {"cat", do_cat, true},
    {"ls", do_ls, true},
    {"write", do_write, false},
};

static int run_printing(struct ns_session *s, size_t verb, int words, char **word)
{
    struct output o = {.path = NULL, .terminal = tty_is_stdout_terminal()};
    struct fail f;
    int status;
    bool redirected = verbs[verb].prints && words > 1 && strcmp(word[words - 2], ">") == 0;
    if (redirected) {
        o.path = word[words - 1];
        o.handle = file_create(o.path, s->force, &f);
        if (o.handle < 0)
            return applet_fail(&applet_ns, &f);
        words -= 2;
    }
    status = verbs[verb].run(s, words, word, &o);
    buf_release(&o.cut);
    if (redirected && file_finish(o.handle, o.path, &f) < 0)
        status = applet_fail(&applet_ns, &f);
    return status;
}

int ns_command(struct ns_session *s, int words, char **word)
{
    int status;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(word[0], verbs[i].name) == 0)
            return run_printing(s, i, words - 1, word + 1);
    if (ns_waiting(s, words, word, &status))
        return status;
    return applet_misuse(&applet_ns, "%s: no such command (cat, ls, write, sleep, run)", word[0]);
}
