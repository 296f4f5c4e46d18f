#include "unit.h"

#include "core/base/budget.h"
#include "core/containers/range_map.h"
#include "core/dwarf/lines.h"
#include "core/elf/elf.h"
#include "core/unwind/cfi.h"
#include "engine/symbols/symbols.h"
#include "plat/file.h"

#include <errno.h>
#include <stdlib.h>

enum { KB = 1 << 10, MB = 1 << 20, FRAMES = 64 };

TEST(budget_take_denies_more_than_is_left)
{
    struct budget b;
    budget_init(&b, 100);
    CHECK(budget_take(&b, 60));
    CHECK(!budget_take(&b, 41));
    CHECK_INT(b.left, 40);
    CHECK_INT(b.denied, 1);
    CHECK(budget_take(&b, 40));
    budget_give(&b, 100);
    CHECK_INT(b.left, 100);
    CHECK_INT(budget_fits(&b, 1000, 30), 3);
    CHECK_INT(budget_fits(&b, 2, 30), 2);
    CHECK(budget_take(NULL, SIZE_MAX));
    CHECK_INT(budget_fits(NULL, 7, 30), 7);
}

/* Bytes that the share gets, each by each. */
static size_t take_all(struct budget *share, size_t each)
{
    size_t taken = 0;
    while (budget_take(share, each))
        taken += each;
    return taken;
}

TEST(a_share_leaves_the_others_half_of_what_is_left)
{
    struct budget whole, first, second, third;
    budget_init(&whole, 64 * MB);
    budget_share(&first, &whole);
    budget_share(&second, &whole);
    budget_share(&third, &whole);
    CHECK_INT(budget_fits(&first, SIZE_MAX, MB), 32);
    CHECK_INT(take_all(&first, MB), 32 * MB);
    CHECK_INT(take_all(&second, MB), 16 * MB);
    CHECK_INT(whole.left, 16 * MB);
    CHECK(!budget_take(&third, 9 * MB));
    CHECK(budget_take(&third, 8 * MB));
    CHECK_INT(third.denied, 1);
    CHECK_INT(first.denied, 1);
    CHECK_INT(whole.denied, 0);
    budget_give(&first, 32 * MB);
    CHECK_INT(budget_fits(&third, SIZE_MAX, MB), 16);
    budget_give(&second, 16 * MB);
    budget_give(&third, 8 * MB);
    CHECK_INT(whole.left, 64 * MB);
    CHECK_INT(first.held + second.held + third.held, 0);
}

TEST(a_share_of_a_large_budget_leaves_the_others_512_MB)
{
    struct budget whole, first, second;
    budget_init(&whole, (size_t)2047 * MB);
    budget_share(&first, &whole);
    budget_share(&second, &whole);
    CHECK_INT(take_all(&first, MB), (size_t)1535 * MB);
    CHECK_INT(take_all(&second, MB), 256 * MB);
}

TEST(budget_grow_stays_within_the_limit)
{
    struct budget b;
    uint64_t *array = NULL;
    size_t room = 0, count = 0;
    budget_init(&b, 1000);
    while (budget_grow(&b, (void **)&array, &room, count, sizeof *array))
        array[count++] = 1;
    CHECK(count >= 40 && count <= 125);
    CHECK_INT(b.left, 1000 - room * sizeof *array);
    budget_shrink(&b, (void **)&array, &room, 10, sizeof *array);
    CHECK_INT(b.left, 1000 - 80);
    budget_free(&b, array, room, sizeof *array);
    CHECK_INT(b.left, 1000);
}

TEST(span_map_stays_within_its_budget)
{
    for (size_t limit = 100; limit < 100 * KB; limit += limit / 4) {
        struct budget b;
        budget_init(&b, limit);
        struct spans s = {.max = 1000, .budget = &b};
        struct span_map m = {0};
        for (uint64_t i = 0; i < 1000 && spans_add(&s, 10 * i, 10 * i + 5, (uint32_t)i); i++)
            CHECK(b.left < limit);
        bool made = span_map_make(&m, &s);
        CHECK(!made || !s.count || b.left + m.cap * sizeof *m.at < limit);
        span_map_release(&m);
        spans_release(&s);
        CHECK_INT(b.left, limit);
    }
}

