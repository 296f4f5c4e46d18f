#include "applets/time_commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t count_words(char **argv)
{
    size_t n = 0;
    while (argv[n])
        n++;
    return n;
}

static bool is_separator(const char *word, bool separate)
{
    return separate && strcmp(word, "--") == 0;
}

/* One combination's words of all commands; each vector ends with a NULL. */
static int fill_words(struct time_commands *c, char **argv, bool separate, size_t combination,
                      char **out)
{
    for (size_t i = 0; argv[i]; i++) {
        if (is_separator(argv[i], separate))
            continue;
        out[i] = time_parameter_fill(argv[i], c->parameter, c->parameters, combination);
        if (!out[i])
            return -ENOMEM;
    }
    return 0;
}

/* The vectors that begin in words of them. */
static int find_vectors(char **words, size_t n, struct time_report *r)
{
    for (size_t at = 0; at <= n; at++) {
        bool begins = at == 0 || !words[at - 1];
        if (begins && !words[at])
            return -EINVAL;
        if (begins)
            r->command[r->commands++].argv = words + at;
    }
    return 0;
}

static size_t count_commands(char **argv, bool separate)
{
    size_t n = 1;
    for (size_t i = 0; argv[i]; i++)
        n += is_separator(argv[i], separate);
    return n;
}

int time_shell_make(struct time_shell *s, const char *text, const struct time_commands *c,
                    size_t combination)
{
    static char sh[] = "sh", option[] = "-c";
    s->text = time_parameter_fill(text, c->parameter, c->parameters, combination);
    s->argv[0] = sh;
    s->argv[1] = option;
    s->argv[2] = s->text;
    s->argv[3] = NULL;
    return s->text ? 0 : -ENOMEM;
}

static int make_preparations(struct time_commands *c, const char *text, size_t each, size_t all)
{
    c->prepare = calloc(all, sizeof *c->prepare);
    c->prepare_argv = calloc(all, sizeof *c->prepare_argv);
    int r = c->prepare && c->prepare_argv ? 0 : -ENOMEM;
    for (size_t i = 0; r == 0 && i < all; i++) {
        r = time_shell_make(&c->prepare[i], text, c, i / each);
        c->prepare_argv[i] = c->prepare[i].argv;
    }
    return r;
}

int time_commands_make(struct time_commands *c, char **argv, bool separate, const char *prepare,
                       struct time_report *r)
{
    size_t combinations = time_combinations(c->parameter, c->parameters);
    size_t words = count_words(argv), each = count_commands(argv, separate);
    if (!combinations || each > TIME_MAX_COMMANDS / combinations)
        return -E2BIG;
    c->word = calloc((words + 1) * combinations, sizeof *c->word);
    r->command = calloc(each * combinations, sizeof *r->command);
    if (!c->word || !r->command)
        return -ENOMEM;
    c->words = (words + 1) * combinations;
    r->parameter = c->parameter;
    r->parameters = c->parameters;
    r->each = each;
    int status = 0;
    for (size_t k = 0; status == 0 && k < combinations; k++) {
        char **to = c->word + k * (words + 1);
        status = fill_words(c, argv, separate, k, to);
        if (status == 0)
            status = find_vectors(to, words, r);
    }
    if (status == 0 && prepare)
        status = make_preparations(c, prepare, each, r->commands);
    return status;
}

void time_commands_release(struct time_commands *c, struct time_report *r)
{
    for (size_t i = 0; i < c->words; i++)
        free(c->word[i]);
    for (size_t i = 0; c->prepare && i < r->commands; i++)
        free(c->prepare[i].text);
    for (size_t i = 0; i < c->parameters; i++)
        time_parameter_release(&c->parameter[i]);
    for (size_t i = 0; i < r->commands; i++)
        time_command_release(&r->command[i]);
    free(c->word);
    free(c->prepare);
    free(c->prepare_argv);
    free(r->command);
}
