/* socket_file: the file that a unix socket is found by. */
#pragma once

#include <stdint.h>
#include <sys/un.h>

/* Makes it, 0600, where there is none, or only a dead socket of our own user; which file it is goes
 * to *device and *file. 0 or a negative errno. */
int socket_file_bind(int fd, const struct sockaddr_un *to, uint64_t *device, uint64_t *file);

/* Removes it, if it is still that one. */
void socket_file_remove(const char *path, uint64_t device, uint64_t file);
