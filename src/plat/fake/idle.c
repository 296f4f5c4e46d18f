#include "plat/idle.h"
#include "idle_asked.h"

#include <errno.h>

unsigned idle_asked;
bool idle_is_shallow, idle_denied;

int idle_shallow(void)
{
    idle_asked++;
    idle_is_shallow = !idle_denied;
    return idle_denied ? -EACCES : 3;
}

void idle_deep(int handle)
{
    (void)handle;
    idle_is_shallow = false;
}
