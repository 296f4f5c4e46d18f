#include "ptrace/tracee_not_attached.h"

const char *const tracee_why_not_attached =
    "an atomic sequence of arm64 cannot be stepped without a breakpoint behind it";
