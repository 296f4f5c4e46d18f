#include "core/tui/caps.h"

#include "core/base/text.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool is_set(const char *s)
{
    return s && *s;
}

static bool is_addressable(const char *term)
{
    static const char *const none[] = {"dumb", "unknown", "network", "dialup", "emacs"};
    if (!is_set(term))
        return false;
    for (size_t i = 0; i < COUNT(none); i++)
        if (strcmp(term, none[i]) == 0)
            return false;
    return true;
}

/* The first that fits decides. */
static const struct name {
    bool (*fits)(const char *term, const char *part);
    const char *part;
    int colours;
} names[] = {
    {text_ends, "-m", 0},         {text_ends, "-mono", 0},
    {text_ends, "256color", 256}, {text_ends, "-direct", 256},
    {text_starts, "vt", 0},       {text_starts, "xterm-kitty", 256},
    {text_starts, "kitty", 256},  {text_starts, "alacritty", 256},
    {text_starts, "foot", 256},   {text_ends, "-16color", 16},
    {text_starts, "xterm", 16},   {text_starts, "rxvt", 16},
    {text_starts, "screen", 16},  {text_starts, "tmux", 16},
    {text_starts, "putty", 16},   {text_starts, "konsole", 16},
    {text_starts, "gnome", 16},   {text_starts, "st-", 16},
};

static int colours_by_name(const char *term)
{
    for (size_t i = 0; i < COUNT(names); i++)
        if (names[i].fits(term, names[i].part))
            return names[i].colours;
    return 8;
}

static int count_colours(const struct caps_env *e)
{
    int named = colours_by_name(e->term);
    if (is_set(e->no_color))
        return 0;
    if (!is_set(e->colorterm))
        return named;
    if (strcasecmp(e->colorterm, "truecolor") == 0 || strcasecmp(e->colorterm, "24bit") == 0)
        return 256;
    return named < 16 ? 16 : named;
}

static bool has_unicode(const struct caps_env *e)
{
    const char *locale = is_set(e->lc_all)     ? e->lc_all
                         : is_set(e->lc_ctype) ? e->lc_ctype
                                               : e->lang;
    return locale && (strcasestr(locale, "UTF-8") || strcasestr(locale, "UTF8"));
}

void caps_read(const struct caps_env *env, struct caps *out)
{
    *out = (struct caps){.addressable = is_addressable(env->term), .unicode = has_unicode(env)};
    if (out->addressable)
        out->colours = count_colours(env);
}
