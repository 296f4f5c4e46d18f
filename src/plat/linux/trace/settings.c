#include "settings.h"

#include "files.h"
#include "plat/apart.h"
#include "process/oom_score.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 1000, PAUSE_NS = 10000000 };

bool trace_settings_note(struct trace_settings *s, const char *file)
{
    struct buf text = BUF_INIT;
    struct trace_setting *to = &s->setting[s->count];
    bool noted = s->count < TRACE_SETTINGS_MAX && trace_file_read(s->tracefs, file, &text) == 0;
    size_t len = noted ? strcspn(buf_str(&text), " \n") : 0;
    if (noted && len < TRACE_SETTING_BYTES) {
        to->file = file;
        memcpy(to->before, buf_str(&text), len);
        to->before[len] = '\0';
        s->count++;
    } else {
        noted = false;
    }
    buf_release(&text);
    return noted;
}

/* A list is emptied by being truncated; `#### all functions enabled ####' is an empty one. */
static void empty_list(const char *tracefs, const char *file)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", tracefs, file);
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
}

/* Busy until a killed process has closed all that it had open there. */
static void end_tracer(const char *dir)
{
    for (int i = 0; i < TRIES && trace_file_write(dir, "current_tracer", "nop") == -EBUSY; i++)
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

static void restore_all(const struct trace_settings *s)
{
    end_tracer(s->tracer);
    for (size_t i = 0; i < s->count; i++) {
        const struct trace_setting *t = &s->setting[i];
        if (t->before[0] == '#' || !t->before[0])
            empty_list(s->tracefs, t->file);
        else
            trace_file_write(s->tracefs, t->file, t->before);
    }
}

struct guarded {
    const struct trace_settings *settings;
    int end;
};

static void run_guardian(void *arg)
{
    const struct guarded *g = arg;
    sigset_t all;
    char byte;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    oom_score_restore();
    if (apart_receive(g->end, &byte, 1) < 0)
        restore_all(g->settings);
}

int trace_settings_guard(struct trace_settings *s, struct fail *f)
{
    int pair[2], keep[2], n = 1;
    s->guardian = -1;
    if (apart_pair(pair, f) < 0)
        return -ECHILD;
    struct guarded g = {s, pair[1]};
    keep[0] = pair[1];
    if (sscanf(s->tracefs, "/proc/self/fd/%d", &keep[1]) == 1)
        n = 2;
    int r = apart_start(run_guardian, &g, keep, (size_t)n, f);
    apart_close(pair[1]);
    if (r < 0) {
        apart_close(pair[0]);
        return -ECHILD;
    }
    s->guardian = pair[0];
    return 0;
}

void trace_settings_restore(struct trace_settings *s)
{
    restore_all(s);
    if (s->guardian >= 0 && apart_send(s->guardian, "", 1) == 0)
        s->count = 0;
    apart_close(s->guardian);
    s->guardian = -1;
}
