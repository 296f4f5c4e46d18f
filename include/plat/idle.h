/*
 * idle: limits how deeply idle CPUs may sleep. To leave a deep sleep takes tens of microseconds (in
 * a virtual machine, whose sleeping CPUs are the host's to wake, any sleep does): where two
 * processes talk by small messages, nearly all their time.
 */
#pragma once

/* Until the handle is closed, or we are gone, CPUs take only the idle state that ends at once,
 * which may be a loop. The handle, or -errno: only root may ask for it. */
int idle_disable_deep(void);
void idle_allow_deep(int handle);
