/*
 * signal_name: the names of Linux's signals by their numbers on ARM and x86.
 */
#ifndef PSUITE_CORE_BASE_SIGNAL_NAME_H
#define PSUITE_CORE_BASE_SIGNAL_NAME_H

/* "SIGSEGV" for 11; "SIGRT" for the real-time signals, "unknown" for what is none. Never NULL. */
const char *signal_name(int number);

#endif
