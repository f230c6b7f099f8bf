#pragma once
#if __has_include(<zlib.h>)
#include <zlib.h>
#else
#error "zlib's header was not found. Debian, Ubuntu: apt-get install zlib1g-dev   Fedora: dnf install zlib-devel"
#endif
