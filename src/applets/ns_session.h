/*
 * ns_session: commands of `ns' that take time, during which the name space is served.
 */
#pragma once

#include "ns_command.h"

/* `sleep SECONDS', `run COMMAND...': false, it is none of these; else its exit status. An interrupt
 * ends a sleep, with FAILED; a command has what is typed itself. */
bool ns_waiting(struct ns_session *s, int words, char **word, int *status);

/* Waits until standard input has something to say: DONE, or the status after an interrupt. */
int ns_wait_input(struct ns_session *s);
