#include "applets/sym_llvm_lines.h"

#include "applets/sym_target.h"
#include "core/symbol/llvm_input.h"
#include "core/text/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- JSON --- */

static void add_json(struct sym_llvm_lines *s, const struct buf *object, struct buf *out)
{
    if (s->listed) {
        buf_printf(&s->list, "%s%s", s->list.len ? "," : "", buf_str(object));
        return;
    }
    if (s->format.pretty)
        json_indent(buf_str(object), out);
    else
        buf_adds(out, buf_str(object));
    buf_addc(out, '\n');
}

void sym_llvm_end(void *lines, const struct sym_question *q, struct buf *out)
{
    struct sym_llvm_lines *s = lines;
    (void)q;
    if (!s->listed)
        return;
    SCOPED_BUF all = BUF_INIT;
    buf_printf(&all, "[%s]", buf_str(&s->list));
    s->listed = false;
    add_json(s, &all, out);
    buf_release(&s->list);
}

static void error_json(struct sym_llvm_lines *s, const char *file, const uint64_t *address,
                       const char *message, struct buf *out)
{
    SCOPED_BUF object = BUF_INIT;
    llvm_json_error(file, address, message, &object);
    add_json(s, &object, out);
}

static void invalid_json(struct sym_llvm_lines *s, const char *file, const char *line,
                         struct buf *out)
{
    SCOPED_BUF message = BUF_INIT;
    buf_printf(&message, "unable to parse arguments: %s", line);
    error_json(s, file, NULL, buf_str(&message), out);
}

/* --- a request --- */

static void add_answer(struct sym_llvm_lines *s, const char *file, const struct answer *a,
                       struct buf *out)
{
    SCOPED_BUF object = BUF_INIT;
    if (s->format.style != LLVM_JSON) {
        llvm_text(&s->format, a, out);
        return;
    }
    llvm_json(&s->format, file, a, &object);
    add_json(s, &object, out);
}

/* Why a file could not be opened is reported once; in JSON as the first answer. */
static void no_answer(struct sym_llvm_lines *s, struct sym_file *one, uint64_t address,
                      struct buf *out)
{
    const struct answer none = {.address = address, .bits = 64};
    bool reported = !one->why.what[0];
    if (!reported && s->format.style != LLVM_JSON)
        applet_fail(&applet_sym, &one->why);
    if (reported || s->format.style != LLVM_JSON)
        add_answer(s, one->path, &none, out);
    else
        error_json(s, one->path, &address,
                   one->why.err && one->why.err != ENOEXEC
                       ? strerror(one->why.err)
                       : "The file was not recognized as a valid object file",
                   out);
    one->why.what[0] = '\0';
}

static void answer_request(struct sym_llvm_lines *s, const char *file, uint64_t address,
                           struct buf *out)
{
    struct answer a;
    struct sym_file *one = sym_files_get(&s->files, file);
    if (!one || !one->open) {
        struct sym_file nameless = {.path = (char *)(uintptr_t)file};
        no_answer(s, one ? one : &nameless, address, out);
        return;
    }
    if (s->file && !s->announced)
        sym_warn_missing(&one->target);
    s->announced = true;
    target_address(&one->target, address, &a);
    add_answer(s, file, &a, out);
}

void sym_llvm_line(struct sym_llvm_lines *s, const char *line, struct buf *out)
{
    struct llvm_request r;
    bool valid = llvm_request(line, !s->file, &r);
    SCOPED_FREE char *own = s->file ? NULL : strndup(r.file, r.file_len);
    const char *file = s->file ? s->file : own ? own : "";
    if (valid)
        answer_request(s, file, r.address, out);
    else if (s->format.style == LLVM_JSON)
        invalid_json(s, file, line, out);
    else
        buf_printf(out, "%s\n", line);
}

/* Requests whose answers are one array are answered as they come. */
struct sym_place sym_llvm_place(struct sym_llvm_lines *s, const char *line, struct intern *files)
{
    struct llvm_request r;
    if (s->listed || !llvm_request(line, !s->file, &r))
        return (struct sym_place){0};
    if (s->file)
        return (struct sym_place){.address = r.address};
    size_t known = files->count;
    SCOPED_FREE char *name = strndup(r.file, r.file_len);
    uint32_t file = intern_string(files, name ? name : "");
    return (struct sym_place){file, false, files->count > known ? 0 : r.address};
}

uint64_t sym_llvm_file_bytes(struct sym_llvm_lines *s)
{
    if (s->file)
        sym_files_get(&s->files, s->file);
    uint64_t bytes = 0;
    for (size_t i = 0; i < s->files.files; i++)
        bytes += s->files.file[i].open ? symbols_file_bytes(&s->files.file[i].target.symbols) : 0;
    return bytes;
}
