#include "settings.h"

#include "files.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TRIES = 1000, PAUSE_NS = 10000000 };

bool trace_settings_note(struct trace_settings *s, const char *file)
{
    SCOPED_BUF text = BUF_INIT;
    struct trace_setting *to = &s->setting[s->count];
    bool noted = s->count < TRACE_SETTINGS_MAX && trace_file_read(s->tracefs, file, &text) == 0;
    size_t len = strcspn(buf_str(&text), " \n");
    if (!noted || len >= TRACE_SETTING_BYTES)
        return false;
    to->file = file;
    memcpy(to->before, buf_str(&text), len);
    to->before[len] = '\0';
    s->count++;
    return true;
}

/* A list is emptied by being truncated; `#### all functions enabled ####' is an empty one. */
static void empty_list(const char *tracefs, const char *file)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", tracefs, file);
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    descriptor_close(&fd);
}

/* Busy until a killed process has closed all that it had open there. */
static void end_tracer(const char *dir)
{
    for (int i = 0; i < TRIES && trace_file_write(dir, "current_tracer", "nop") == -EBUSY; i++)
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

static void restore_all(const void *settings)
{
    const struct trace_settings *s = settings;
    end_tracer(s->tracer);
    for (size_t i = 0; i < s->count; i++) {
        const struct trace_setting *t = &s->setting[i];
        if (t->before[0] == '#' || !t->before[0])
            empty_list(s->tracefs, t->file);
        else
            trace_file_write(s->tracefs, t->file, t->before);
    }
}

int trace_settings_guard(struct trace_settings *s, struct fail *f)
{
    s->guardian = trace_guard(restore_all, s, s->tracefs);
    if (s->guardian >= 0)
        return 0;
    fail_set(f, 0, "tracefs: the process that would restore its settings cannot be started");
    return -ECHILD;
}

int trace_settings_restore(struct trace_settings *s, struct fail *f)
{
    restore_all(s);
    int r = trace_guardian_end(s->guardian, f);
    s->guardian = -1;
    return r;
}
