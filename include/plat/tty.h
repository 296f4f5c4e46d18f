/*
 * tty: whether somebody is looking.
 */
#ifndef PSUITE_PLAT_TTY_H
#define PSUITE_PLAT_TTY_H

/* The width in characters of the terminal that standard error is, 80 when it does not say; 0 when
 * it is none. */
int tty_err_width(void);

#endif
