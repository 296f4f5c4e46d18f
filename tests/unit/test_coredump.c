#include "unit.h"

#include "coredump_make.h"

#include "core/coredump/coredump.h"

enum { CODE = 0x400000, LIB = 0x700000, STACK = 0x900000, VDSO = 0xa00000 };

static const struct core_made_file files[] = {
    {LIB, LIB + 0x1000, 0, "/lib/some.so"},
    {LIB + 0x1000, LIB + 0x3000, 1, "/lib/some.so"},
    {CODE, CODE + 0x2000, 0, "/bin/prog"},
};

/* What a kernel would write, and the text mapping of the library left out, as gcore does. */
static void make(struct core_make *c, struct buf *out)
{
    uint64_t regs[34] = {0};
    struct buf info = BUF_INIT;
    for (size_t i = 0; i < 34; i++)
        regs[i] = 0x1000 + i;
    core_thread(c, 41, 11, regs, 34);
    core_thread(c, 42, 0, regs, 34);
    core_number(c, &info, 0, c->wide ? 16 : 8);
    core_number(c, &info, 0, c->wide ? 8 : 4); /* users */
    for (unsigned i = 0; i < 4; i++)
        core_number(c, &info, 40 + i, 4);
    buf_add(&info, "prog\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    buf_add(&info, "prog -x ", 9);
    for (unsigned i = 9; i < 80; i++)
        buf_addc(&info, 0);
    core_note(c, NT_PRPSINFO, info.data, info.len);
    buf_clear(&info);
    core_word(c, &info, AT_ENTRY);
    core_word(c, &info, CODE + 0x1010);
    core_word(c, &info, AT_SYSINFO_EHDR);
    core_word(c, &info, VDSO);
    core_note(c, NT_AUXV, info.data, info.len);
    buf_release(&info);
    core_files(c, files, sizeof files / sizeof files[0]);
    core_load(c, CODE, 0x1000, PF_R, "head", 4);
    core_load(c, CODE + 0x1000, 0x1000, PF_R | PF_X, "", 0);
    core_load(c, LIB, 0x1000, PF_R, "lib head", 8);
    core_load(c, STACK, 0x1000, PF_R | PF_W, "stack", 5);
    core_load(c, VDSO, 0x1000, PF_R | PF_X, "vdso", 4);
    core_finish(c, out);
}

static void check_code(const struct coredump *c)
{
    static const struct coredump_code want[] = {
        {CODE + 0x1000, CODE + 0x2000, 0x1000, "/bin/prog", CODE},
        {LIB + 0x1000, LIB + 0x3000, 0x1000, "/lib/some.so", LIB},
        {VDSO, VDSO + 0x1000, 0, "[vdso]", VDSO},
    };
    struct coredump_cursor at = {0};
    struct coredump_code got;
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        CHECK(coredump_next_code(c, &at, &got));
        CHECK_INT(got.start, want[i].start);
        CHECK_INT(got.end, want[i].end);
        CHECK_INT(got.file_offset, want[i].file_offset);
        CHECK_INT(got.base, want[i].base);
        CHECK_STR(got.path, want[i].path);
    }
    CHECK(!coredump_next_code(c, &at, &got));
}

static void check_memory(const struct coredump *c)
{
    uint64_t avail;
    const uint8_t *at = coredump_memory(c, STACK + 2, &avail);
    CHECK(at && avail == 3 && memcmp(at, "ack", 3) == 0);
    CHECK(!coredump_memory(c, STACK + 5, &avail));
    CHECK(!coredump_memory(c, CODE + 0x1000, &avail));
    CHECK(!coredump_memory(c, 0, &avail));
    CHECK(!coredump_memory(c, UINT64_MAX, &avail));
}

static void check_process(const struct coredump *c)
{
    CHECK_INT(c->pid, 40);
    CHECK_INT(c->signal, 11);
    CHECK_STR(c->command, "prog");
    CHECK_STR(c->arguments, "prog -x ");
    CHECK_INT(c->entry, CODE + 0x1010);
    CHECK_INT(c->vdso, VDSO);
    CHECK_INT(c->left_out, 0);
    CHECK_INT(c->missing_bytes, 0);
}

/* index: of the pc and of the stack pointer among the words. */
static void check_threads(const struct coredump *c, size_t pc, size_t sp, bool unwinds)
{
    struct coredump_thread t;
    CHECK_INT(c->threads, 2);
    coredump_thread(c, 1, &t);
    CHECK_INT(t.tid, 42);
    CHECK(t.has_pc);
    CHECK_INT(t.pc, 0x1000 + pc);
    CHECK_INT(t.unwinds, unwinds);
    if (unwinds) {
        CHECK_INT(t.regs.r[UNWIND_PC], 0x1000 + pc);
        CHECK_INT(unwind_stack(t.unwinder, &t.regs), 0x1000 + sp);
    }
}

