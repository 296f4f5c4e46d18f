/*
 * trace_format: parses the kernel's descriptions of its trace events: a tracepoint's `format` file
 * (name, ID, fields with their offsets), and `events/header_page`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACE_FIELDS_MAX = 48, TRACE_STATES_MAX = 16, TRACE_NAME_BYTES = 48 };

struct trace_field {
    char name[TRACE_NAME_BYTES];
    uint32_t offset, size; /* in bytes; size 0: to the record's end */
    bool is_signed;
    bool data_loc; /* __data_loc: the field holds where its bytes are, and how many */
    bool rel_loc;  /* __rel_loc: from the field's end on */
};

/* A bit of a state and its letter, as the print format of sched_switch has them. */
struct trace_state {
    uint32_t bit;
    char letter;
};

struct trace_format {
    char name[TRACE_NAME_BYTES];
    uint32_t id;
    struct trace_field field[TRACE_FIELDS_MAX];
    size_t fields;
    struct trace_state state[TRACE_STATES_MAX]; /* of the one __print_flags with letters */
    size_t states;
};

/* 0, or -EINVAL: no format, or more fields than there is room for. */
int trace_format_read(const char *text, size_t len, struct trace_format *out);
const struct trace_field *trace_format_field(const struct trace_format *f, const char *name);
/* False: there is no field of that name. */
bool trace_format_copy(const struct trace_format *f, const char *name, struct trace_field *out);

/* A number of a record of len bytes; 0 when the field (NULL: none) lies outside, or is none. */
int64_t trace_field_number(const struct trace_field *field, const uint8_t *record, size_t len);
/* A text's bytes, up to its end or a NUL; *size 0 when it lies outside. */
const char *trace_field_text(const struct trace_field *field, const uint8_t *record, size_t len,
                             size_t *size);

/* A page of the ring buffer. */
struct trace_page_layout {
    uint32_t commit_at, commit_size; /* 4 or 8 bytes: the kernel's long */
    uint32_t data_at, page_size;
};
enum { TRACE_PAGE_MAX = 1 << 20 };
/* 0, or -EINVAL. */
int trace_page_layout_read(const char *text, size_t len, struct trace_page_layout *out);
