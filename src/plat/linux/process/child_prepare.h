/* child_prepare: a held command that does something in its own process before it is held. */
#pragma once

#include "plat/child.h"

struct child_failure {
    char what[64]; /* what prepare could not do; else empty */
};

struct child_setup {
    /* Before it is held: 0, or -errno with wrong filled; then there is no child. NULL: nothing. */
    int (*prepare)(void *arg, struct child_failure *wrong);
    void *arg;
    /* Before its exec, when it is released as filtered: 0 or -errno. */
    int (*filter)(void);
};

/* As child_hold; more is done in the child, NULL: nothing. */
int child_hold_prepared(char *const argv[], const struct child_setup *setup, struct child *out,
                        struct fail *f);
