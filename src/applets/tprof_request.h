/*
 * tprof_request: what tprof was asked for, shared by its parts: tprof.c (options), tprof_files.c
 * (what is made of files). How it samples and what it shows are sampling_request's.
 */
#ifndef PSUITE_APPLETS_TPROF_REQUEST_H
#define PSUITE_APPLETS_TPROF_REQUEST_H

#include "sampling_request.h"

extern const struct applet applet_tprof;

struct tprof_request {
    struct sampling_request ask;
    bool all, diff, browse;
    int other[SAMPLED_MAX_OTHERS]; /* of want, by -p */
    const char *folder;            /* -n */
    const char *bundle;
};

int tprof_from_folder(const struct tprof_request *q, const char *pid);
int tprof_from_file(const struct tprof_request *q, const char *path);
int tprof_browse(const struct tprof_request *q, const char *path);
int tprof_diff(const struct tprof_request *q, const char *before, const char *after);
int tprof_bundle(const struct tprof_request *q);

#endif
