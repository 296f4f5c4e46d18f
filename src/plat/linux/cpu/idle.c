/* Documentation/power/pm_qos_interface.rst of the kernel: the request holds while it is open. */
#include "plat/idle.h"

#include "fs/kernel_device.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

int idle_disable_deep(void)
{
    const int32_t max_latency_us = 0;
    int fd = kernel_device_open("cpu_dma_latency", O_WRONLY, NULL);
    if (fd < 0)
        return fd;
    if (write(fd, &max_latency_us, sizeof max_latency_us) == sizeof max_latency_us)
        return fd;
    descriptor_close(&fd);
    return -errno;
}

void idle_allow_deep(int handle)
{
    close(handle);
}
