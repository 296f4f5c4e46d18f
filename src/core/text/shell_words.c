#include "core/text/shell_words.h"

#include "core/base/buf.h"
#include "core/text/shown.h"

#include <stdbool.h>
#include <string.h>

/* --- what has to be quoted --- */

static bool is_shown(const char *word)
{
    bool safe = true;
    for (size_t len = strlen(word); safe && len;) {
        size_t n = shown_character(word, len, &safe);
        word += n;
        len -= n;
    }
    return safe;
}

/* A tilde, a comment and zsh's `=' act at the start of a word, a tilde also behind `=' and `:'. */
static bool acts_here(const char *word, size_t at)
{
    if (at == 0)
        return strchr("~#=", word[0]) != NULL;
    return word[at] == '~' && strchr("=:", word[at - 1]);
}

static bool is_plain(const char *word)
{
    for (size_t at = 0; word[at]; at++)
        if (strchr(" !\"$&'()*;<>?[\\]^`{|}", word[at]) || acts_here(word, at))
            return false;
    return *word != '\0';
}

/* A word that a shell does not take for a command's name. */
static bool is_reserved(const char *word)
{
    static const char *const words[] = {"case",   "do",    "done",    "elif",     "else",
                                        "esac",   "fi",    "for",     "if",       "in",
                                        "then",   "until", "while",   "select",   "repeat",
                                        "coproc", "time",  "foreach", "function", "nocorrect"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return strchr(word, '=') != NULL;
}

/* --- how --- */

static void add_quoted(struct buf *out, const char *word)
{
    buf_addc(out, '\'');
    for (; *word; word++)
        if (*word == '\'')
            buf_adds(out, "'\\''");
        else
            buf_addc(out, *word);
    buf_addc(out, '\'');
}

static void add_escape(struct buf *out, unsigned char c)
{
    if (c == '\n' || c == '\t')
        buf_adds(out, c == '\n' ? "\\n" : "\\t");
    else
        buf_printf(out, "\\%03o", c);
}

static void add_character(struct buf *out, const char *text, size_t len)
{
    if (len == 1 && (*text == '\'' || *text == '\\'))
        buf_addc(out, '\\');
    buf_add(out, text, len);
}

static void add_escaped(struct buf *out, const char *word)
{
    buf_adds(out, "$'");
    for (size_t len = strlen(word), n; len; word += n, len -= n) {
        bool safe;
        n = shown_character(word, len, &safe);
        if (safe)
            add_character(out, word, n);
        for (size_t i = 0; !safe && i < n; i++)
            add_escape(out, (unsigned char)word[i]);
    }
    buf_addc(out, '\'');
}

void shell_words_add(struct buf *out, char *const *word)
{
    for (size_t i = 0; word[i]; i++) {
        if (i)
            buf_addc(out, ' ');
        if (!is_shown(word[i]))
            add_escaped(out, word[i]);
        else if (is_plain(word[i]) && (i || !is_reserved(word[i])))
            buf_adds(out, word[i]);
        else
            add_quoted(out, word[i]);
    }
}
