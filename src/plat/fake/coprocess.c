/* A coprocess is a connection of net_script.h, as long as those come about; it has no standard
 * error, and ends when it is killed or its connection is closed. */
#include "plat/coprocess.h"

#include "net_script.h"
#include "plat/net.h"
#include "returns.h"

enum { PID = 4712, KILLED = 137 };

int coprocess_start(char *const argv[], struct coprocess *out, struct fail *f)
{
    const struct net_address nowhere = {.kind = NET_UNIX};
    int connection = net_connect(&nowhere, NULL);
    if (connection < 0)
        return fail_set(f, -connection, "%.128s", argv[0]);
    *out = (struct coprocess){PID, connection, -1};
    return 0;
}

RETURNS(, void, coprocess_kill, const struct coprocess *c)
RETURNS(, void, coprocess_set_name, const char *part)
RETURNS(, void, coprocess_interrupt, const struct coprocess *c)

bool coprocess_ended(struct coprocess *c, int *status)
{
    if (c->pid && !net_script_closed(c->connection))
        return false;
    if (c->pid)
        *status = KILLED;
    c->pid = 0;
    return true;
}
