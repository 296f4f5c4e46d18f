/* Lines into words, as rc quotes them. */
#include "ns_command.h"

#include "applets/applet.h"

#include <string.h>

/* Copies the word at *from to *to, without its quotes; false: a quote is not closed. */
static bool read_word(char **from, char **to)
{
    bool quoted = false;
    for (; **from && (quoted || !strchr(" \t;\n", **from)); ++*from) {
        if (**from != '\'')
            *(*to)++ = **from;
        else if (quoted && (*from)[1] == '\'')
            *(*to)++ = *(*from)++;
        else
            quoted = !quoted;
    }
    return !quoted;
}

/* The words up to the command's end, in place: how many; -1 after saying what is wrong. *text then
 * stands behind the end. */
static int read_words(char **text, char **word)
{
    char *from = *text;
    int words = 0;
    for (;;) {
        from += strspn(from, " \t");
        if (!*from || *from == ';' || *from == '\n')
            break;
        if (words == NS_MAX_WORDS) {
            applet_error(&applet_ns, "more than %d words in a command", NS_MAX_WORDS);
            return -1;
        }
        char *to = word[words++] = from;
        if (!read_word(&from, &to)) {
            applet_error(&applet_ns, "%.32s: a quote is not closed", word[words - 1]);
            return -1;
        }
        bool last = !*from || *from == ';' || *from == '\n';
        from += *from != '\0';
        *to = '\0';
        if (last) {
            *text = from;
            return words;
        }
    }
    *text = from + (*from != '\0');
    return words;
}

static void skip_comment(char **text)
{
    *text += strspn(*text, " \t\n;");
    while ((*text)[0] == '#' && strchr(" \t\n#!", (*text)[1])) {
        *text += strcspn(*text, "\n");
        *text += strspn(*text, " \t\n;");
    }
}

int ns_script(struct ns_session *s, char *text)
{
    char *word[NS_MAX_WORDS];
    int status = DONE;
    while (status == DONE) {
        skip_comment(&text);
        if (!*text)
            break;
        int words = read_words(&text, word);
        if (words < 0)
            return FAILED;
        if (words)
            status = ns_command(s, words, word);
    }
    return status;
}
