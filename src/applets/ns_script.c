/* Lines into words, as rc quotes them. */
#include "ns_command.h"

#include "applets/applet.h"

#include <string.h>

/* Copies the word at *from to *to, without its quotes; false: a quote is not closed. */
static bool take_word(char **from, char **to)
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
static int take_words(char **text, char **word)
{
    char *from = *text;
    int words = 0;
    for (;;) {
        from += strspn(from, " \t");
        if (!*from || *from == ';' || *from == '\n')
            break;
        if (words == NS_WORDS_MOST) {
            applet_error(&applet_ns, "more than %d words in a command", NS_WORDS_MOST);
            return -1;
        }
        char *to = word[words++] = from;
        if (!take_word(&from, &to)) {
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

static void pass_comment(char **text)
{
    *text += strspn(*text, " \t\n;");
    while ((*text)[0] == '#' && strchr(" \t\n#!", (*text)[1])) {
        *text += strcspn(*text, "\n");
        *text += strspn(*text, " \t\n;");
    }
}

int ns_script(struct ns_session *s, char *text)
{
    char *word[NS_WORDS_MOST];
    int status = DONE;
    while (status == DONE) {
        pass_comment(&text);
        if (!*text)
            break;
        int words = take_words(&text, word);
        if (words < 0)
            return FAILED;
        if (words)
            status = ns_command(s, words, word);
    }
    return status;
}
