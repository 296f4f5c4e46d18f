/*
 * kallsyms: the kernel's functions, out of the text of /proc/kallsyms or of a System.map:
 *   ADDRESS TYPE NAME[\t[MODULE]]     the address in hex, the type as nm's, in capitals when global
 * One table for the kernel and its modules, as their addresses are one space; each symbol knows its
 * module.
 */
#pragma once

#include "core/elf/symtab.h"

struct kallsyms {
    struct symtab *symbols; /* of the kernel and its modules; of what is no function, nameless */
    const char *text;       /* the caller's; NULL of copied names */
    size_t len;
    uint64_t start;  /* of the kernel's text: _text, else _stext, else the lowest function */
    size_t lines;    /* that were symbols of any kind */
    bool restricted; /* all addresses were 0: the kernel hides them */
};

/* Reads text[0..len), which is written into (names become strings) and must outlive out; text[len]
 * must be there, too. -ENOMEM, or -ENOEXEC when not one line is a symbol. */
int kallsyms_init(char *text, size_t len, struct kallsyms *out);

/* A line whose symbol may yet be kept. */
struct kallsyms_line {
    uint64_t addr;
    char *name;   /* NULL: kept or dropped */
    size_t below; /* how many of the addresses that are asked for are below addr */
    char type;
};

/* The same of a text that comes in parts of whole lines, of which none is needed longer: the names
 * of functions, a third of the text or less, are copied. Not for kallsyms_module.
 *
 *     kallsyms_start(&r, NULL, 0), kallsyms_add(&r, part, len) for each,
 *     kallsyms_finish(&r, &names)
 *
 * asked: NULL for all symbols. Else count addresses in ascending order, which must outlive the
 * reader: the table then answers for these addresses as the table of all symbols does, and has few
 * other symbols than it needs for that. The lowest one is always in it.
 *
 * start: -ENOMEM, and nothing is to be finished; finish as kallsyms_init. */
struct kallsyms_reader {
    struct symtab_builder *builder;
    bool copies_names;
    const uint64_t *asked;
    size_t asked_count;
    struct kallsyms_line before, last; /* with asked only */
    size_t lines, zeros;
    uint64_t text, stext;
};
int kallsyms_start(struct kallsyms_reader *r, const uint64_t *asked, size_t count);
void kallsyms_add(struct kallsyms_reader *r, char *part, size_t len);
int kallsyms_finish(struct kallsyms_reader *r, struct kallsyms *out);

void kallsyms_release(struct kallsyms *k);

/* The function at an address, NULL when there is none. */
const struct symbol *kallsyms_find(const struct kallsyms *k, uint64_t addr);

/* The module of a symbol of k->symbols, without brackets; "" for the kernel itself. *len is its
 * length: it is not a string of its own. */
const char *kallsyms_module(const struct kallsyms *k, const struct symbol *s, size_t *len);

/* The symbol of that name, NULL when there is none. Walks them all. */
const struct symbol *kallsyms_named(const struct kallsyms *k, const char *name, size_t len);
