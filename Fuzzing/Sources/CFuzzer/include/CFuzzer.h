#pragma once
#include <stddef.h>
#include <stdint.h>

/// Part of libFuzzer, which comes with the toolchain: feeds the callback until something breaks or the time is up.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
