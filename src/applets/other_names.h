/*
 * other_names: what other tools, and earlier versions of psuite, call what an applet does.
 */
#pragma once

/* A command of perf, strace, hyperfine and the like: what to type after `psuite'. The first word is
 * an applet. word: what follows the name, which may be perf's own command; NULL: nothing. NULL:
 * unknown. */
const char *other_command(const char *name, const char *word);

/* An option's long name: what to type, as `--NAME' or `-x ...', which the applet may not have.
 * NULL: unknown. */
const char *other_option(const char *applet, const char *name);

/* A letter that this applet has not: what to type. NULL: unknown. */
const char *other_letter(const char *applet, int letter);

/* A long name, or a letter as a string, of what this applet does without an option: why. NULL:
 * unknown. */
const char *other_needless(const char *applet, const char *name);
