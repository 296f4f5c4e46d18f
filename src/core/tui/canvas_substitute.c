#include "canvas_parts.h"

enum { BOX = 0x2500, BLOCKS = 0x2580, BLOCKS_END = 0x25A0, BRAILLE = 0x2800 };

/* Box drawing, sixteen a line from U+2500. */
static const char box[] = "--||--||--||++++"
                          "++++++++++++++++"
                          "++++++++++++++++"
                          "++++++++++++++++"
                          "++++++++++++--||"
                          "-|++++++++++++++"
                          "++++++++++++++++"
                          "+/\\X-|-|-|-|-|-|";

/* Block elements from U+2580: lower eighths rise, left eighths shrink; shades, quadrants. */
static const char blocks[] = "\"_.-=+*%##=++--."
                             "+.:#^|..'#+##'+#";

static const struct like {
    uint16_t first, last;
    char ascii;
} lookalikes[] = {
    {0xA0, 0xA0, ' '},     {0xA6, 0xA6, '|'},      {0xAB, 0xAB, '<'},     {0xAD, 0xAD, '-'},
    {0xB0, 0xB0, 'o'},     {0xB4, 0xB4, '\''},     {0xB5, 0xB5, 'u'},     {0xB7, 0xB7, '.'},
    {0xBB, 0xBB, '>'},     {0xC0, 0xC5, 'A'},      {0xC7, 0xC7, 'C'},     {0xC8, 0xCB, 'E'},
    {0xCC, 0xCF, 'I'},     {0xD1, 0xD1, 'N'},      {0xD2, 0xD6, 'O'},     {0xD7, 0xD7, 'x'},
    {0xD8, 0xD8, 'O'},     {0xD9, 0xDC, 'U'},      {0xDD, 0xDD, 'Y'},     {0xDF, 0xDF, 's'},
    {0xE0, 0xE5, 'a'},     {0xE7, 0xE7, 'c'},      {0xE8, 0xEB, 'e'},     {0xEC, 0xEF, 'i'},
    {0xF1, 0xF1, 'n'},     {0xF2, 0xF6, 'o'},      {0xF7, 0xF7, '/'},     {0xF8, 0xF8, 'o'},
    {0xF9, 0xFC, 'u'},     {0xFD, 0xFD, 'y'},      {0xFF, 0xFF, 'y'},     {0x3BC, 0x3BC, 'u'},
    {0x2010, 0x2015, '-'}, {0x2018, 0x201B, '\''}, {0x201C, 0x201F, '"'}, {0x2022, 0x2023, '*'},
    {0x2026, 0x2026, '.'}, {0x2032, 0x2032, '\''}, {0x2039, 0x2039, '<'}, {0x203A, 0x203A, '>'},
    {0x2190, 0x2190, '<'}, {0x2191, 0x2191, '^'},  {0x2192, 0x2192, '>'}, {0x2193, 0x2193, 'v'},
    {0x2194, 0x2194, '-'}, {0x2195, 0x2195, '|'},  {0x2212, 0x2212, '-'}, {0x2219, 0x2219, '.'},
    {0x2248, 0x2248, '~'}, {0x2264, 0x2264, '<'},  {0x2265, 0x2265, '>'}, {0x25A0, 0x25A1, '#'},
    {0x25B2, 0x25B5, '^'}, {0x25B6, 0x25BB, '>'},  {0x25BC, 0x25BF, 'v'}, {0x25C0, 0x25C5, '<'},
    {0x25C6, 0x25CF, '*'}, {0x2713, 0x2714, '+'},  {0x2717, 0x2718, 'x'},
};

static char braille_to_ascii(uint32_t rune)
{
    int dots = __builtin_popcount(rune & 0xFF);
    return dots == 0 ? ' ' : dots < 3 ? '.' : dots < 6 ? ':' : '#';
}

static char find_lookalike(uint32_t rune)
{
    for (size_t i = 0; i < sizeof lookalikes / sizeof lookalikes[0]; i++)
        if (rune >= lookalikes[i].first && rune <= lookalikes[i].last)
            return lookalikes[i].ascii;
    return '?';
}

char canvas_substitute(uint32_t rune)
{
    if (rune >= BOX && rune < BLOCKS)
        return box[rune - BOX];
    if (rune >= BLOCKS && rune < BLOCKS_END)
        return blocks[rune - BLOCKS];
    if (rune >> 8 == BRAILLE >> 8)
        return braille_to_ascii(rune);
    return find_lookalike(rune);
}
