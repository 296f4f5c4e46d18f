#include "firefox.h"

/* --- stacks and frames --- */

static void add_address(struct firefox *f, uint64_t address)
{
    if (firefox_address(address))
        json_u64(&f->j, NULL, address);
    else
        json_i64(&f->j, NULL, -1);
}

static void stack_frame(struct firefox *f, size_t row)
{
    json_u64(&f->j, NULL, f->s->node[row].frame);
}

static void stack_prefix(struct firefox *f, size_t row)
{
    firefox_number(f, f->s->node[row].parent);
}

static void add_stack_table(struct firefox *f)
{
    size_t rows = f->s->nodes;
    firefox_table(f, "stackTable", rows);
    firefox_column(f, "frame", rows, stack_frame);
    firefox_column(f, "prefix", rows, stack_prefix);
    firefox_table_end(f);
}

static void frame_address(struct firefox *f, size_t row)
{
    add_address(f, f->s->frame[row].address);
}

static void frame_depth(struct firefox *f, size_t row)
{
    uint32_t depth = f->tables.depth[row];
    json_u64(&f->j, NULL, depth == STACKS_NONE ? 0 : depth);
}

static void frame_category(struct firefox *f, size_t row)
{
    json_u64(&f->j, NULL, f->s->function[f->s->frame[row].function].kind);
}

static void frame_function(struct firefox *f, size_t row)
{
    json_u64(&f->j, NULL, f->s->frame[row].function);
}

static void frame_symbol(struct firefox *f, size_t row)
{
    firefox_number(f, f->tables.symbol_of[row]);
}

static void frame_line(struct firefox *f, size_t row)
{
    uint32_t line = f->s->frame[row].line;
    firefox_number(f, line ? line : STACKS_NONE);
}

static void add_frame_table(struct firefox *f)
{
    size_t rows = f->s->frames;
    firefox_table(f, "frameTable", rows);
    firefox_column(f, "address", rows, frame_address);
    firefox_column(f, "inlineDepth", rows, frame_depth);
    firefox_column(f, "category", rows, frame_category);
    firefox_column(f, "subcategory", rows, firefox_zero);
    firefox_column(f, "func", rows, frame_function);
    firefox_column(f, "nativeSymbol", rows, frame_symbol);
    firefox_column(f, "innerWindowID", rows, firefox_zero);
    firefox_column(f, "line", rows, frame_line);
    firefox_column(f, "column", rows, firefox_null);
    firefox_table_end(f);
}

/* --- functions and where they are from --- */

static void function_name(struct firefox *f, size_t row)
{
    firefox_string(f, f->s->function[row].name);
}

static void function_resource(struct firefox *f, size_t row)
{
    uint32_t module = f->s->function[row].module;
    json_i64(&f->j, NULL, module == STACKS_NONE ? -1 : (int64_t)module);
}

static void function_source(struct firefox *f, size_t row)
{
    const char *file = f->s->function[row].file;
    firefox_number(f, *file ? strtable_index(&f->tables.files, file) : STACKS_NONE);
}

static void add_function_table(struct firefox *f)
{
    size_t rows = f->s->functions;
    firefox_table(f, "funcTable", rows);
    firefox_column(f, "name", rows, function_name);
    firefox_column(f, "isJS", rows, firefox_false);
    firefox_column(f, "relevantForJS", rows, firefox_false);
    firefox_column(f, "resource", rows, function_resource);
    firefox_column(f, "source", rows, function_source);
    firefox_column(f, "lineNumber", rows, firefox_null);
    firefox_column(f, "columnNumber", rows, firefox_null);
    firefox_table_end(f);
}

static void resource_name(struct firefox *f, size_t row)
{
    firefox_string(f, f->s->module[row].name);
}

static void resource_type(struct firefox *f, size_t row)
{
    (void)row;
    json_u64(&f->j, NULL, 1); /* a library */
}

/* A resource a library, in their order. */
static void add_resource_table(struct firefox *f)
{
    size_t rows = f->s->modules;
    firefox_table(f, "resourceTable", rows);
    firefox_column(f, "lib", rows, firefox_row);
    firefox_column(f, "name", rows, resource_name);
    firefox_column(f, "host", rows, firefox_null);
    firefox_column(f, "type", rows, resource_type);
    firefox_table_end(f);
}

static const struct stacks_function *symbol_function(const struct firefox *f, size_t row)
{
    return &f->s->function[f->tables.symbol[row].function];
}

static void symbol_lib(struct firefox *f, size_t row)
{
    json_u64(&f->j, NULL, symbol_function(f, row)->module);
}

static void symbol_address(struct firefox *f, size_t row)
{
    add_address(f, f->tables.symbol[row].address);
}

static void symbol_name(struct firefox *f, size_t row)
{
    firefox_string(f, symbol_function(f, row)->name);
}

static void add_native_symbols(struct firefox *f)
{
    size_t rows = f->tables.symbols;
    firefox_table(f, "nativeSymbols", rows);
    firefox_column(f, "libIndex", rows, symbol_lib);
    firefox_column(f, "address", rows, symbol_address);
    firefox_column(f, "name", rows, symbol_name);
    firefox_column(f, "functionSize", rows, firefox_null);
    firefox_table_end(f);
}

static void source_file(struct firefox *f, size_t row)
{
    firefox_string(f, f->tables.files.text[row]);
}

static void add_sources(struct firefox *f)
{
    size_t rows = f->tables.files.count;
    firefox_table(f, "sources", rows);
    firefox_column(f, "uuid", rows, firefox_null);
    firefox_column(f, "filename", rows, source_file);
    firefox_table_end(f);
}

static void string_text(struct firefox *f, size_t row)
{
    json_str(&f->j, NULL, f->tables.strings.text[row]);
}

void firefox_shared(struct firefox *f)
{
    json_object(&f->j, "shared");
    add_stack_table(f);
    add_frame_table(f);
    add_function_table(f);
    add_resource_table(f);
    add_native_symbols(f);
    add_sources(f);
    firefox_column(f, "stringArray", f->tables.strings.count, string_text);
    json_object_end(&f->j);
}
