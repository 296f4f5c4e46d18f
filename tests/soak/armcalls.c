/*
 * armcalls: a plugin of qemu-arm that keeps the true call stacks of a 32-bit ARM program, by its
 * calls, returns and stack pointers, and writes what an unwinder gets (registers, stack, mappings)
 * with that stack at random instants, for tests/tools/unwinddump.c:
 *
 *   qemu-arm -singlestep -B BASE -plugin libarmcalls.so,base=BASE,out=FILE,every=N,seed=N PROGRAM
 *
 * Mean distance of two instants: every= instructions. It shares no code with psuite. Plugins of
 * QEMU 7.2 cannot read registers, but generated code calls them with the processor's state in a
 * register of the host's, and with -singlestep everything is stored there before an instruction.
 * Hosts: x86-64, AArch64.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- of qemu-plugin.h, version 1: Debian has no package with it --- */

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                                  void (*)(qemu_plugin_id_t,
                                                           struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *,
                                                 void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *),
                                           void *);
int qemu_plugin_version = 1;

/* --- state --- */

enum { SP = 13, LR = 14, CPUS = 64, DEPTH = 1 << 16, THUMB_AT = 333, MAX_STACK = 1 << 20 };
enum { SIGRETURN = 119, RT_SIGRETURN = 173 };

struct insn {
    uint32_t pc;
    uint8_t bytes[4];
    uint8_t len;
};

struct frame {
    uint32_t returns_to, sp; /* sp: when it was called */
    bool signal;             /* returns_to is the return from a signal, which interrupted: */
    uint32_t interrupted;
};

struct cpu {
    struct frame *frame;
    size_t depth;
    const struct insn *last;
    bool last_thumb, raised; /* raised: the stack pointer has left a frame that did not return */
    uint32_t sp, lr, r7;     /* before the last instruction */
};

