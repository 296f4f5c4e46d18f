/*
 * probe KEY VALUE: a fact of plat/probe.h. VALUE as text (`\n' is a newline), !ERRNO for an attempt
 * that failed,
 * @FILE for a file's bytes; nothing for an attempt that worked. Facts not scripted are absent.
 */
#include "plat/probe.h"

#include "core/doctor/facts.h"
#include "scenario.h"

#include <stdio.h>
#include <string.h>

static void add_file(struct facts *out, const char *key, const char *name)
{
    SCOPED_BUF bytes = BUF_INIT;
    int r = scenario_file(name, 4 << 20, &bytes, NULL);
    if (r < 0)
        facts_fail(out, key, r);
    else
        facts_add(out, key, buf_str(&bytes), bytes.len);
}

static void add_text(struct facts *out, const char *key, const char *value)
{
    SCOPED_BUF text = BUF_INIT;
    for (const char *s = value; *s; s++) {
        bool newline = s[0] == '\\' && s[1] == 'n';
        buf_addc(&text, newline ? '\n' : *s);
        s += newline;
    }
    facts_add(out, key, buf_str(&text), text.len);
}

int probe_run(struct facts *out)
{
    int r = scenario_fail("probe_run", NULL);
    if (r < 0)
        return r;
    const char *line;
    for (size_t n = 0; (line = scenario_nth("probe", n)); n++) {
        char key[64];
        size_t len = strcspn(line, " ");
        snprintf(key, sizeof key, "%.*s", (int)len, line);
        const char *value = line + len + (line[len] == ' ');
        if (*value == '!')
            facts_fail(out, key, -scenario_errno(value + 1));
        else if (*value == '@')
            add_file(out, key, value + 1);
        else
            add_text(out, key, value);
    }
    return facts_error(out);
}
