/*
 * guardian: a process that removes the mounts when the server, or the process that mounts, is
 * killed. Its handle is shared by them and by fusermount3, which may mount after that; when all
 * have closed it, or have ended, it puts right what was last noted and ends.
 */
#pragma once

#include "core/base/fail.h"

#include <stdint.h>

int guardian_start(struct fail *f); /* its handle, or -errno */

void guardian_note_aside(int handle, const char *path); /* a directory to mount at; "": none now */
void guardian_note_at(int handle, const char *dir);     /* a mount is about to be there */
void guardian_note_device(int handle, uint64_t device); /* of the mount */
void guardian_dismiss(int handle); /* the mount is gone; a directory aside may still be there */
