/*
 * schedtext: the scheduler's events from lines of text, for tests. A line is an event:
 *     TIME_US PID KIND [cpu=N] [by=PID] [from=CPU] [state=L] [n=NUMBER] [text=WORD] [preempted]
 * `name PID WORD', `begin US' and `# ...' are lines, too. KIND as sched_kind_name has it.
 */
#pragma once

#include "core/timeline/timeline_model.h"
#include "core/trace/task_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void schedtext_take(void *arg, const struct sched_event *e);

static inline unsigned schedtext_kind(const char *word)
{
    unsigned kind = 0;
    while (kind < SCHED_KINDS && strcmp(sched_kind_name(kind), word) != 0)
        kind++;
    return kind;
}

static inline void schedtext_word(struct sched_event *e, struct sched_names *names,
                                  const char *word)
{
    int n;
    if (sscanf(word, "cpu=%d", &n) == 1)
        e->cpu = (int16_t)n;
    else if (sscanf(word, "by=%d", &n) == 1 || sscanf(word, "from=%d", &n) == 1)
        e->other = n;
    else if (strncmp(word, "state=", 6) == 0)
        e->state = (uint8_t)word[6];
    else if (sscanf(word, "n=%d", &n) == 1)
        e->arg = (uint32_t)n;
    else if (strncmp(word, "text=", 5) == 0)
        e->arg = sched_names_add_text(names, word + 5, strlen(word + 5));
    else if (strcmp(word, "preempted") == 0)
        e->flags |= SCHED_PREEMPTED;
}

static inline void schedtext_line(char *line, struct sched_names *names, schedtext_take *take,
                                  void *arg)
{
    char kind[32], *at = line, *word;
    double us;
    int pid, n = 0;
    char name[64];
    if (sscanf(line, "name %d %63[^\n]", &pid, name) == 2)
        sched_names_set(names, pid, 0, name, strlen(name));
    if (sscanf(line, "%lf %d %31s%n", &us, &pid, kind, &n) < 3)
        return;
    struct sched_event e = {.time_ns = (uint64_t)(us * 1000 + 0.5),
                            .pid = pid,
                            .other = -1,
                            .cpu = -1,
                            .kind = (uint8_t)schedtext_kind(kind)};
    for (at += n; (word = strtok(at, " \n")); at = NULL)
        schedtext_word(&e, names, word);
    take(arg, &e);
}

/* -1: the file could not be read. */
static inline int schedtext_read(const char *path, struct sched_names *names, schedtext_take *take,
                                 void *arg)
{
    char line[512];
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file))
        schedtext_line(line, names, take, arg);
    fclose(file);
    return 0;
}
