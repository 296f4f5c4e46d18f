/* pipe_pair: two pipes that are of use together only. */
#ifndef PSUITE_PLAT_LINUX_PROCESS_PIPE_PAIR_H
#define PSUITE_PLAT_LINUX_PROCESS_PIPE_PAIR_H

/* Both closed at exec. -errno, with neither open. */
int pipe_pair_open(int first[2], int second[2]);

#endif
