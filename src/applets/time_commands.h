/* time_commands: the commands of a series: the operands by each combination of the parameters, and
 * what runs before each of them. */
#pragma once

#include "core/time/parameter.h"
#include "core/time/report.h"

#include <stdbool.h>

enum { TIME_PARAMETERS = 8, TIME_SHELL_WORDS = 4 };

/* A command for a shell, as the vector that runs it. */
struct time_shell {
    char *text; /* owned */
    char *argv[TIME_SHELL_WORDS];
};

struct time_commands {
    struct time_parameter parameter[TIME_PARAMETERS];
    size_t parameters;
    char **word; /* the words of all commands, with NULLs between: the vectors lie in here; owned */
    size_t words;               /* NULLs included */
    struct time_shell *prepare; /* as many as commands; NULL: none */
    char *const **prepare_argv; /* their vectors */
};

/* The commands of argv, where separate says that each `--' begins another, into r; prepare may be
 * NULL. 0; -EINVAL: a command without a word; -E2BIG: over TIME_MAX_COMMANDS; -ENOMEM. To be
 * released in any case. */
int time_commands_make(struct time_commands *c, char **argv, bool separate, const char *prepare,
                       struct time_report *r);
void time_commands_release(struct time_commands *c, struct time_report *r);

/* The text for one combination of the parameters, as sh -c. */
int time_shell_make(struct time_shell *s, const char *text, const struct time_commands *c,
                    size_t combination);