/* --- symbols --- */

static struct symtab *table_of(struct budget *b, size_t symbols, size_t name_len)
{
    char name[4096];
    struct symtab_builder *t = symtab_builder_new(b);
    memset(name, 'n', name_len);
    name[name_len] = '\0';
    for (uint64_t i = 0; i < symbols; i++) {
        if (name_len)
            name[name_len - 1] = (char)('a' + i % 26); /* none ends the one before it */
        symtab_add(t, &(struct symbol_found){
                          .addr = i, .size = 1, .name = name, .copy_name = name_len > 0});
    }
    struct symtab *table = symtab_build(t);
    symtab_builder_free(t);
    return table;
}

TEST(symbol_tables_share_one_budget)
{
    struct budget b;
    struct symtab *t[8];
    size_t kept = 0, left_out = 0;
    budget_init(&b, 200 * KB);
    for (int i = 0; i < 8; i++) {
        t[i] = table_of(&b, 2000, 0);
        kept += symtab_count(t[i]);
        left_out += symtab_left_out(t[i]);
    }
    CHECK_INT(kept + left_out, 8 * 2000);
    CHECK(kept * sizeof(struct symbol) <= 200 * KB);
    CHECK(kept > 3 * 2000 && left_out > 2000);
    CHECK_INT(symtab_left_out(t[0]), 0);
    CHECK_STR(symtab_find(t[0], 1999)->name, "");
    for (int i = 0; i < 8; i++)
        symtab_free(t[i]);
    CHECK_INT(b.left, 200 * KB);
}

TEST(copies_of_names_count)
{
    struct budget b;
    budget_init(&b, 1 * MB);
    struct symtab *t = table_of(&b, 1000, 4000);
    CHECK(symtab_count(t) > 10 && symtab_count(t) < 260);
    CHECK_INT(symtab_left_out(t), 1000 - symtab_count(t));
    symtab_free(t);
    CHECK_INT(b.left, 1 * MB);
}

/* --- what is read of a file, at limits from nothing to enough --- */

static struct image mapped(const char *name)
{
    char path[512];
    struct image image = {0};
    snprintf(path, sizeof path, "%s/data/dwarf/%s", unit_folder(), name);
    CHECK_INT(file_map(path, SIZE_MAX, &image, NULL), 0);
    return image;
}

static size_t ask(struct lines *l)
{
    struct lines_frame frame[FRAMES] = {{0}};
    size_t answered = 0;
    for (uint64_t addr = 0x10000; addr < 0x11000; addr += 2)
        answered += lines_at(l, addr, frame, FRAMES) > 0;
    return answered;
}

/* How many addresses have an answer; *denied: whether anything did not fit. */
static size_t lines_within(const struct image *image, size_t limit, bool *denied)
{
    struct budget b;
    struct lines *l = NULL;
    size_t answered = 0;
    budget_init(&b, limit);
    if (lines_open(image->data, image->len, &b, &l, NULL) == 0)
        answered = ask(l);
    CHECK(b.left <= limit);
    lines_close(l);
    CHECK_INT(b.left, limit);
    *denied = b.denied;
    return answered;
}

TEST(line_tables_stay_within_the_budget_and_return_it)
{
    static const char *const files[] = {"gcc-O2", "clang-O2", "gcc-zlib"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct image image = mapped(files[i]);
        bool denied;
        size_t all = lines_within(&image, SIZE_MAX, &denied), some = 0;
        CHECK(all > 0 && !denied);
        for (size_t limit = 64; limit < 4 * MB; limit += limit / 5) {
            size_t answered = lines_within(&image, limit, &denied);
            CHECK(denied || answered == all);
            CHECK(answered <= all);
            some += denied;
        }
        CHECK(some > 5);
        CHECK_INT(lines_within(&image, 4 * MB, &denied), all);
        file_unmap(&image);
    }
}

