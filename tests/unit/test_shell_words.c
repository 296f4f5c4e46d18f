#include "unit.h"

#include "core/base/buf.h"
#include "core/text/shell_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *typed(char *const *word)
{
    static struct buf out = BUF_INIT;
    buf_clear(&out);
    shell_words_add(&out, word);
    return buf_str(&out);
}

static const char *argument(const char *text)
{
    static char copy[64], command[] = "x";
    snprintf(copy, sizeof copy, "%s", text);
    return typed((char *[]){command, copy, NULL}) + 2;
}

static const char *first(const char *text)
{
    static char copy[64];
    snprintf(copy, sizeof copy, "%s", text);
    return typed((char *[]){copy, NULL});
}

TEST(no_words_are_nothing)
{
    CHECK_STR(typed((char *[]){NULL}), "");
}

TEST(words_that_a_shell_reads_as_they_are)
{
    static const char *const plain[] = {"-n",  "/usr/bin/x.1", "a=b", "a,b:c@d%e+f_g", "file~",
                                        "x#y", "\xc3\xa4",     "if",  "--color=auto",  "1..8"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        CHECK_STR(argument(plain[i]), plain[i]);
}

TEST(words_in_quotes)
{
    CHECK_STR(argument(""), "''");
    CHECK_STR(argument("a; b"), "'a; b'");
    CHECK_STR(argument("don't"), "'don'\\''t'");
    CHECK_STR(argument("$HOME"), "'$HOME'");
    CHECK_STR(argument("a\\b"), "'a\\b'");
    CHECK_STR(argument("*.c"), "'*.c'");
    CHECK_STR(argument("{}"), "'{}'");
    CHECK_STR(argument("~"), "'~'");
    CHECK_STR(argument("a=~/x"), "'a=~/x'");
    CHECK_STR(argument("a:~"), "'a:~'");
    CHECK_STR(argument("#1"), "'#1'");
    CHECK_STR(argument("=ls"), "'=ls'");
}

TEST(what_a_terminal_acts_upon_is_escaped)
{
    CHECK_STR(argument("a\nb\tc"), "$'a\\nb\\tc'");
    CHECK_STR(argument("\033[2J it's \\"), "$'\\033[2J it\\'s \\\\'");
    CHECK_STR(argument("\xff"), "$'\\377'");
    CHECK_STR(argument("\xe2\x80\xaex\xc3\xa4"), "$'\\342\\200\\256x\xc3\xa4'");
}

TEST(a_command_that_would_be_an_assignment_or_a_keyword)
{
    CHECK_STR(first("a=b"), "'a=b'");
    CHECK_STR(first("if"), "'if'");
    CHECK_STR(first("time"), "'time'");
    CHECK_STR(first("iffy"), "iffy");
}

/* --- each of them read by a shell --- */

/* Writes the words into a script that prints each of its arguments and a NUL. */
static bool read_by(const char *shell, const char *text, char *got, size_t cap)
{
    char path[] = "/tmp/shell_words.XXXXXX", line[128];
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    CHECK(dprintf(fd, "printf '%%s\\1' %s\n", text) > 0);
    close(fd);
    snprintf(line, sizeof line, "%s %s", shell, path);
    FILE *out = popen(line, "r");
    CHECK(out != NULL);
    size_t n = fread(got, 1, cap - 1, out);
    got[n] = '\0';
    bool done = pclose(out) == 0;
    unlink(path);
    return done;
}

static void add_each_byte(struct buf *want, char word[][4], char **argv)
{
    for (size_t c = 1; c < 256; c++) {
        snprintf(word[c - 1], 4, "%c=", (int)c); /* also at the start of a word */
        argv[c - 1] = word[c - 1];
    }
    argv[255] = NULL;
    for (size_t i = 0; argv[i]; i++)
        buf_printf(want, "%s\001", argv[i]);
}

TEST(bash_reads_each_byte_as_it_was)
{
    static char word[255][4];
    char *argv[256], got[2048];
    struct buf want = BUF_INIT, text = BUF_INIT;
    if (access("/bin/bash", X_OK) < 0)
        SKIP("no bash");
    add_each_byte(&want, word, argv);
    shell_words_add(&text, argv);
    CHECK(read_by("/bin/bash", buf_str(&text), got, sizeof got));
    CHECK_STR(got, buf_str(&want));
    buf_release(&want);
    buf_release(&text);
}

TEST(sh_reads_each_printable_byte_as_it_was)
{
    static char word[255][4];
    char *argv[256], got[2048];
    struct buf want = BUF_INIT, text = BUF_INIT;
    add_each_byte(&want, word, argv);
    argv[0x7e] = NULL;
    buf_clear(&want);
    for (size_t i = 0x1f; argv[i]; i++)
        buf_printf(&want, "%s\001", argv[i]);
    shell_words_add(&text, argv + 0x1f);
    CHECK(read_by("/bin/sh", buf_str(&text), got, sizeof got));
    CHECK_STR(got, buf_str(&want));
    buf_release(&want);
    buf_release(&text);
}
