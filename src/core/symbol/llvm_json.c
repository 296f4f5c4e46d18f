#include "core/symbol/llvm_output.h"

#include "core/text/json.h"

#include <inttypes.h>
#include <stdio.h>

static void hex_or_empty(struct json *j, const char *key, bool has, uint64_t address)
{
    char text[2 + 16 + 1] = "";
    if (has)
        snprintf(text, sizeof text, "0x%" PRIx64, address);
    json_str(j, key, text);
}

static void text_or_empty(struct json *j, const char *key, const char *text)
{
    json_str(j, key, text ? text : "");
}

static void add_source(const struct llvm_format *f, const struct frame *r, struct json *j)
{
    struct buf lines = BUF_INIT;
    llvm_context(f, r, &lines);
    if (lines.len)
        json_str(j, "Source", buf_str(&lines));
    buf_release(&lines);
}

static void add_frame(const struct llvm_format *f, const struct frame *r, struct json *j)
{
    json_object(j, NULL);
    json_u64(j, "Column", r->column);
    json_u64(j, "Discriminator", r->discriminator);
    text_or_empty(j, "FileName", r->file);
    text_or_empty(j, "FunctionName", f->no_functions ? "" : demangled(f->names, r->function));
    json_u64(j, "Line", r->line);
    add_source(f, r, j);
    hex_or_empty(j, "StartAddress", r->has_start, r->start);
    text_or_empty(j, "StartFileName", r->start_file);
    json_u64(j, "StartLine", r->start_line);
    json_object_end(j);
}

void llvm_json(const struct llvm_format *f, const char *module, const struct answer *a,
               struct buf *out)
{
    struct json j = {.out = out, .short_escapes = true};
    struct frame r;
    json_object(&j, NULL);
    hex_or_empty(&j, "Address", true, a->address);
    json_str(&j, "ModuleName", module);
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
        hex_or_empty(&j, "Address", true, *address);
    json_object(&j, "Error");
    json_str(&j, "Message", message);
    json_object_end(&j);
    json_str(&j, "ModuleName", module);
    json_object_end(&j);
}
