#pragma once
#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#else
#error "SQLite headers not found. Debian/Ubuntu: apt-get install libsqlite3-dev   macOS: brew install sqlite"
#endif