static struct cpu cpus[CPUS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t base, every = 100000, seed = 1, count, next_at;
static FILE *out;
static bool forked, mapped;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static uint32_t word(uint32_t addr)
{
    uint32_t value;
    memcpy(&value, (const void *)(uintptr_t)(base + addr), sizeof value);
    return value;
}

/* --- instructions --- */

enum kind { OTHER, CALL, INDIRECT, RETURN, SYSTEM };

static enum kind kind_of_a32(uint32_t op)
{
    if (op >> 25 == 0x7d || (op >> 28 != 15 && (op & 0x0f000000) == 0x0b000000) ||
        (op & 0x0ffffff0) == 0x012fff30)
        return CALL;
    if (op >> 28 == 15)
        return OTHER;
    if ((op & 0x0ffffff0) == 0x012fff10)
        return (op & 15) == LR ? RETURN : INDIRECT;
    if ((op & 0x0e108000) == 0x08108000)
        return RETURN;
    if ((op & 0x0c10f000) == 0x0410f000)
        return (op >> 16 & 15) == SP ? RETURN : INDIRECT;
    if ((op & 0x0f000000) == 0x0f000000)
        return SYSTEM;
    return (op & 0x0fffffff) == 0x01a0f00e   ? RETURN
           : (op & 0x0ffffff0) == 0x01a0f000 ? INDIRECT
                                             : OTHER;
}

static enum kind kind_of_t32(uint32_t first, uint32_t second)
{
    if (first >> 11 == 0x1e && ((second & 0xd000) == 0xd000 || (second & 0xd001) == 0xc000))
        return CALL;
    if ((first & 0xff87) == 0x4780)
        return CALL;
    if ((first & 0xff87) == 0x4700 || (first & 0xff87) == 0x4687)
        return (first >> 3 & 15) == LR ? RETURN : INDIRECT;
    if ((first & 0xff00) == 0xbd00 || ((first & 0xffd0) == 0xe890 && second >> 15) ||
        ((first & 0xffd0) == 0xe910 && second >> 15))
        return RETURN;
    if (((first & 0xfff0) == 0xf850 || (first & 0xfff0) == 0xf8d0) && second >> 12 == 15)
        return (first & 15) == SP ? RETURN : INDIRECT;
    return (first & 0xff00) == 0xdf00 ? SYSTEM : OTHER;
}

static uint32_t half(const uint8_t *b)
{
    return b[0] | (uint32_t)b[1] << 8;
}

static enum kind kind_of(const struct insn *i, bool thumb)
{
    if (thumb)
        return kind_of_t32(half(i->bytes), i->len == 4 ? half(i->bytes + 2) : 0);
    return kind_of_a32(half(i->bytes) | half(i->bytes + 2) << 16);
}

/* The number in `mov r7, #NUMBER; svc' at an address; 0 = something else is there. */
static uint32_t returning(uint32_t addr)
{
    uint32_t at = addr & ~1u, op, number;
    if (addr < 0x1000 || (addr & 1 ? addr : 0) > 0xfffffff0)
        return 0;
    if (addr & 1) {
        uint32_t first = half((const uint8_t *)(uintptr_t)(base + at));
        op = half((const uint8_t *)(uintptr_t)(base + at + (first == 0xf04f ? 4 : 2)));
        number =
            (first == 0xf04f ? half((const uint8_t *)(uintptr_t)(base + at + 2)) : first) & 0xff;
        return op == 0xdf00 && (first >> 8 == 0x27 || first == 0xf04f) ? number : 0;
    }
    op = word(at);
    return (op & ~0xffu) == 0xe3a07000 && word(at + 4) >> 24 == 0xef ? op & 0xff : 0;
}

static bool is_returning(uint32_t addr)
{
    uint32_t number = returning(addr);
    return number == SIGRETURN || number == RT_SIGRETURN;
}

/* --- the true stack --- */

static void push(struct cpu *c, uint32_t returns_to, uint32_t sp)
{
    if (c->depth == DEPTH)
        abort();
    c->frame[c->depth++] = (struct frame){.returns_to = returns_to, .sp = sp};
}

static struct frame *top(struct cpu *c)
{
    return c->depth ? &c->frame[c->depth - 1] : NULL;
}

static void end_signal(struct cpu *c)
{
    while (c->depth && !c->frame[--c->depth].signal)
        ;
}

/* Where the kernel has saved the registers is known by the number. */
static void enter_signal(struct cpu *c, const uint32_t *r, uint32_t next, bool called)
{
    uint32_t saved = r[SP] + (returning(r[LR]) == RT_SIGRETURN ? 160 : 32);
    uint32_t pc = word(saved + 60), sp = word(saved + 52);
    if (called && (pc & ~1u) != next)
        push(c, next, sp);
    push(c, r[LR] & ~1u, sp);
    top(c)->signal = true;
    top(c)->interrupted = pc & ~1u;
}

static void leave(struct cpu *c, uint32_t pc, uint32_t sp, enum kind kind)
{
    struct frame *f = top(c);
    if (f && !f->signal && f->returns_to == pc && f->sp == sp) {
        c->depth--;
        c->raised = false;
    } else if (kind == RETURN || (c->raised && kind == INDIRECT)) { /* longjmp, a landing pad */
        while (c->raised && c->depth && top(c)->sp <= sp)
            c->depth--;
        for (size_t i = c->depth; i-- && !c->raised;)
            if (c->frame[i].returns_to == pc && c->frame[i].sp == sp) {
                c->depth = i;
                break;
            }
        c->raised = false;
    }
}

static void arrive(struct cpu *c, uint32_t pc, const uint32_t *r)
{
    enum kind kind = c->last ? kind_of(c->last, c->last_thumb) : OTHER;
    uint32_t next = c->last ? c->last->pc + c->last->len : 0, moved = c->sp - r[SP];
    /* Not a jump by a table that lr points to: it is behind the jump, but even in Thumb. */
    bool called =
        kind == CALL || ((kind == INDIRECT || kind == RETURN) && r[LR] == (next | c->last_thumb));
    if (!c->last)
        return;
    if (kind == SYSTEM && (c->r7 == SIGRETURN || c->r7 == RT_SIGRETURN)) {
        end_signal(c);
        return;
    }
    if (pc != next && (r[LR] != c->lr || moved + 0x100 > 0x200) && is_returning(r[LR]) &&
        kind != RETURN) {
        enter_signal(c, r, next, called);
        return;
    }
    if (called) {
        if (pc != next)
            push(c, next, c->sp);
        return;
    }
    while (c->depth && !top(c)->signal && top(c)->sp < r[SP]) {
        c->depth--;
        c->raised = true;
    }
    if (pc != next)
        leave(c, pc, r[SP], kind);
}

/* --- an instant --- */

/* QEMU maps code as data: what is executable says the file. */
static void write_code(FILE *to, const char *path, uint64_t start, uint64_t end, uint64_t offset)
{
    Elf32_Ehdr e;
    Elf32_Phdr p;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is_elf = fd >= 0 && pread(fd, &e, sizeof e, 0) == sizeof e &&
                  memcmp(e.e_ident, ELFMAG, SELFMAG) == 0;
    for (unsigned i = 0; is_elf && i < e.e_phnum; i++) {
        if (pread(fd, &p, sizeof p, e.e_phoff + i * sizeof p) != sizeof p || p.p_type != PT_LOAD ||
            !(p.p_flags & PF_X))
            continue;
        uint64_t from = p.p_offset & ~UINT64_C(0xfff),
                 to_offset = (p.p_offset + p.p_filesz + 0xfff) & ~UINT64_C(0xfff);
        uint64_t low = from > offset ? from : offset;
        uint64_t high = to_offset < offset + (end - start) ? to_offset : offset + (end - start);
        if (low < high)
            fprintf(to, "%08" PRIx64 "-%08" PRIx64 " r-xp %08" PRIx64 " 00:00 1 %s\n",
                    start + low - offset, start + high - offset, low, path);
    }
    if (fd >= 0)
        close(fd);
}

static void write_maps(uint32_t sp, uint64_t *stack_end)
{
    char line[4500], path[4096], *text = NULL;
    size_t len = 0;
    uint64_t start, end, offset;
    FILE *maps = fopen("/proc/self/maps", "r"), *to = open_memstream(&text, &len);
    while (fgets(line, sizeof line, maps)) {
        path[0] = '\0';
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %4095[^\n]", &start, &end,
                   &offset, path) < 3 ||
            start < base || (start - base) >> 32)
            continue;
        start -= base;
        end -= base;
        if (sp >= start && sp < end)
            *stack_end = end;
        if (path[0] == '/' && !mapped)
            write_code(to, path, start, end, offset);
    }
    fclose(maps);
    fclose(to);
    if (!mapped)
        fprintf(out, "maps %zu\n%s", len, text);
    mapped = true;
    free(text);
}

