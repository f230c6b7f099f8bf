#pragma once
// The package that compiles LMDB from source has clmdb.h; the system's library has lmdb.h.
#if __has_include(<clmdb.h>)
#include <clmdb.h>
#elif __has_include(<lmdb.h>)
#include <lmdb.h>
#else
#error "LMDB headers not found. Debian, Ubuntu: apt-get install liblmdb-dev"
#endif
