#pragma once
#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#else
#error "SQLite's header was not found. Debian, Ubuntu: apt-get install libsqlite3-dev   Fedora: dnf install sqlite-devel"
#endif

// What a database file says of its own accord is not done: sqlite3_db_config takes a variable number of
// arguments, which Swift can't pass.
static inline int daybook_sqlite_distrust(sqlite3 *database) {
  int isSet = 0;
  int first = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, &isSet);
  int second = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &isSet);
  return first != SQLITE_OK ? first : second;
}
