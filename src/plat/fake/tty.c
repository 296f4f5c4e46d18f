/*
 * tty WIDTHxHEIGHT, or WIDTH with 24 lines: standard error is a terminal; default none.
 * terminal WIDTHxHEIGHT: standard output and input are one; default none.
 * env NAME VALUE: TERM (default xterm-256color), COLORTERM, NO_COLOR, LANG (default C.UTF-8), ...
 */
#include "plat/tty.h"

#include "returns.h"
#include "scenario.h"

#include <stdio.h>
#include <string.h>

bool tty_stream_size(bool err, int *width, int *height)
{
    const char *size = scenario_get(err ? "tty" : "terminal");
    *width = 80;
    *height = 24;
    if (size)
        sscanf(size, "%dx%d", width, height);
    return size != NULL;
}

bool tty_is_stdout_terminal(void)
{
    return scenario_get("terminal") != NULL;
}

RETURNS(false, bool, tty_is_stdin_terminal, void)

static const char *env_variable(const char *name, const char *absent)
{
    const char *value = scenario_named("env", name, strlen(name));
    return value ? value : absent;
}

void tty_environment(struct caps_env *out)
{
    *out = (struct caps_env){
        .term = env_variable("TERM", "xterm-256color"),
        .colorterm = env_variable("COLORTERM", NULL),
        .no_color = env_variable("NO_COLOR", NULL),
        .lc_all = env_variable("LC_ALL", NULL),
        .lc_ctype = env_variable("LC_CTYPE", NULL),
        .lang = env_variable("LANG", "C.UTF-8"),
    };
}
