// A call of Linux for which the C library has no function.
#pragma once

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Sets for how long the calling thread runs before others of the same priority, in nanoseconds; the rest of its scheduling stays. A thread
/// with a short slice interrupts one with a long slice when it becomes ready (Linux 6.12; an older one ignores the value).
///
/// Returns 0, or -1 if the thread is not scheduled by priority or the system refuses the call.
static inline int set_time_slice(uint64_t nanoseconds) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes;
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return -1;
    if (attributes.policy != 0) return -1;
    attributes.runtime = nanoseconds;
    return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}
