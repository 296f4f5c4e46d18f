#include "core/stats/graph.h"

#include <string.h>

static const struct stats_graph_info graphs[STATS_GRAPHS] = {
    [STATS_BATTERY_LEFT] = {"battery", "%", "charge left", "psuite_battery_percent", false, false},
    [STATS_CONTEXT] = {"context", "switches/s", "context switches", "psuite_context_switches", true,
                       true},
    [STATS_ETHER] = {"ether", "packets/s", "packets in and out", "psuite_ether_packets", true,
                     true},
    [STATS_ETHER_ERR] = {"ethererr", "errors", "network errors so far", "psuite_ether_errors",
                         false, true},
    [STATS_ETHER_IN] = {"etherin", "packets/s", "packets in", "psuite_ether_in_packets", true,
                        true},
    [STATS_ETHER_OUT] = {"etherout", "packets/s", "packets out", "psuite_ether_out_packets", true,
                         true},
    [STATS_FAULT] = {"fault", "faults/s", "page faults", "psuite_page_faults", true, true},
    [STATS_IDLE] = {"idle", "%", "time idle", "psuite_idle_percent", false, false},
    [STATS_IN_INTR] = {"inintr", "%", "time in interrupts", "psuite_interrupt_percent", false,
                       false},
    [STATS_INTR] = {"intr", "interrupts/s", "interrupts", "psuite_interrupts", true, true},
    [STATS_LOAD] = {"load", "runnable x 1000", "running and runnable tasks", "psuite_load", false,
                    true},
    [STATS_MEM] = {"mem", "pages", "memory used", "psuite_memory_used_bytes", false, false},
    [STATS_SWAP_USED] = {"swap", "pages", "swap used", "psuite_swap_used_bytes", false, false},
    [STATS_SYSCALL] = {"syscall", "calls/s", "system calls", "psuite_system_calls", true, true},
    [STATS_TLB_MISS] = {"tlbmiss", "misses/s", "TLB misses", "psuite_tlb_misses", true, true},
    [STATS_TLB_PURGE] = {"tlbpurge", "flushes/s", "TLB flushes", "psuite_tlb_flushes", true, true},
    [STATS_SIGNAL] = {"802.11b", "dB over -95 dBm", "wireless signal", "psuite_signal_dbm", false,
                      false},
    [STATS_TEMP] = {"temp", "C over 20 C", "temperature", "psuite_temperature_celsius", false,
                    false},
    [STATS_CPU_BUSY] = {"cpu", "%", "CPU time not idle", "psuite_cpu_busy_percent", .part = "cpu"},
    [STATS_CPU_USER] = {"user", "%", "CPU time of programs", "psuite_cpu_user_percent",
                        .part = "cpu"},
    [STATS_CPU_SYSTEM] = {"system", "%", "CPU time of the kernel", "psuite_cpu_system_percent",
                          .part = "cpu"},
    [STATS_CPU_IOWAIT] = {"iowait", "%", "idle, waiting for disks", "psuite_cpu_iowait_percent",
                          .part = "cpu"},
    [STATS_CPU_IRQ] = {"irq", "%", "CPU time of interrupts", "psuite_cpu_irq_percent",
                       .part = "cpu"},
    [STATS_CPU_STEAL] = {"steal", "%", "taken by the hypervisor", "psuite_cpu_steal_percent",
                         .part = "cpu"},
    [STATS_DISK_READ] = {"diskread", "bytes/s", "bytes read from disks", "psuite_disk_read_bytes",
                         true, .part = "disk"},
    [STATS_DISK_WRITE] = {"diskwrite", "bytes/s", "bytes written to disks",
                          "psuite_disk_written_bytes", true, .part = "disk"},
    [STATS_DISK_OPS] = {"diskops", "operations/s", "reads and writes of disks",
                        "psuite_disk_operations", true, .part = "disk"},
    [STATS_DISK_BUSY] = {"diskbusy", "%", "time the busiest disk is busy",
                         "psuite_disk_busy_percent", .part = "disk"},
    [STATS_NET_IN] = {"netin", "bytes/s", "bytes received", "psuite_network_in_bytes", true,
                      .part = "interface"},
    [STATS_NET_OUT] = {"netout", "bytes/s", "bytes sent", "psuite_network_out_bytes", true,
                       .part = "interface"},
    [STATS_MEM_AVAILABLE] = {"avail", "bytes", "memory available", "psuite_memory_available_bytes"},
    [STATS_MEM_PROGRAMS] = {"programs", "bytes", "memory of programs",
                            "psuite_memory_programs_bytes"},
    [STATS_MEM_CACHED] = {"cached", "bytes", "memory of caches", "psuite_memory_cached_bytes"},
    [STATS_MEM_KERNEL] = {"kernel", "bytes", "memory of the kernel", "psuite_memory_kernel_bytes"},
    [STATS_MEM_FREE] = {"free", "bytes", "memory not used", "psuite_memory_free_bytes"},
    [STATS_CPU_PRESSURE] = {"cpupsi", "%", "some task waits for a CPU",
                            "psuite_cpu_pressure_percent"},
    [STATS_MEM_PRESSURE] = {"mempsi", "%", "some wait for memory",
                            "psuite_memory_pressure_percent"},
    [STATS_MEM_STALL] = {"memfull", "%", "all wait for memory", "psuite_memory_stall_percent"},
    [STATS_IO_PRESSURE] = {"iopsi", "%", "some wait for disks", "psuite_io_pressure_percent"},
    [STATS_IO_STALL] = {"iofull", "%", "all wait for disks", "psuite_io_stall_percent"},
};

