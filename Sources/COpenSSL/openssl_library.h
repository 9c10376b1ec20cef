// The functions of SHA-256 by name, whose state is a plain value that can be copied, are deprecated in favour of objects on the heap.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
