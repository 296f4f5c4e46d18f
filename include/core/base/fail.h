/*
 * fail: the description of a failure, filled by the function that failed and printed by the applet.
 *
 * Functions of core, plat and engine that can fail return 0 (or a count) when they did not, else a
 * negative errno, and describe the failure in a struct fail when the caller passed one (NULL is
 * always allowed). Only applets print it: `applet: WHAT: WHY`, then the hint on its own line.
 */
#pragma once

struct fail {
    int err;        /* positive errno; 0 = WHAT says it all, no reason follows it */
    char what[256]; /* which file or argument, cut to fit, always terminated */
    char hint[256]; /* what to do about it; empty when nothing is known */
};

/* Fills f (when not NULL), clearing any hint, and returns -err (-EINVAL when err is 0). */
int fail_set(struct fail *f, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Adds the remedy to a failure already set. */
void fail_hint(struct fail *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
