/*
 * dispositions: the signal mask and dispositions that psuite was started with, which a command gets
 * back.
 */
#ifndef PSUITE_LINUX_DISPOSITIONS_H
#define PSUITE_LINUX_DISPOSITIONS_H

/* Remembers them; the first call counts, so it comes before anything of ours changes one. */
void dispositions_save(void);

/* In the child, before exec (also after vfork: touches only the kernel's tables). */
void dispositions_restore(void);

#endif
