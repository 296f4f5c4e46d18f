#include "firefox.h"

static struct text_value string_number(struct firefox *f, const char *text)
{
    return text_value_u64(intern_string(&f->tables.strings, text));
}

static struct text_value address_of(uint64_t address)
{
    return firefox_address(address) ? text_value_u64(address) : text_value_i64(-1);
}

static void add_stack(struct firefox *f, size_t row)
{
    firefox_cells(f, f->s->node[row].frame, firefox_index(f->s->node[row].parent));
}

static void add_frame(struct firefox *f, size_t row)
{
    const struct stacks_frame *frame = &f->s->frame[row];
    uint32_t depth = f->tables.depth[row], line = frame->line ? frame->line : STACKS_NONE;
    firefox_cells(f, address_of(frame->address), depth == STACKS_NONE ? 0 : depth,
                  f->s->function[frame->function].kind, 0, frame->function,
                  firefox_index(f->tables.symbol_of[row]), 0, firefox_index(line), NULL);
}

static void add_function(struct firefox *f, size_t row)
{
    const struct stacks_function *function = &f->s->function[row];
    uint32_t module = function->module;
    uint32_t file = *function->file ? intern_string(&f->tables.files, function->file) : STACKS_NONE;
    firefox_cells(f, string_number(f, function->name), text_value_bool(false),
                  text_value_bool(false), module == STACKS_NONE ? -1 : (int64_t)module,
                  firefox_index(file), NULL, NULL);
}

/* A resource a library, in their order. */
static void add_resource(struct firefox *f, size_t row)
{
    enum { LIBRARY = 1 };
    firefox_cells(f, row, string_number(f, f->s->module[row].name), NULL, LIBRARY);
}

static void add_symbol(struct firefox *f, size_t row)
{
    const struct firefox_symbol *symbol = &f->tables.symbol[row];
    const struct stacks_function *function = &f->s->function[symbol->function];
    firefox_cells(f, function->module, address_of(symbol->address),
                  string_number(f, function->name), NULL);
}

static void add_source(struct firefox *f, size_t row)
{
    firefox_cells(f, NULL, string_number(f, intern_string_at(&f->tables.files, row)));
}

static void add_string(struct firefox *f, size_t row)
{
    json_str(&f->j, NULL, intern_string_at(&f->tables.strings, row));
}

void firefox_shared(struct firefox *f)
{
    json_object(&f->j, "shared");
    firefox_table(f, "stackTable", f->s->nodes, "frame prefix", add_stack);
    firefox_table(f, "frameTable", f->s->frames,
                  "address inlineDepth category subcategory func nativeSymbol innerWindowID line "
                  "column",
                  add_frame);
    firefox_table(f, "funcTable", f->s->functions,
                  "name isJS relevantForJS resource source lineNumber columnNumber", add_function);
    firefox_table(f, "resourceTable", f->s->modules, "lib name host type", add_resource);
    firefox_table(f, "nativeSymbols", f->tables.symbols, "libIndex address name functionSize",
                  add_symbol);
    firefox_table(f, "sources", f->tables.files.count, "uuid filename", add_source);
    firefox_array(f, "stringArray", f->tables.strings.count, add_string);
    json_object_end(&f->j);
}
