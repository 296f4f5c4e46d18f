/*
 * signal_name: the names of Linux's signals by their numbers on ARM and x86.
 */
#pragma once

/* "SIGSEGV" for 11; "SIGRT" for the real-time signals, "unknown" for what is none. Never NULL. */
const char *signal_name(int number);
