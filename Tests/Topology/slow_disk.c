/* A slow disk for PostgreSQL, as a library for LD_PRELOAD. SLOW_DISK names a file whose first four bytes are a number of microseconds. It
   is mapped, so that another process can change it at any time. Every fsync, fdatasync and msync takes so much longer, every read and
   write of a part of a file a sixteenth of it. Disks in memory, which the tests use, have no device that could be slowed down. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const uint32_t none = 0;
static const volatile uint32_t *delay = &none;

__attribute__((constructor)) static void map(void) {
    const char *path = getenv("SLOW_DISK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof(uint32_t), PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) delay = page;
    close(file);
}

/* The system call itself, because libfaketime may have replaced the function. */
static void pause_for(uint32_t microseconds) {
    struct timespec time = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};
    if (microseconds) syscall(SYS_nanosleep, &time, NULL);
}

#define SLOW(result, name, share, parameters, ...)                             \
    result name parameters {                                                   \
        static result(*next) parameters;                                       \
        if (!next) next = (result(*) parameters)dlsym(RTLD_NEXT, #name);       \
        pause_for(*delay / share);                                             \
        return next(__VA_ARGS__);                                              \
    }

SLOW(int, fsync, 1, (int file), file)
SLOW(int, fdatasync, 1, (int file), file)
SLOW(int, msync, 1, (void *start, size_t count, int flags), start, count, flags)
SLOW(ssize_t, pread, 16, (int file, void *bytes, size_t count, off_t offset), file, bytes, count, offset)
SLOW(ssize_t, pread64, 16, (int file, void *bytes, size_t count, off64_t offset), file, bytes, count, offset)
SLOW(ssize_t, pwrite, 16, (int file, const void *bytes, size_t count, off_t offset), file, bytes, count, offset)
SLOW(ssize_t, pwrite64, 16, (int file, const void *bytes, size_t count, off64_t offset), file, bytes, count, offset)
SLOW(ssize_t, pwritev, 16, (int file, const struct iovec *parts, int count, off_t offset), file, parts, count, offset)
SLOW(ssize_t, pwritev64, 16, (int file, const struct iovec *parts, int count, off64_t offset), file, parts, count, offset)