static void write_stack(uint32_t sp)
{
    uint64_t end = sp;
    write_maps(sp, &end);
    size_t len = end - sp < MAX_STACK ? end - sp : MAX_STACK;
    fprintf(out, "stack %x %zu\n", sp, len);
    fwrite((const void *)(uintptr_t)(base + sp), 1, len, out);
}

/* A signal's handler may be on another stack than what it interrupted. */
static void write_stacks(const struct cpu *c, uint32_t sp)
{
    enum { MAX_STACKS = 3 };
    size_t written = 1;
    write_stack(sp);
    for (size_t i = c->depth; i-- && written < MAX_STACKS;)
        if (c->frame[i].signal) {
            write_stack(c->frame[i].sp);
            written++;
        }
}

/* The handler has returned: what it returned to, mov and svc, is the frame of this instant. */
static bool is_in_return(const struct frame *f, uint32_t pc)
{
    return f->signal && pc >= f->returns_to && pc <= f->returns_to + 4;
}

static void write_instant(const struct cpu *c, uint32_t pc, const uint32_t *r)
{
    uint64_t end = r[SP];
    write_maps(r[SP], &end);
    fprintf(out, "stop\nregs pc=%x", pc);
    for (unsigned i = 0; i < 15; i++)
        fprintf(out, " %u=%x", i, r[i]);
    fprintf(out, "\n");
    fprintf(out, "thumb %d\n", c->last_thumb);
    write_stacks(c, r[SP]);
    fprintf(out, "frame %x normal\n", pc);
    for (size_t i = c->depth; i--;) {
        if (i + 1 < c->depth || !is_in_return(&c->frame[i], pc))
            fprintf(out, "frame %x normal\n", c->frame[i].returns_to);
        if (c->frame[i].signal)
            fprintf(out, "frame %x signal\n", c->frame[i].interrupted);
    }
    fprintf(out, "end\n");
}

