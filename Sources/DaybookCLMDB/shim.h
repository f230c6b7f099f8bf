#pragma once
#if __has_include(<lmdb.h>)
#include <lmdb.h>
#else
#error "LMDB headers not found. Debian/Ubuntu: apt-get install liblmdb-dev   macOS: brew install lmdb pkg-config"
#endif
