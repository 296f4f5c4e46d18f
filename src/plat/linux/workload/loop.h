/* loop: a loop of known instructions. Each processor's folder implements it. */
#pragma once

/* iterations, at least 1, of 64 additions, each of which needs the result of the one before, a
 * countdown, and a jump. */
void workload_loop(unsigned long iterations);
