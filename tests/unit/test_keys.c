/* Terminal input as keys: each spelling, cut at every byte, and what is none. */
#include "unit.h"

#include "../lib/keyname.h"

/* The names of all keys in the bytes, blanks between; `...' at the end when one waits for more. */
static void name_all(struct keys *k, struct buf *out)
{
    struct key key;
    while (keys_next(k, &key)) {
        if (out->len)
            buf_addc(out, ' ');
        keyname(&key, out);
    }
}

static const char *keys_of(const char *bytes, size_t len, size_t cut)
{
    static struct buf out = BUF_INIT;
    struct keys k = {.n = 0};
    buf_clear(&out);
    CHECK_INT(keys_add(&k, bytes, cut), cut);
    name_all(&k, &out);
    CHECK_INT(keys_add(&k, bytes + cut, len - cut), len - cut);
    name_all(&k, &out);
    if (keys_partial(&k)) {
        keys_expire(&k);
        buf_adds(&out, out.len ? " ..." : "...");
        name_all(&k, &out);
        CHECK(!keys_partial(&k));
    }
    return buf_str(&out);
}

/* Whole and cut in two at every byte the keys are the same. */
static void are(const char *bytes, const char *names)
{
    size_t len = strlen(bytes);
    for (size_t cut = 0; cut <= len; cut++)
        CHECK_STR(keys_of(bytes, len, cut), names);
}

TEST(keys_plain_and_control_characters)
{
    are("aQ 9", "a Q space 9");
    are("é日😀", "é 日 😀");
    are("\r\n\t\x7f\b", "enter enter tab backspace backspace");
    are("\x01\x03\x1a\x1c\x1f", "ctrl-a ctrl-c ctrl-z ctrl-\\ ctrl-_");
    CHECK_STR(keys_of("\0", 1, 0), "ctrl-space");
}

TEST(escape_alone_and_before)
{
    are("\033", "... esc");
    are("\033q", "alt-q");
    are("\033\r", "alt-enter");
    are("\033\x01", "ctrl-alt-a");
    are("\033é", "alt-é");
    are("\033\033", "... esc esc");
    are("\033\033q", "esc alt-q");
    are("\033[", "... alt-[");
    are("\033O", "... alt-O");
    are("\033\033[", "... esc alt-[");
    are("\033[1;", "...");
}

TEST(arrows_of_all_terminals)
{
    are("\033[A\033[B\033[C\033[D", "up down right left");
    are("\033OA\033OB\033OC\033OD", "up down right left");
    are("\033[1;2A\033[1;3B\033[1;5C\033[1;8D", "shift-up alt-down ctrl-right ctrl-alt-shift-left");
    are("\033[1;9A", "alt-up");
    are("\033O5A", "ctrl-up");
    are("\033[a\033[d\033Oa\033Oc", "shift-up shift-left ctrl-up ctrl-right");
    are("\033\033[A\033\033OA", "alt-up alt-up");
}

TEST(keys_of_the_block_between)
{
    are("\033[H\033[F\033OH\033OF", "home end home end");
    are("\033[1~\033[4~\033[7~\033[8~", "home end home end");
    are("\033[2~\033[3~\033[5~\033[6~", "insert delete page-up page-down");
    are("\033[5;5~\033[3;2~", "ctrl-page-up shift-delete");
    are("\033[5$\033[5^\033[5@", "shift-page-up ctrl-page-up ctrl-shift-page-up");
    are("\033[Z", "shift-tab");
}

TEST(function_keys_of_all_terminals)
{
    are("\033OP\033OQ\033OR\033OS", "f1 f2 f3 f4");
    are("\033[11~\033[12~\033[13~\033[14~\033[15~", "f1 f2 f3 f4 f5");
    are("\033[[A\033[[B\033[[C\033[[D\033[[E", "f1 f2 f3 f4 f5");
    are("\033[17~\033[18~\033[19~\033[20~\033[21~\033[23~\033[24~", "f6 f7 f8 f9 f10 f11 f12");
    are("\033[1;5P\033[15;2~", "ctrl-f1 shift-f5");
}

TEST(keys_of_the_application_keypad)
{
    are("\033OM\033Oj\033Ok\033Om\033Oo\033Op\033Oy\033OX", "enter * + - / 0 9 =");
}

TEST(mouse_reports_of_both_encodings)
{
    are("\033[<0;10;5M\033[<0;10;5m", "press 1 at 9,4 release 1 at 9,4");
    are("\033[<1;1;1M\033[<2;1;1M", "press 2 at 0,0 press 3 at 0,0");
    are("\033[<64;3;4M\033[<65;3;4M", "wheel-up at 2,3 wheel-down at 2,3");
    are("\033[<32;3;4M\033[<35;3;4M", "drag 1 at 2,3 drag 0 at 2,3");
    are("\033[<20;3;4M\033[<8;3;4M", "ctrl-shift-press 1 at 2,3 alt-press 1 at 2,3");
    are("\033[<0;700;300M", "press 1 at 699,299");
    are("\033[M !\"\033[M#!\"\033[M`!!", "press 1 at 0,1 release 0 at 0,1 wheel-up at 0,0");
    are("\033[<0;0;5Mx\033[<66;1;1Mx\033[<128;1;1Mx\033[<0;1Mx", "x x x x");
    are("\033[<0;99999999999;1M", "press 1 at 65534,0");
}

TEST(what_is_none_is_passed_over)
{
    are("\033[?1;2cq", "q");
    are("\033[200~q\033[201~", "q");
    are("\033[Iq\033[O", "q");
    are("\033[1;2;3;4;5;6;7;8zq", "q");
    are("\033[16$q\033[12$", "q shift-f2");
    are("\033[1\033[A", "up");
    are("\033[1\rq", "enter q");
    are("\xff\x80q\xc3(", "q (");
    are("\xc2\x9bq", "q");
    are("\xe2\x82", "...");
}

TEST(keys_unfinished_sequences_are_bounded)
{
    struct keys k = {.n = 0};
    struct key key;
    char digits[400];
    memset(digits, '1', sizeof digits);
    keys_add(&k, "\033[", 2);
    for (int i = 0; i < 1000; i++) {
        size_t n = keys_add(&k, digits, sizeof digits);
        CHECK(n >= KEYS_BYTES / 2);
        while (keys_next(&k, &key))
            CHECK_INT(key.rune, '1');
        CHECK(k.n <= KEYS_BYTES / 2);
    }
    CHECK_INT(keys_add(&k, NULL, 0), 0);
}
