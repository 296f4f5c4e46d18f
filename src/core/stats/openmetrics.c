#include "openmetrics.h"

#include "core/base/buf.h"

void openmetrics_head(struct buf *out, const char *name, const char *type, const char *help)
{
    buf_printf(out, "# TYPE %s %s\n# HELP %s %s.\n", name, type, name, help);
}

void openmetrics_label(struct buf *out, const char *name, const char *key, const char *value)
{
    buf_printf(out, "%s{%s=\"", name, key);
    for (; *value; value++)
        if (*value == '\n')
            buf_adds(out, "\\n");
        else
            buf_printf(out, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    buf_adds(out, "\"} ");
}
