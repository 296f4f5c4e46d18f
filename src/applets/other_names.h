/*
 * other_names: what other tools, and earlier versions of psuite, call what an applet does.
 */
#ifndef PSUITE_APPLETS_OTHER_NAMES_H
#define PSUITE_APPLETS_OTHER_NAMES_H

/* A command of perf, strace, hyperfine and the like: what to type after `psuite'. The first word is
 * an applet. NULL: unknown. */
const char *other_command(const char *name);

/* An option: its long name here, of which an applet may or may not have one. NULL: unknown. */
const char *other_option(const char *name);
const char *other_letter(int letter);

#endif