__attribute__((used)) static void execute(unsigned cpu, const struct insn *i, const uint32_t *r)
{
    enum { MMAP = 192, MUNMAP = 91 };
    struct cpu *c = &cpus[cpu % CPUS];
    if (forked)
        return;
    if (!c->frame)
        c->frame = calloc(DEPTH, sizeof *c->frame);
    arrive(c, i->pc, r);
    c->last = i;
    c->last_thumb = ((const uint8_t *)r)[THUMB_AT];
    c->sp = r[SP];
    c->lr = r[LR];
    c->r7 = r[7];
    if (kind_of(i, c->last_thumb) == SYSTEM && (r[7] == MMAP || r[7] == MUNMAP))
        mapped = false;
    if (__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) < next_at || !out)
        return;
    pthread_mutex_lock(&lock);
    write_instant(c, i->pc, r);
    next_at = count + 1 + draw() % (2 * every);
    pthread_mutex_unlock(&lock);
}

/* The processor's state is in rbp, or x19. */
#if defined __x86_64__
__asm__(".globl armcalls_step\n.hidden armcalls_step\narmcalls_step: mov %rbp, %rdx\njmp "
        "armcalls_execute");
#else
__asm__(
    ".globl armcalls_step\n.hidden armcalls_step\narmcalls_step: mov x2, x19\nb armcalls_execute");
#endif
extern void armcalls_step(unsigned cpu, void *insn) __attribute__((visibility("hidden")));
__attribute__((visibility("hidden"))) void armcalls_execute(unsigned cpu, void *insn,
                                                            const uint32_t *r)
{
    execute(cpu, insn, r);
}

/* --- QEMU's calls --- */

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
    struct insn *i =
        calloc(1, sizeof *i); /* as long as the process: a translation may be used again */
    (void)id;
    i->pc = (uint32_t)qemu_plugin_insn_vaddr(first);
    i->len = (uint8_t)qemu_plugin_insn_size(first);
    memcpy(i->bytes, qemu_plugin_insn_data(first), i->len < 4 ? i->len : 4);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, armcalls_step, 1, i);
}

static void finish(qemu_plugin_id_t id, void *arg)
{
    (void)id;
    (void)arg;
    if (!forked && out)
        fclose(out);
    if (!forked)
        fprintf(stderr, "armcalls: %" PRIu64 " instructions\n", count);
}

static void after_fork(void)
{
    forked = true;
}

static void read_argument(const char *arg)
{
    if (strncmp(arg, "base=", 5) == 0)
        base = strtoull(arg + 5, NULL, 0);
    else if (strncmp(arg, "every=", 6) == 0)
        every = strtoull(arg + 6, NULL, 0);
    else if (strncmp(arg, "seed=", 5) == 0)
        seed = strtoull(arg + 5, NULL, 0) * 0x9e3779b97f4a7c15u | 1;
    else if (strncmp(arg, "out=", 4) == 0)
        out = fopen(arg + 4, "we");
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++)
        read_argument(argv[i]);
    next_at = 1 + draw() % (2 * every);
    pthread_atfork(NULL, NULL, after_fork);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, finish, NULL);
    return 0;
}
