/*
 * answer: prints the function, file and line of an address, for people and for programs.
 */
#pragma once

#include "core/symbol/demangle.h"
#include "core/symbol/frames.h"

struct answer {
    uint64_t address; /* as it was asked */
    uint64_t vaddr;   /* link-time address */
    int bits;         /* 32 or 64: width of an address */
    const struct frames *frames;
    const char *module; /* to be named after the function; NULL: clear without */
    size_t module_len;
    const char *path; /* of the module's file, for JSON; NULL: as module */
};

enum answer_style {
    ANSWER_PSUITE, /* NAME+0xOFFSET [MODULE] at FILE:LINE; with inlines a line a frame, innermost
                      first */
    ANSWER_GNU,    /* as addr2line prints */
    ANSWER_JSON    /* an object a line */
};

struct answer_format {
    enum answer_style style;
    bool functions;     /* names, too: GNU alone */
    bool inlines;       /* callers of inlined code, too */
    bool basenames;     /* files without their folders */
    bool address;       /* the address, first; not JSON, which has it always */
    bool pretty;        /* a line a frame: GNU */
    const char *indent; /* before each line; PSUITE alone */
    struct demangler *names;
};

void answer_text(const struct answer_format *f, const struct answer *a, struct buf *out);

/* {"psuite":1,"applet":"sym","address","module","offset_bytes","frames":[{"name","raw","file","line",
 * "column"}]}: raw only where it differs. of_line: the line of a log that the address stood in, or
 * NULL; it is "log". a: NULL when that line has none. */
void answer_json(const struct answer_format *f, const struct answer *a, const char *log_line,
                 struct buf *out);

/* The same as an object of an array, without "psuite" and "applet". */
struct json;
void answer_json_element(const struct answer_format *f, const struct answer *a, struct json *j);
