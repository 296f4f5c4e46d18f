/* io_call_table: the rows of core/io/call.h. */
#pragma once

#include "core/io/call.h"

extern const struct io_call io_call_table[];
extern const size_t io_call_table_len;
