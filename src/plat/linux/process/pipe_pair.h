/* pipe_pair: two pipes that are of use together only. */
#pragma once

/* Both closed at exec. -errno, with neither open. */
int pipe_pair_open(int first[2], int second[2]);
