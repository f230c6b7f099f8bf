#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer's own main, with the function that it calls with every input; part of the toolchain's
// libclang_rt.fuzzer, which -sanitize=fuzzer links.
int LLVMFuzzerRunDriver(
    int *count, char ***arguments, int (*run)(const uint8_t *bytes, size_t byteCount));
