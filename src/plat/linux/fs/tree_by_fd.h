/* tree_by_fd: a descriptor's file by another name, which leads to the file itself. */
#ifndef PSUITE_PLAT_LINUX_FS_TREE_BY_FD_H
#define PSUITE_PLAT_LINUX_FS_TREE_BY_FD_H

struct tree_by_fd {
    char path[32];
};

struct tree_by_fd tree_by_fd(int fd);

#endif
