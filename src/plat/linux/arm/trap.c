#include "ptrace/tracee_not_attached.h"

const char *const tracee_why_not_attached =
    "32-bit ARM has no single step, and only programs that psuite started may have breakpoints";
