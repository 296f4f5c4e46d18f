/* runner: the small process that starts the commands of plat/runs.h. */
#pragma once

#include "exec_path.h"
#include "plat/runs.h"

/* Memory shared between the two. */
struct runner_shared {
    volatile int stop; /* written by us: no further run */
    volatile int pid;  /* written by the runner: the current command, 0 between runs */
};

/* In the forked runner: runs the plan, writes a struct runs_end a run to the pipe, ends the
 * process. */
_Noreturn void runner_main(const struct runs_plan *plan, const struct exec_path *path,
                           struct runner_shared *note, int to);
