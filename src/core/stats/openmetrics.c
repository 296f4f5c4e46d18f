#include "openmetrics.h"

#include "core/base/buf.h"

void openmetrics_head(struct buf *out, const char *name, const char *type, const char *help)
{
    buf_printf(out, "# TYPE %s %s\n# HELP %s %s.\n", name, type, name, help);
}

static void add_escaped(struct buf *out, const char *value)
{
    for (; *value; value++)
        if (*value == '\n')
            buf_adds(out, "\\n");
        else
            buf_printf(out, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
}

void openmetrics_labels(struct buf *out, const char *name, size_t labels, const char *const *pair)
{
    buf_adds(out, name);
    for (size_t i = 0; i < labels; i++) {
        buf_printf(out, "%c%s=\"", i ? ',' : '{', pair[2 * i]);
        add_escaped(out, pair[2 * i + 1]);
        buf_addc(out, '"');
    }
    buf_adds(out, "} ");
}

void openmetrics_label(struct buf *out, const char *name, const char *key, const char *value)
{
    openmetrics_labels(out, name, 1, (const char *const[]){key, value});
}
