/* attribute FILE: an extended attribute is set, read, listed and removed: 0 when all of it is so.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>

static int wrong(const char *what)
{
    perror(what);
    return 1;
}

int main(int argc, char **argv)
{
    static const char name[] = "trusted.psuite";
    char value[256], many[1000], names[4096];
    if (argc != 2)
        return 2;
    memset(many, 'x', sizeof many);
    if (setxattr(argv[1], name, "of a file", 9, 0) < 0)
        return wrong("setxattr");
    if (getxattr(argv[1], name, value, sizeof value) != 9 || memcmp(value, "of a file", 9) != 0)
        return wrong("getxattr");
    if (getxattr(argv[1], name, value, 4) >= 0 || errno != ERANGE)
        return wrong("getxattr of less");
    if (setxattr(argv[1], name, many, sizeof many, XATTR_REPLACE) < 0 ||
        getxattr(argv[1], name, NULL, 0) != sizeof many)
        return wrong("a longer one");
    long n = listxattr(argv[1], names, sizeof names);
    if (n < (long)sizeof name || !memmem(names, (size_t)n, name, sizeof name))
        return wrong("listxattr");
    if (removexattr(argv[1], name) < 0)
        return wrong("removexattr");
    return getxattr(argv[1], name, value, sizeof value) < 0 && errno == ENODATA ? 0 : wrong("gone");
}