TEST(elf_symbols_stay_within_the_budget)
{
    struct image image = mapped("gcc-O2");
    for (size_t limit = 64; limit < 4 * MB; limit += limit / 5) {
        struct budget b;
        struct elf_module *m;
        budget_init(&b, limit);
        CHECK_INT(elf_open(image.data, image.len, &m, NULL), 0);
        elf_set_budget(m, &b);
        const struct symtab *t = elf_symbols(m);
        CHECK(b.denied ? symtab_left_out(t) > 0 : symtab_count(t) > 2);
        CHECK(limit - b.left >= symtab_count(t) * sizeof(struct symbol));
        elf_close(m);
        CHECK_INT(b.left, limit);
    }
    file_unmap(&image);
}

TEST(call_frame_information_stays_within_the_budget)
{
    struct image image = mapped("gcc-O2");
    size_t without = 0, with = 0;
    for (size_t limit = 64; limit < 4 * MB; limit += limit / 5) {
        struct budget b;
        struct cfi *c = NULL;
        struct cfi_size size;
        budget_init(&b, limit);
        int r = cfi_new(&(struct cfi_image){image.data, image.len, &b}, NULL, &c, NULL);
        CHECK_INT(r, b.denied ? -EFBIG : 0);
        without += r != 0;
        with += r == 0;
        if (c)
            cfi_size(c, &size);
        CHECK(!c || (size.rows > 3 && limit - b.left >= size.rows * 8));
        cfi_free(c);
        CHECK_INT(b.left, limit);
    }
    CHECK(without > 2 && with > 2);
    file_unmap(&image);
}

TEST(the_limit_is_a_share_of_the_memory)
{
    CHECK_INT(symbols_memory_limit(0), 64 * MB);
    CHECK_INT(symbols_memory_limit(256 * MB), 64 * MB);
    CHECK_INT(symbols_memory_limit(1024 * MB), 256 * MB);
    size_t quarter = SIZE_MAX / 4; /* which in 32 bits is less */
    CHECK_INT(symbols_memory_limit(SIZE_MAX), quarter < INT32_MAX ? quarter : INT32_MAX);
}

TEST(the_limit_of_line_tables_is_a_share_of_the_free_memory)
{
    CHECK_INT(symbols_lines_limit(0), 16 * MB);
    CHECK_INT(symbols_lines_limit((uint64_t)2048 * MB), 128 * MB);
    CHECK_INT(symbols_lines_limit((uint64_t)16384 * MB), 1024 * MB);
    CHECK_INT(symbols_lines_limit((uint64_t)65536 * MB), 1024 * MB);
    CHECK_INT(symbols_lines_limit(UINT64_MAX), 192 * MB);
}

/* --- of one module --- */

/* Everything that is read of the file, within a limit for all; *s and *t are the caller's to free.
 */
static struct module *module_within(size_t limit, struct debugfile_search *search,
                                    struct symbols *s, struct modules *t)
{
    char path[512];
    struct module_identity id = {0};
    struct frames frames = {0};
    search->most_bytes = limit;
    symbols_init(s, search);
    struct module *m = module_append(t, "/gcc-O2", &id);
    snprintf(path, sizeof path, "%s/data/dwarf/gcc-O2", unit_folder());
    CHECK_INT(symbols_use_file(s, m, path, NULL), 0);
    for (uint64_t addr = 0x10000; addr < 0x11000; addr += 16)
        symbols_frames(s, m, addr, &frames);
    symbols_cfi(s, m);
    frames_release(&frames);
    return m;
}

TEST(a_module_has_a_share_for_symbols_lines_and_call_frames)
{
    size_t over = 0, within = 0;
    for (size_t limit = 4 * KB; limit < 4 * MB; limit += limit / 4) {
        struct debugfile_search search = {0};
        struct symbols s;
        struct modules t = {0};
        struct module *m = module_within(limit, &search, &s, &t);
        CHECK(m->memory.held > 0 && m->memory.held <= limit / 2);
        CHECK_INT(s.memory.left + m->memory.held, limit);
        CHECK_INT(m->incomplete, m->memory.denied > 0);
        CHECK_INT(s.short_of_memory, m->incomplete);
        over += m->incomplete;
        within += !m->incomplete;
        modules_release(&t);
        CHECK_INT(s.memory.left, limit);
        symbols_release(&s);
    }
    CHECK(over > 2 && within > 2);
}
