/* UTF-8, widths, and what the environment says of a terminal. */
#include "unit.h"

#include "core/text/rune.h"
#include "core/tui/caps.h"

TEST(every_scalar_survives)
{
    for (uint32_t r = 0; r <= RUNE_LAST; r++) {
        char bytes[RUNE_BYTES];
        uint32_t back = 0;
        size_t n = rune_encode(r, bytes);
        int surrogate = r >= 0xD800 && r < 0xE000;
        if (rune_decode(bytes, n, &back) != n || back != (surrogate ? RUNE_BAD : r)) {
            CHECK_INT(back, r);
            return;
        }
        for (size_t cut = 1; cut < n; cut++)
            if (rune_decode(bytes, cut, &back) != 0)
                CHECK_INT(cut, 0);
    }
}

TEST(what_is_no_utf8)
{
    static const char *const bad[] = {"\x80",
                                      "\xc0\x80",
                                      "\xc1\xbf",
                                      "\xe0\x80\x80",
                                      "\xed\xa0\x80",
                                      "\xf0\x80\x80\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xff",
                                      "\xc3(",
                                      "\xe2\x82("};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint32_t rune = 0;
        CHECK_INT(rune_decode(bad[i], strlen(bad[i]), &rune), 1);
        CHECK_INT(rune, RUNE_BAD);
    }
}

TEST(rune_width_of_each_class)
{
    static const struct {
        uint32_t rune;
        int width;
    } of[] = {{'a', 1},    {0xE9, 1},    {0x301, 0},   {0x200B, 0}, {0x202E, 0},  {0x2500, 1},
              {0x28FF, 1}, {0x1100, 2},  {0x3000, 2},  {0x65E5, 2}, {0xAC00, 2},  {0xFF01, 2},
              {0xFF61, 1}, {0x1F600, 2}, {0x20000, 2}, {0x303F, 1}, {0xE0100, 0}, {0x10FFFD, 1},
              {0xFEFF, 0}, {0x231A, 2},  {0x231C, 1},  {0x1160, 0}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        if (rune_width(of[i].rune) != of[i].width)
            CHECK_INT(of[i].rune, -1);
}

static struct caps read_caps(struct caps_env e)
{
    struct caps caps;
    caps_read(&e, &caps);
    return caps;
}

TEST(colours_of_terminals_by_name)
{
    static const struct {
        const char *term;
        int colours;
    } of[] = {{"xterm", 16},          {"xterm-256color", 256},
              {"screen", 16},         {"tmux-256color", 256},
              {"linux", 8},           {"vt100", 0},
              {"vt220", 0},           {"xterm-mono", 0},
              {"rxvt-unicode", 16},   {"ansi", 8},
              {"foot", 256},          {"xterm-kitty", 256},
              {"linux-16color", 16},  {"xterm-direct", 256},
              {"vt100-256color", 256}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct caps caps = read_caps((struct caps_env){.term = of[i].term});
        CHECK(caps.addressable);
        if (caps.colours != of[i].colours)
            CHECK_STR(of[i].term, "");
    }
    CHECK(!read_caps((struct caps_env){.term = "dumb"}).addressable);
    CHECK(!read_caps((struct caps_env){.term = ""}).addressable);
    CHECK(!read_caps((struct caps_env){0}).addressable);
}

TEST(more_or_fewer_colours_than_the_name_says)
{
    CHECK_INT(read_caps((struct caps_env){.term = "linux", .colorterm = "truecolor"}).colours, 256);
    CHECK_INT(read_caps((struct caps_env){.term = "linux", .colorterm = "yes"}).colours, 16);
    CHECK_INT(read_caps((struct caps_env){.term = "xterm", .no_color = "1"}).colours, 0);
    CHECK_INT(read_caps((struct caps_env){.term = "xterm", .no_color = ""}).colours, 16);
}

TEST(character_set_by_the_locale)
{
    CHECK(read_caps((struct caps_env){.term = "xterm", .lang = "en_US.UTF-8"}).unicode);
    CHECK(read_caps((struct caps_env){.term = "xterm", .lang = "C.utf8"}).unicode);
    CHECK(!read_caps((struct caps_env){.term = "xterm", .lang = "de_DE"}).unicode);
    CHECK(!read_caps((struct caps_env){.term = "xterm", .lc_all = "C", .lang = "C.UTF-8"}).unicode);
    CHECK(read_caps(
              (struct caps_env){.term = "vt100", .lc_all = "", .lc_ctype = "C.UTF-8", .lang = "C"})
              .unicode);
    CHECK(!read_caps((struct caps_env){.term = "xterm"}).unicode);
}