const struct stats_graph_info *stats_graph_info(enum stats_graph graph)
{
    return &graphs[graph];
}

bool stats_graph_named(const char *name, size_t len, enum stats_graph *out)
{
    for (size_t i = 0; i < STATS_GRAPHS; i++)
        if (strlen(graphs[i].name) == len && !memcmp(graphs[i].name, name, len)) {
            *out = (enum stats_graph)i;
            return true;
        }
    return false;
}

static const struct {
    char letter;
    enum stats_graph graph[STATS_LETTER_MAX];
    size_t count;
} letters[] = {
    {'8', {STATS_SIGNAL}, 1},
    {'b', {STATS_BATTERY_LEFT}, 1},
    {'c', {STATS_CONTEXT}, 1},
    {'e', {STATS_ETHER}, 1},
    {'E', {STATS_ETHER_IN, STATS_ETHER_OUT}, 2},
    {'f', {STATS_FAULT}, 1},
    {'i', {STATS_INTR}, 1},
    {'I', {STATS_LOAD, STATS_IDLE, STATS_IN_INTR}, 3},
    {'l', {STATS_LOAD}, 1},
    {'m', {STATS_MEM}, 1},
    {'n', {STATS_ETHER_IN, STATS_ETHER_OUT, STATS_ETHER_ERR}, 3},
    {'p', {STATS_TLB_PURGE}, 1},
    {'s', {STATS_SYSCALL}, 1},
    {'t', {STATS_TLB_MISS, STATS_TLB_PURGE}, 2},
    {'w', {STATS_SWAP_USED}, 1},
    {'z', {STATS_TEMP}, 1},
    {'u',
     {STATS_CPU_BUSY, STATS_CPU_USER, STATS_CPU_SYSTEM, STATS_CPU_IOWAIT, STATS_CPU_IRQ,
      STATS_CPU_STEAL},
     6},
    {'d', {STATS_DISK_READ, STATS_DISK_WRITE, STATS_DISK_OPS, STATS_DISK_BUSY}, 4},
    {'N', {STATS_NET_IN, STATS_NET_OUT}, 2},
    {'M',
     {STATS_MEM_AVAILABLE, STATS_MEM_PROGRAMS, STATS_MEM_CACHED, STATS_MEM_KERNEL, STATS_MEM_FREE},
     5},
    {'P',
     {STATS_CPU_PRESSURE, STATS_MEM_PRESSURE, STATS_MEM_STALL, STATS_IO_PRESSURE, STATS_IO_STALL},
     5},
};

size_t stats_letter_graphs(char letter, enum stats_graph out[STATS_LETTER_MAX])
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].letter == letter) {
            memcpy(out, letters[i].graph, sizeof letters[i].graph);
            return letters[i].count;
        }
    return 0;
}

char stats_graph_letter(enum stats_graph graph)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].count == 1 && letters[i].graph[0] == graph)
            return letters[i].letter;
    return ' ';
}

static size_t index_of_graph(const struct stats_choice *c, enum stats_graph graph)
{
    size_t i = 0;
    while (i < c->count && c->graph[i] != graph)
        i++;
    return i;
}

bool stats_chosen(const struct stats_choice *c, enum stats_graph graph)
{
    return index_of_graph(c, graph) < c->count;
}

bool stats_choose(struct stats_choice *c, enum stats_graph graph)
{
    if (stats_chosen(c, graph))
        return false;
    c->graph[c->count++] = graph;
    return true;
}

bool stats_drop(struct stats_choice *c, enum stats_graph graph)
{
    size_t at = index_of_graph(c, graph);
    if (at == c->count || c->count == 1)
        return false;
    c->count--;
    memmove(&c->graph[at], &c->graph[at + 1], (c->count - at) * sizeof c->graph[0]);
    return true;
}

static const enum stats_graph overview[] = {
    STATS_CPU_BUSY,  STATS_CPU_IOWAIT,   STATS_CPU_STEAL,    STATS_LOAD,        STATS_MEM_AVAILABLE,
    STATS_SWAP_USED, STATS_DISK_BUSY,    STATS_DISK_READ,    STATS_DISK_WRITE,  STATS_NET_IN,
    STATS_NET_OUT,   STATS_CPU_PRESSURE, STATS_MEM_PRESSURE, STATS_IO_PRESSURE,
};
enum { OVERVIEW = sizeof overview / sizeof *overview };

void stats_choose_overview(struct stats_choice *c)
{
    for (size_t i = 0; i < OVERVIEW; i++)
        stats_choose(c, overview[i]);
}

bool stats_has_overview(const struct stats_choice *c)
{
    size_t i = 0;
    while (i < OVERVIEW && stats_chosen(c, overview[i]))
        i++;
    return i == OVERVIEW;
}
