#include "guardian.h"

#include "core/ns/ns.h"
#include "mounts.h"
#include "plat/apart.h"
#include "plat/folder.h"
#include "plat/mount_at.h"

#include <errno.h>
#include <stdio.h>

enum note_kind { ASIDE, AT, DEVICE, DISMISSED };

struct note {
    enum note_kind kind;
    uint64_t device;
    char path[NS_PATH_MAX + 1];
};

struct watch {
    int end;
    bool dismissed; /* by the server, which has unmounted: the directory aside is not its own */
    uint64_t device;
    char at[NS_PATH_MAX + 1], aside[NS_PATH_MAX + 1];
};

/* Killed between the mount and its note: there is a mount of ours, and it has lost its server. */
static uint64_t dead_device_at(const char *dir)
{
    struct folder_file file;
    uint64_t device = dir[0] ? bind_device_at(dir) : 0;
    return device && folder_stat(dir, &file, NULL) == -ENOTCONN ? device : 0;
}

static void remove_mounts(struct watch *w)
{
    uint64_t device = w->device ? w->device : dead_device_at(w->at);
    if (device)
        bind_remove_device(device);
    if (w->aside[0])
        mount_remove_tempdir(w->aside);
}

static void dismiss(struct watch *w)
{
    w->dismissed = true;
    w->device = 0;
    w->at[0] = '\0';
}

static void apply_note(struct watch *w, const struct note *n)
{
    if (n->kind == DISMISSED)
        dismiss(w);
    else if (n->kind == ASIDE)
        snprintf(w->aside, sizeof w->aside, "%s", n->path);
    else if (!w->dismissed && n->kind == AT)
        snprintf(w->at, sizeof w->at, "%s", n->path);
    else if (!w->dismissed)
        w->device = n->device;
}

static void run_guardian(void *arg)
{
    struct watch *w = arg;
    struct note n;
    while (!(w->dismissed && !w->aside[0]) && apart_receive(w->end, &n, sizeof n) == 0)
        apply_note(w, &n);
    remove_mounts(w);
}

int guardian_start(struct fail *f)
{
    int pair[2];
    int r = apart_pair(pair, f);
    if (r < 0)
        return r;
    struct watch w = {.end = pair[1]};
    r = apart_start_guardian(run_guardian, &w, &pair[1], 1, f);
    apart_close(pair[1]);
    if (r < 0)
        apart_close(pair[0]);
    return r < 0 ? r : pair[0];
}

static void send_note(int handle, enum note_kind kind, const char *path, uint64_t device)
{
    struct note n = {.kind = kind, .device = device};
    snprintf(n.path, sizeof n.path, "%s", path);
    if (handle >= 0)
        apart_send(handle, &n, sizeof n);
}

void guardian_note_aside(int handle, const char *path)
{
    send_note(handle, ASIDE, path, 0);
}

void guardian_note_at(int handle, const char *dir)
{
    send_note(handle, AT, dir, 0);
}

void guardian_note_device(int handle, uint64_t device)
{
    send_note(handle, DEVICE, "", device);
}

void guardian_dismiss(int handle)
{
    send_note(handle, DISMISSED, "", 0);
}
