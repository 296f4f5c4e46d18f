/* proc_fd: proc(3)'s fd: a process's directory, then a line a descriptor. */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

int proc_fd_text(int pid, struct buf *out, struct fail *f);
