// In C, because which Swift module declares `struct timespec` depends on the other imports of a module.
#pragma once

#include <stdint.h>
#include <time.h>

/// The processor time of the calling thread, in nanoseconds. The time in which other threads had the processor does not count.
static inline uint64_t thread_processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}
