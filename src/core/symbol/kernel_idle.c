#include "core/symbol/kernel_idle.h"

#include <stddef.h>
#include <string.h>

/* ARM's are one a processor: cpu_v7_do_idle. */
static const char *const waits[] = {
    "acpi_idle_do_entry",
    "acpi_processor_ffh_cstate_enter",
    "acpi_safe_halt",
    "arch_cpu_idle",
    "cpu_do_idle",
    "cpu_idle_poll",
    "cpu_startup_entry",
    "cpuidle_enter",
    "cpuidle_enter_state",
    "cpuidle_idle_call",
    "default_idle",
    "default_idle_call",
    "do_idle",
    "intel_idle",
    "intel_idle_ibrs",
    "intel_idle_irq",
    "mwait_idle",
    "mwait_idle_with_hints",
    "native_safe_halt",
    "poll_idle",
    "psci_cpu_suspend",
    "psci_cpu_suspend_enter",
    "pv_native_safe_halt",
    "pvm_safe_halt",
    "pvm_safe_halt_hc",
    "tdx_safe_halt",
    "xen_safe_halt",
};

static bool is_processors(const char *name, size_t len)
{
    static const char head[] = "cpu_", tail[] = "_do_idle";
    size_t min_len = sizeof head - 1 + sizeof tail - 1;
    return len > min_len && strncmp(name, head, sizeof head - 1) == 0 &&
           strncmp(name + len - (sizeof tail - 1), tail, sizeof tail - 1) == 0;
}

bool kernel_idle(const char *function)
{
    size_t len = strcspn(function, ".");
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++)
        if (strncmp(function, waits[i], len) == 0 && !waits[i][len])
            return len > 0;
    return is_processors(function, len);
}
