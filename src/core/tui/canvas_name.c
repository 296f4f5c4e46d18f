#include "core/tui/canvas_name.h"

#include "core/text/name_fit.h"

#include <string.h>

static const struct style quiet = {.fg = COLOUR_CYAN};

int canvas_put_name(struct canvas *c, int x, int y, const struct canvas_name *n)
{
    static const char *const forms[] = {"", " %s", " [%s]"};
    const char *name = n->name ? n->name : "?", *module = n->module ? n->module : "";
    const char *form = forms[!*module ? 0 : *module == '[' ? 1 : 2];
    size_t brackets = strlen(form) - strlen(*module ? "%s" : "");
    size_t taken = (size_t)x + brackets + text_columns(module, strlen(module));
    size_t width = (size_t)c->width;
    struct buf fitting = BUF_INIT;
    name_fit_match(&fitting, name, n->match, width > taken ? width - taken : 1);
    x = canvas_put(c, x, y, n->style, buf_str(&fitting));
    if (*module)
        x = canvas_printf(c, x, y, quiet, form, module);
    buf_release(&fitting);
    return x;
}
