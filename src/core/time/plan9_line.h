/*
 * waitline: the line that Plan 9's time(1) prints, byte for byte:
 *   `0.00u 0.01s 0.02r \t ls /xxx  # status= errors'
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct buf;

/*
 * Appends the line: user, system and real time in ms, cut to hundredths of a second; the first five
 * of the words (ends with NULL) and ` ...' after the fifth. status is what the command left: ""
 * when it succeeded, a Plan 9 wait message (`program pid: text', of which what follows the colon is
 * shown), or waitline_status's.
 */
void waitline_format(struct buf *out, uint64_t user_ms, uint64_t system_ms, uint64_t real_ms,
                     char *const words[], const char *status);

/* Appends a Linux command's end as a status text: nothing for success, `exit 3', `signal 11 SIGSEGV
 * (core dumped)'. */
void waitline_status(struct buf *out, bool signalled, int code, bool core);
