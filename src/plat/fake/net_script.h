/*
 * net_script: scripted clients and servers of the fake platform, and what they receive.
 * For unit tests; an applet's listener there is never called, its calls are refused.
 */
#pragma once

#include "core/base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* Somebody calls; the handle that net_accept will give. At most 256 between two resets. */
int net_script_call(void);
void net_script_send(int handle, const char *bytes);
void net_script_send_bytes(int handle, const void *bytes, size_t len);
/* Whether net_connect comes about, from now on; the newest connection. */
void net_script_answers(bool on);
int net_script_newest(void);
/* How many bytes are taken from now on before a write is -EAGAIN; SIZE_MAX, the start: all. */
void net_script_set_cap(int handle, size_t cap);
void net_script_end(int handle);   /* nothing more will be said */
void net_script_break(int handle); /* gone */

const char *net_script_received(int handle); /* what was written to it */
size_t net_script_received_len(int handle);
bool net_script_finished(int handle); /* we write no more */
bool net_script_closed(int handle);   /* by us */

/* What plat/wait.h would say of a handle. */
bool net_script_ready(int handle, bool writes);
/* How many connections may be open before net_accept is -EMFILE. */
void net_script_set_max_open(int max_open);
void net_script_reset(void);
