#include "applets/sym_words.h"

#include "core/base/buf.h"
#include "core/base/grow.h"
#include "plat/file.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 64, MAX_BYTES = 1 << 20, MAX_WORDS = 1 << 18 };

/* Takes the word over. */
static void add_word(struct sym_words *w, char *word)
{
    if (!word || w->count >= MAX_WORDS || !grow(&w->word, &w->cap, w->count + 1, sizeof *w->word)) {
        w->failed = true;
        free(word);
        return;
    }
    w->word[w->count++] = word;
    w->word[w->count] = NULL;
}

/* --- response files --- */

static void add_argument(struct sym_words *w, const char *word);

static size_t skip_blanks(const char *text, size_t at, size_t len)
{
    while (at < len && strchr(" \t\r\n", text[at]))
        at++;
    return at;
}

/* Reads a word at `at' into out; where it ends. */
static size_t read_word(const char *text, size_t at, size_t len, struct buf *out)
{
    char quote = '\0';
    for (; at < len && text[at] && (quote || !strchr(" \t\r\n", text[at])); at++)
        if (text[at] == '\\' && at + 1 < len)
            buf_addc(out, text[++at]);
        else if (text[at] == quote)
            quote = '\0';
        else if (!quote && strchr("'\"", text[at]))
            quote = text[at];
        else
            buf_addc(out, text[at]);
    return at + (at < len && !text[at]);
}

static void add_text(struct sym_words *w, const char *text, size_t len)
{
    SCOPED_BUF word = BUF_INIT;
    for (size_t at = skip_blanks(text, 0, len); at < len && !w->failed;
         at = skip_blanks(text, at, len)) {
        buf_clear(&word);
        at = read_word(text, at, len, &word);
        w->failed |= buf_error(&word) != 0;
        add_argument(w, buf_str(&word));
    }
}

static bool add_file(struct sym_words *w, const char *path)
{
    struct image image;
    if (w->files == MAX_FILES || file_map_regular(path, &image, NULL) < 0)
        return false;
    bool fits = image.len <= MAX_BYTES;
    SCOPED_FREE char *text = fits && image.len ? malloc(image.len) : NULL;
    if (text) {
        w->files++;
        memcpy(text, image.data, image.len);
        add_text(w, text, image.len);
    }
    fits = fits && (text || !image.len);
    file_unmap(&image);
    return fits;
}

static void add_argument(struct sym_words *w, const char *word)
{
    if (word[0] != '@' || !add_file(w, word + 1))
        add_word(w, strdup(word));
}

void sym_words_read(struct sym_words *w, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        add_argument(w, argv[i]);
}

void sym_words_replace(struct sym_words *w, const char *from, const char *to)
{
    size_t len = strlen(from);
    for (size_t i = 1; i < w->count && strcmp(w->word[i], "--") != 0; i++) {
        if (strncmp(w->word[i], from, len) != 0)
            continue;
        struct buf word = BUF_INIT;
        buf_printf(&word, "%s%s", to, w->word[i] + len);
        if (buf_error(&word)) {
            w->failed = true;
            continue;
        }
        free(w->word[i]);
        w->word[i] = word.data;
    }
}

void sym_words_release(struct sym_words *w)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->word[i]);
    free(w->word);
    *w = (struct sym_words){0};
}
