#include "core/symbol/llvm_output.h"

#include "core/text/json.h"

static void add_source(const struct llvm_format *f, const struct frame *r, struct json *j)
{
    SCOPED_BUF lines = BUF_INIT;
    llvm_context(f, r, &lines);
    if (lines.len)
        json_str(j, "Source", buf_str(&lines));
}

static void add_frame(const struct llvm_format *f, const struct frame *r, struct json *j)
{
    json_object(j, NULL);
    const char *function = f->no_functions ? NULL : demangled(f->names, r->function);
    json_members(j, "Column Discriminator FileName FunctionName Line", r->column, r->discriminator,
                 r->file ? r->file : "", function ? function : "", r->line);
    add_source(f, r, j);
    if (r->has_start)
        json_hex(j, "StartAddress", r->start);
    else
        json_str(j, "StartAddress", "");
    json_members(j, "StartFileName StartLine", r->start_file ? r->start_file : "", r->start_line);
    json_object_end(j);
}

void llvm_json(const struct llvm_format *f, const char *module, const struct answer *a,
               struct buf *out)
{
    struct json j = {.out = out, .short_escapes = true};
    struct frame r;
    json_object(&j, NULL);
    json_members(&j, "Address:x ModuleName", a->address, module);
    json_array(&j, "Symbol");
    for (size_t i = 0; i < llvm_frames(f, a); i++) {
        llvm_frame_at(f, a, i, &r);
        add_frame(f, &r, &j);
    }
    json_array_end(&j);
    json_object_end(&j);
}

void llvm_json_error(const char *module, const uint64_t *address, const char *message,
                     struct buf *out)
{
    struct json j = {.out = out, .short_escapes = true};
    json_object(&j, NULL);
    if (address)
        json_hex(&j, "Address", *address);
    json_record(&j, "Error", "Message", message);
    json_str(&j, "ModuleName", module);
    json_object_end(&j);
}
