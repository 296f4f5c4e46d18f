#include "plat/idle.h"
#include "idle_asked.h"

#include <errno.h>

unsigned idle_requests;
bool idle_is_shallow, idle_denied;

int idle_disable_deep(void)
{
    idle_requests++;
    idle_is_shallow = !idle_denied;
    return idle_denied ? -EACCES : 3;
}

void idle_allow_deep(int handle)
{
    idle_is_shallow = false;
}
