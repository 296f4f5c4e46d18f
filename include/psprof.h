/*
 * psprof: the library that records the call tree of the program it is linked into, in prof.PID,
 * which psuite's prof shows. psprof(3) is the manual.
 *
 * All functions may be called from any thread, and keep errno; those of the group "signals" from a
 * signal handler, too. A program that is not compiled with -finstrument-functions may call them:
 * they do what they can.
 */
#ifndef PSUITE_PSPROF_H
#define PSUITE_PSPROF_H

#ifdef __cplusplus
extern "C" {
#endif

/* What prof() measures; Plan 9's names. */
enum { Profoff, Profuser, Profkernel, Proftime, Profsample };

/*
 * Calls fn(arg) and records its calls. When nothing is recorded in this process (a forked child, a
 * program started with profstart=0 has a file but is stopped) a file prof.PID is begun, with room
 * for that many tree nodes and of the kind what; it ends when fn returns. While recording is on,
 * fn is just called: its calls are in the tree that there is. Profoff: fn is called unrecorded.
 * Weak in libpsprof.a, and not in libpsprof.so: the name is a program's to take.
 */
void prof(void (*fn)(void *), void *arg, int entries, int what);
void psprof_prof(void (*fn)(void *), void *arg, int entries, int what);

/* Resumes recording, or pauses it: open calls do not gain time meanwhile, and calls that begin
   then are not recorded. 0, or -1 and errno when this process has no file (ENOENT). signals */
int psprof_start(void);
int psprof_stop(void);

/* Writes the name (31 bytes of it) and the time into the file: a point that reports can name. 0, or
   -1 and errno: ENOENT no file, ENOSPC no room. signals */
int psprof_mark(const char *name);

/* Copies the file as it is now to a new file, which is as good as one of a program killed now. 0,
   or -1 and errno: ENOENT no file, EEXIST, ... */
int psprof_dump(const char *path);

/* The hooks that -finstrument-functions calls. */
void __cyg_profile_func_enter(void *fn, void *call_site) __attribute__((no_instrument_function));
void __cyg_profile_func_exit(void *fn, void *call_site) __attribute__((no_instrument_function));

#ifdef __cplusplus
}
#endif

#endif
