/* as_user ID COMMAND ARG...: the command as the user and group of that number, and of no other
 * group.
 */
#include <grp.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    unsigned id = (unsigned)atoi(argv[1]);
    if (setgroups(0, NULL) < 0 || setgid(id) < 0 || setuid(id) < 0)
        return 126;
    execvp(argv[2], argv + 2);
    return 127;
}
