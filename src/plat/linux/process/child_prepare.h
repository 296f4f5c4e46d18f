/*
 * child_prepare: a held command that does something in its own process before it is held.
 */
#ifndef PSUITE_PLAT_LINUX_PROCESS_CHILD_PREPARE_H
#define PSUITE_PLAT_LINUX_PROCESS_CHILD_PREPARE_H

#include "plat/child.h"

struct child_wrong {
    char what[64]; /* what prepare could not do; else empty */
};

/* As child_hold; prepare (NULL: nothing) runs in the child, and returns 0 or -errno with wrong
 * filled: then there is no child. */
int child_hold_prepared(char *const argv[], int (*prepare)(void *arg, struct child_wrong *wrong),
                        void *arg, struct child *out, struct fail *f);

#endif