static void check_machine(unsigned machine, bool wide, bool big_endian, size_t pc, size_t sp,
                          bool unwinds)
{
    struct core_make make_it = {.wide = wide, .big_endian = big_endian, .machine = machine};
    struct buf bytes = BUF_INIT;
    struct coredump c;
    make(&make_it, &bytes);
    CHECK_INT(coredump_open((const uint8_t *)bytes.data, bytes.len, &c, NULL), 0);
    CHECK_INT(c.machine, machine);
    check_process(&c);
    check_code(&c);
    check_memory(&c);
    check_threads(&c, pc, sp, unwinds);
    coredump_release(&c);
    buf_release(&bytes);
}

TEST(each_machine)
{
    check_machine(EM_X86_64, true, false, 16, 19, true);
    check_machine(EM_AARCH64, true, false, 32, 31, true);
    check_machine(EM_AARCH64, true, true, 32, 31, true);
    check_machine(EM_ARM, false, false, 15, 13, true);
    check_machine(EM_ARM, false, true, 15, 13, true);
    check_machine(EM_386, false, false, 12, 0, false);
}

TEST(another_machine_has_memory_but_no_registers)
{
    struct core_make m = {.wide = true, .machine = EM_RISCV};
    struct buf bytes = BUF_INIT;
    struct coredump c;
    struct coredump_thread t;
    make(&m, &bytes);
    CHECK_INT(coredump_open((const uint8_t *)bytes.data, bytes.len, &c, NULL), 0);
    check_code(&c);
    coredump_thread(&c, 0, &t);
    CHECK(!t.has_pc && !t.unwinds && t.tid == 41);
    coredump_release(&c);
    buf_release(&bytes);
}

TEST(cut_short_at_each_byte)
{
    struct core_make m = {.wide = true, .machine = EM_X86_64};
    struct buf bytes = BUF_INIT;
    make(&m, &bytes);
    for (size_t len = 0; len < bytes.len; len++) {
        struct coredump c;
        uint8_t *cut = malloc(len + 1); /* its end is the end of the memory, for the sanitizer */
        memcpy(cut, bytes.data, len);
        if (coredump_open(cut, len, &c, NULL) == 0 && len >= core_head(&m) + 100)
            CHECK_INT(c.missing_bytes, bytes.len - len);
        coredump_release(&c);
        free(cut);
    }
    buf_release(&bytes);
}

static void check_refused(const char *bytes, size_t len, const char *why)
{
    struct coredump c;
    struct fail f;
    CHECK(coredump_open((const uint8_t *)bytes, len, &c, &f) < 0);
    CHECK_STR(f.what, why);
    coredump_release(&c);
}

TEST(what_is_none)
{
    char head[64] = "\177ELF\2\1\1";
    check_refused("", 0, "not a core file");
    check_refused("hello", 5, "not a core file");
    check_refused("\x28\xb5\x2f\xfd....", 8, "the file is compressed");
    head[16] = ET_DYN;
    check_refused(head, sizeof head, "a program or library, not a core file");
    head[16] = ET_CORE;
    check_refused(head, sizeof head, "its program headers are damaged");
}

TEST(what_overlaps_is_left_out)
{
    static const struct core_made_file twice[] = {
        {0x1000, 0x3000, 0, "/a"}, {0x2000, 0x4000, 0, "/b"}, {0x4000, 0x5000, 0, "/c"}};
    struct core_make m = {.wide = true, .machine = EM_X86_64};
    struct buf bytes = BUF_INIT;
    struct coredump c;
    uint64_t avail;
    core_files(&m, twice, 3);
    core_load(&m, 0x8000, 0x2000, PF_R, "first", 5);
    core_load(&m, 0x9000, 0x2000, PF_R, "second", 6);
    core_finish(&m, &bytes);
    CHECK_INT(coredump_open((const uint8_t *)bytes.data, bytes.len, &c, NULL), 0);
    CHECK_INT(c.files, 2);
    CHECK_STR(c.file[1].path, "/c");
    CHECK_INT(c.segments, 1);
    CHECK_INT(c.left_out, 2);
    CHECK(!coredump_memory(&c, 0x9000, &avail));
    coredump_release(&c);
    buf_release(&bytes);
}

TEST(fault_address)
{
    struct core_make m = {.wide = true, .machine = EM_X86_64};
    struct buf bytes = BUF_INIT, info = BUF_INIT;
    struct coredump c;
    core_number(&m, &info, 11, 4);
    core_number(&m, &info, 0, 4);
    core_number(&m, &info, 1, 4);
    core_number(&m, &info, 0, 4);
    core_number(&m, &info, 0xdead, 8);
    core_note(&m, 0x53494749, info.data, info.len);
    core_finish(&m, &bytes);
    CHECK_INT(coredump_open((const uint8_t *)bytes.data, bytes.len, &c, NULL), 0);
    CHECK(c.has_fault);
    CHECK_INT(c.fault, 0xdead);
    CHECK_INT(c.signal, 11);
    coredump_release(&c);
    buf_release(&bytes);
    buf_release(&info);
}
