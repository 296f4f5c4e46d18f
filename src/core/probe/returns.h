/*
 * returns: functions whose return is not hooked, by name: they return twice, switch stacks, unwind,
 * or look at their caller.
 */
#pragma once

#include <stdbool.h>

/* `_setjmp', `__sigsetjmp', `_Unwind_Resume' and the like; leading underscores count little. */
bool probe_name_is_entry_only(const char *name);
