/*
 * other_names: what other tools, and earlier versions of psuite, call what an applet does.
 */
#ifndef PSUITE_APPLETS_OTHER_NAMES_H
#define PSUITE_APPLETS_OTHER_NAMES_H

/* A command of perf, strace, hyperfine and the like: what to type after `psuite'. The first word is
 * an applet. word: what follows the name, which may be perf's own command; NULL: nothing. NULL:
 * unknown. */
const char *other_command(const char *name, const char *word);

/* An option: its long name here, of which an applet may or may not have one. NULL: unknown. */
const char *other_option(const char *name);

/* A letter that this applet has not: what to type. NULL: unknown. */
const char *other_letter(const char *applet, int letter);

#endif
