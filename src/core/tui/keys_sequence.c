#include "keys_parts.h"

enum { MODIFIERS = KEY_SHIFT | KEY_ALT | KEY_CTRL, META = 8 };

static enum key_read set_key(struct key *out, enum key_code code, unsigned mods)
{
    *out = (struct key){.code = code, .mods = (uint8_t)mods};
    return KEY_HERE;
}

/* The parameter is one more than the bits; xterm's Meta is our Alt. */
static unsigned decode_modifiers(unsigned param)
{
    unsigned bits = param ? param - 1 : 0;
    return (bits & MODIFIERS) | (bits & META ? KEY_ALT : 0);
}

/* --- by final letter: xterm, and rxvt's lower case --- */

static bool by_letter(uint8_t final, enum key_code *code)
{
    static const struct {
        uint8_t final;
        enum key_code code;
    } letters[] = {
        {'A', KEY_UP},     {'B', KEY_DOWN},   {'C', KEY_RIGHT}, {'D', KEY_LEFT},
        {'H', KEY_HOME},   {'F', KEY_END},    {'P', KEY_F1},    {'Q', KEY_F1 + 1},
        {'R', KEY_F1 + 2}, {'S', KEY_F1 + 3}, {'M', KEY_ENTER},
    };
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (letters[i].final == final) {
            *code = letters[i].code;
            return true;
        }
    return false;
}

/* The keypad in application mode: ESC O j is `*', ... ESC O y is `9', ESC O X is `='. */
static enum key_read by_keypad(uint8_t final, struct key *out)
{
    if (final != 'X' && (final < 'j' || final > 'y'))
        return KEY_PASS;
    *out = (struct key){.rune = final == 'X' ? '=' : final - 64u};
    return KEY_HERE;
}

static enum key_read by_final(const struct key_sequence *s, struct key *out)
{
    enum key_code code;
    unsigned mods = decode_modifiers(s->params > 1    ? s->param[1]
                                     : s->kind == 'O' ? s->param[0]
                                                      : 0);
    if (by_letter(s->final, &code))
        return set_key(out, code, mods);
    if (s->final >= 'a' && s->final <= 'd') /* rxvt */
        return set_key(out, KEY_UP + (s->final - 'a'), s->kind == 'O' ? KEY_CTRL : KEY_SHIFT);
    if (s->final == 'Z')
        return set_key(out, KEY_TAB, KEY_SHIFT);
    return s->kind == 'O' ? by_keypad(s->final, out) : KEY_PASS;
}

/* --- by number: ESC [ N ~ of the VT220, and rxvt's other finals --- */

static bool by_number(unsigned n, enum key_code *code)
{
    static const uint8_t codes[] = {
        [1] = KEY_HOME,    [2] = KEY_INSERT,    [3] = KEY_DELETE,   [4] = KEY_END,
        [5] = KEY_PAGE_UP, [6] = KEY_PAGE_DOWN, [7] = KEY_HOME,     [8] = KEY_END,
        [11] = KEY_F1,     [12] = KEY_F1 + 1,   [13] = KEY_F1 + 2,  [14] = KEY_F1 + 3,
        [15] = KEY_F1 + 4, [17] = KEY_F1 + 5,   [18] = KEY_F1 + 6,  [19] = KEY_F1 + 7,
        [20] = KEY_F1 + 8, [21] = KEY_F1 + 9,   [23] = KEY_F1 + 10, [24] = KEY_F12,
    };
    if (n >= sizeof codes || codes[n] == KEY_RUNE)
        return false;
    *code = codes[n];
    return true;
}

static enum key_read by_tilde(const struct key_sequence *s, struct key *out)
{
    enum key_code code;
    unsigned mods = decode_modifiers(s->params > 1 ? s->param[1] : 0);
    if (s->final == '$' || s->final == '@')
        mods |= KEY_SHIFT;
    if (s->final == '^' || s->final == '@')
        mods |= KEY_CTRL;
    return by_number(s->param[0], &code) ? set_key(out, code, mods) : KEY_PASS;
}

/* --- the mouse --- */

enum { MOUSE_SHIFT = 4, MOUSE_META = 8, MOUSE_CTRL = 16, MOUSE_MOTION = 32, MOUSE_WHEEL = 64 };

static enum key_code mouse_code(unsigned b, bool release)
{
    if (b & MOUSE_WHEEL)
        return b & 1 ? KEY_WHEEL_DOWN : KEY_WHEEL_UP;
    if (b & MOUSE_MOTION)
        return KEY_DRAG;
    return release || (b & 3) == 3 ? KEY_RELEASE : KEY_PRESS;
}

enum key_read key_of_mouse(unsigned b, unsigned x, unsigned y, bool release, struct key *out)
{
    if (x == 0 || y == 0 || b > 127 || (b & MOUSE_WHEEL && (b & 2 || release)))
        return KEY_PASS;
    set_key(out, mouse_code(b, release),
            (b & MOUSE_SHIFT ? KEY_SHIFT : 0) | (b & MOUSE_META ? KEY_ALT : 0) |
                (b & MOUSE_CTRL ? KEY_CTRL : 0));
    out->button = b & MOUSE_WHEEL ? 0 : (uint8_t)((b + 1) & 3);
    out->x = (uint16_t)(x - 1);
    out->y = (uint16_t)(y - 1);
    return KEY_HERE;
}

/* --- sequences --- */

enum key_read key_of_sequence(const struct key_sequence *s, struct key *out)
{
    if (s->kind == 'L')
        return s->final >= 'A' && s->final <= 'E' ? set_key(out, KEY_F1 + (s->final - 'A'), 0)
                                                  : KEY_PASS;
    if (s->private == '<' && (s->final == 'M' || s->final == 'm') && s->params == 3)
        return key_of_mouse(s->param[0], s->param[1], s->param[2], s->final == 'm', out);
    if (s->private)
        return KEY_PASS;
    if (s->kind == '[' &&
        (s->final == '~' || s->final == '$' || s->final == '^' || s->final == '@'))
        return by_tilde(s, out);
    return by_final(s, out);
}
