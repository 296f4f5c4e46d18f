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

static const struct firefox_column stack_columns[] = {
    {"frame", stack_frame},
    {"prefix", stack_prefix},
    {NULL, NULL},
};

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

static const struct firefox_column frame_columns[] = {
    {"address", frame_address},      {"inlineDepth", frame_depth},
    {"category", frame_category},    {"subcategory", firefox_zero},
    {"func", frame_function},        {"nativeSymbol", frame_symbol},
    {"innerWindowID", firefox_zero}, {"line", frame_line},
    {"column", firefox_null},        {NULL, NULL},
};

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
    firefox_number(f, *file ? intern_string(&f->tables.files, file) : STACKS_NONE);
}

static const struct firefox_column function_columns[] = {
    {"name", function_name},          {"isJS", firefox_false},
    {"relevantForJS", firefox_false}, {"resource", function_resource},
    {"source", function_source},      {"lineNumber", firefox_null},
    {"columnNumber", firefox_null},   {NULL, NULL},
};

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
static const struct firefox_column resource_columns[] = {
    {"lib", firefox_row}, {"name", resource_name}, {"host", firefox_null}, {"type", resource_type},
    {NULL, NULL},
};

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

static const struct firefox_column symbol_columns[] = {
    {"libIndex", symbol_lib},
    {"address", symbol_address},
    {"name", symbol_name},
    {"functionSize", firefox_null},
    {NULL, NULL},
};

static void source_file(struct firefox *f, size_t row)
{
    firefox_string(f, intern_string_at(&f->tables.files, row));
}

static const struct firefox_column source_columns[] = {
    {"uuid", firefox_null},
    {"filename", source_file},
    {NULL, NULL},
};

static void string_text(struct firefox *f, size_t row)
{
    json_str(&f->j, NULL, intern_string_at(&f->tables.strings, row));
}

void firefox_shared(struct firefox *f)
{
    json_object(&f->j, "shared");
    firefox_table(f, "stackTable", f->s->nodes, stack_columns);
    firefox_table(f, "frameTable", f->s->frames, frame_columns);
    firefox_table(f, "funcTable", f->s->functions, function_columns);
    firefox_table(f, "resourceTable", f->s->modules, resource_columns);
    firefox_table(f, "nativeSymbols", f->tables.symbols, symbol_columns);
    firefox_table(f, "sources", f->tables.files.count, source_columns);
    firefox_column(f, "stringArray", f->tables.strings.count, string_text);
    json_object_end(&f->j);
}
