#include "core/io/call.h"

#include "call_table.h"

/* The kernel's own numbers, the same on the four architectures. */
enum { FLAG_CREATE = 0100, DUPLICATE = 0, DUPLICATE_CLOEXEC = 1030 };
enum { MAX_NUMBER = 512 };
enum { RESTART_FIRST = 512, RESTART_LAST = 516 }; /* ERESTARTSYS to ERESTART_RESTARTBLOCK */

/* By system call number: a row's index plus one. Filled by the first call. */
static uint8_t row_of[IO_ARCHES][MAX_NUMBER];
static bool filled;

static void fill_rows(void)
{
    for (size_t i = 0; i < io_call_table_len; i++)
        for (int arch = 0; arch < IO_ARCHES; arch++) {
            int number = io_call_table[i].number[arch];
            if (number >= 0 && number < MAX_NUMBER)
                row_of[arch][number] = (uint8_t)(i + 1);
        }
    filled = true;
}

const struct io_call *io_call_find(enum io_arch arch, uint64_t number)
{
    if (!filled)
        fill_rows();
    if ((unsigned)arch >= IO_ARCHES || number >= MAX_NUMBER || !row_of[arch][number])
        return NULL;
    return &io_call_table[row_of[arch][number] - 1];
}

const struct io_call *io_call_rows(size_t *n)
{
    *n = io_call_table_len;
    return io_call_table;
}

static int get_argument(const struct io_called *c, int index)
{
    return index < 0 ? -1 : (int)(uint32_t)c->arg[index];
}

int io_called_fd(const struct io_called *c)
{
    return get_argument(c, c->call->fd);
}

int io_called_other(const struct io_called *c)
{
    return get_argument(c, c->call->other);
}

enum io_message io_called_message(const struct io_called *c)
{
    if (c->call->kind != IO_CALL_OPEN || c->call->message == IO_CREATE)
        return c->call->message;
    uint64_t flags = c->call->other >= 0 ? c->arg[c->call->other] : c->how;
    return flags & FLAG_CREATE ? IO_CREATE : IO_OPEN;
}

uint64_t io_called_how_addr(const struct io_called *c)
{
    bool in_memory = c->call->message == IO_OPEN && c->call->other < 0;
    return in_memory ? c->arg[2] : 0;
}

uint64_t io_called_path_addr(const struct io_called *c)
{
    return c->call->path < 0 ? 0 : c->arg[c->call->path];
}

int io_called_directory(const struct io_called *c)
{
    return c->call->at < 0 ? IO_CALL_CWD : get_argument(c, c->call->at);
}

int io_called_copy(const struct io_called *c)
{
    if (c->result < 0 || c->result > INT32_MAX)
        return -1;
    if (c->call->kind == IO_CALL_DUP)
        return (int)c->result;
    int command = io_called_other(c);
    bool copies = command == DUPLICATE || command == DUPLICATE_CLOEXEC;
    return c->call->kind == IO_CALL_FCNTL && copies ? (int)c->result : -1;
}

bool io_called_restarts(const struct io_called *c)
{
    return c->result <= -RESTART_FIRST && c->result >= -RESTART_LAST;
}
