/* end_by SIGNAL: ends by that signal, with a core file where the machine writes one. end_by stop:
 * stops itself once. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "stop") == 0)
        return raise(SIGSTOP);
    return raise(argc > 1 ? atoi(argv[1]) : SIGTERM);
}
