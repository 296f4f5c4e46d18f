/* io_call_table: the rows of core/io/call.h. */
#ifndef PSUITE_CORE_IO_CALL_TABLE_H
#define PSUITE_CORE_IO_CALL_TABLE_H

#include "core/io/call.h"

extern const struct io_call io_call_table[];
extern const size_t io_call_table_len;

#endif
