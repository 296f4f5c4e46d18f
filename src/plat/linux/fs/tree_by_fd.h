/* tree_by_fd: a descriptor's file by another name, which leads to the file itself. */
#pragma once

struct tree_by_fd {
    char path[32];
};

struct tree_by_fd tree_by_fd(int fd);
