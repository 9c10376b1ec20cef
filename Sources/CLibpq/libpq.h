#include <libpq-fe.h>

// Swift's own module of the C library leaves this one out.
#if __linux__
#include <sys/epoll.h>
#endif
