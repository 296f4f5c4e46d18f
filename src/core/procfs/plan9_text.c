#include "core/procfs/plan9_text.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/text/shown.h"

#include <inttypes.h>

static void add_number(int64_t v, struct buf *out)
{
    buf_printf(out, "%11" PRId64 " ", v == DEV_ABSENT ? -1 : v);
}

void dev_sysstat_line(const int64_t column[SYSSTAT_COLUMNS], struct buf *out)
{
    for (int i = 0; i < SYSSTAT_COLUMNS; i++)
        add_number(column[i], out);
    buf_addc(out, '\n');
}

const char *dev_sysstat_name(enum dev_sysstat_column column)
{
    static const char *const names[SYSSTAT_COLUMNS] = {"cpu",   "context",   "interrupt", "syscall",
                                                       "fault", "tlbfault",  "tlbpurge",  "load",
                                                       "idle",  "interrupt%"};
    return names[column];
}

void dev_swap(const struct meminfo *m, uint64_t page_bytes, struct buf *out)
{
    uint64_t page_kb = page_bytes > 1024 ? page_bytes / 1024 : 1;
    uint64_t kernel = m->kernel_kb < m->total_kb ? m->kernel_kb : m->total_kb;
    uint64_t user = m->total_kb - kernel;
    uint64_t available = m->available_kb < user ? m->available_kb : user;
    uint64_t swap_free = m->swap_free_kb < m->swap_total_kb ? m->swap_free_kb : m->swap_total_kb;
    buf_printf(out, "%" PRIu64 " memory\n%" PRIu64 " pagesize\n%" PRIu64 " kernel\n",
               m->total_kb * 1024, page_bytes, kernel / page_kb);
    buf_printf(out, "%" PRIu64 "/%" PRIu64 " user\n%" PRIu64 "/%" PRIu64 " swap\n",
               (user - available) / page_kb, user / page_kb,
               (m->swap_total_kb - swap_free) / page_kb, m->swap_total_kb / page_kb);
    buf_printf(out, "%" PRIu64 "/%" PRIu64 " kernel malloc\n0/0 kernel draw\n", m->slab_kb * 1024,
               m->total_kb * 1024);
}

void dev_cputime(const uint64_t ms[5], struct buf *out)
{
    for (int i = 0; i < 5; i++)
        add_number((int64_t)ms[i], out);
}

void dev_time(uint64_t real_ns, uint64_t mono_ns, struct buf *out)
{
    const uint64_t second = NS_PER_S;
    add_number((int64_t)(real_ns / second), out);
    buf_printf(out, "%21" PRIu64 " %21" PRIu64 " %21" PRIu64 " ", real_ns, mono_ns, second);
}

static int64_t ticks_ms(uint64_t ticks, uint64_t hz)
{
    return hz ? (int64_t)(ticks / hz * 1000 + ticks % hz * 1000 / hz) : 0;
}

/* A process chooses its name; the columns of the line are at fixed places. */
static void add_column(const char *word, size_t width, struct buf *out)
{
    size_t from = out->len;
    shown_printf(out, "%.*s", (int)(width - 1), word);
    while (out->len < from + width && !buf_error(out))
        buf_addc(out, ' ');
}

void dev_status(const struct dev_status *s, struct buf *out)
{
    const struct pid_status *p = s->process;
    uint64_t lives = s->now_ticks > p->start_ticks ? s->now_ticks - p->start_ticks : 0;
    int64_t numbers[] = {ticks_ms(p->user_ticks, s->hz),
                         ticks_ms(p->sys_ticks, s->hz),
                         ticks_ms(lives, s->hz),
                         ticks_ms(p->child_user, s->hz),
                         ticks_ms(p->child_sys, s->hz),
                         DEV_ABSENT,
                         (int64_t)(p->resident_pages * (s->page_bytes / 1024)),
                         10 - p->nice,
                         10 - p->nice};
    add_column(p->name, 28, out);
    add_column(s->user, 28, out);
    add_column(pid_status_state_name(p->state), 12, out);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add_number(numbers[i], out);
}
