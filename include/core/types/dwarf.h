/*
 * types_dwarf: functions and structs by a file's DWARF, read by libdwarf.
 *
 * libdwarf is made to read any file, but has had errors that damaged ones could use: it may crash,
 * or take any time and memory. To be called only in a process that has neither rights nor other
 * data (plat/confined.h).
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/types/answer.h"

/* Whether this build can. */
bool types_dwarf_able(void);

/* Appends what the ELF file's debug information answers, as types_pack. 0; -ENODATA: it has no
 * debug information; -ENOEXEC: libdwarf refuses it; -ENOMEM. f->what is the reason. */
int types_dwarf(const uint8_t *image, size_t len, const struct types_query *query, size_t queries,
                struct buf *packed, struct fail *f);
