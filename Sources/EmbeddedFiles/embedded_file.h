// A file of the package that the compiler puts into the program. `#embed` (C23) costs nothing; a Swift array of the same bytes takes the
// Swift compiler minutes.
#ifndef EMBEDDED_FILE_H
#define EMBEDDED_FILE_H

// SwiftPM compiles C17, in which `#embed` is an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

typedef struct {
    const unsigned char *_Nonnull bytes;
    long count;
} EmbeddedFile;

// The file whose bytes are in the array `name_bytes`.
#define EMBEDDED_FILE(name) \
    EmbeddedFile name(void) { return (EmbeddedFile){name##_bytes, sizeof name##_bytes}; }

#endif
