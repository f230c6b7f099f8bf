// Opens, closes and measures the yardstick.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "yardstick.h"

const char *ys_message(int code) { return mdb_strerror(code); }

int ys_open_environment(const char *folder, const char *name, unsigned flags, MDB_env **env) {
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (mkdir(path, 0755) && errno != EEXIST) return errno;
  TRY(mdb_env_create(env));
  TRY(mdb_env_set_mapsize(*env, (size_t)256 << 30));
  TRY(mdb_env_set_maxdbs(*env, TABLES));
  return mdb_env_open(*env, path, MDB_NOTLS | MDB_NORDAHEAD | flags, 0644);
}

int ys_open_views(ys_store *s) {
  static const char *names[TABLES] = {"rows",   "ids",    "accounts",   "categories", "types",
                                      "totals", "catsum", "balances", "budgets",    "meta"};
  MDB_txn *txn;
  TRY(ys_open_environment(s->folder, "views", MDB_NOSYNC, &s->views));
  TRY(mdb_txn_begin(s->views, NULL, 0, &txn));
  for (int i = 0; i < TABLES; i++) TRY(mdb_dbi_open(txn, names[i], MDB_CREATE, &s->tables[i]));
  TRY(mdb_txn_commit(txn));
  TRY(mdb_txn_begin(s->views, NULL, MDB_RDONLY, &s->read));
  mdb_txn_reset(s->read);
  return 0;
}

int ys_remove_views(ys_store *s) {
  char path[1200];
  mdb_txn_abort(s->read);
  mdb_env_close(s->views);
  s->views = NULL;
  snprintf(path, sizeof path, "%s/views/data.mdb", s->folder);
  if (unlink(path)) return errno;
  snprintf(path, sizeof path, "%s/views/lock.mdb", s->folder);
  return unlink(path) ? errno : 0;
}

int ys_begin_read(ys_store *s) { return mdb_txn_renew(s->read); }

int ys_open(const char *folder, ys_store **store) {
  ys_store *s = calloc(1, sizeof *s);
  if (!s) return ENOMEM;
  snprintf(s->folder, sizeof s->folder, "%s", folder);
  MDB_txn *txn;
  TRY(ys_open_environment(folder, "log", 0, &s->log));
  TRY(mdb_txn_begin(s->log, NULL, 0, &txn));
  TRY(mdb_dbi_open(txn, NULL, 0, &s->log_table));
  TRY(mdb_txn_commit(txn));
  TRY(ys_open_views(s));
  TRY(ys_begin_read(s));
  MDB_val key = {1, "\0"}, value;
  int rc = mdb_get(s->read, s->tables[META], &key, &value);
  if (rc == 0) {
    memcpy(&s->commit, value.mv_data, 24);
    memcpy(s->link, (uint8_t *)value.mv_data + 24, 32);
  } else if (rc != MDB_NOTFOUND) {
    return rc;
  }
  mdb_txn_reset(s->read);
  *store = s;
  return 0;
}

void ys_close(ys_store *s) {
  mdb_txn_abort(s->read);
  mdb_env_sync(s->views, 1);
  mdb_env_close(s->views);
  mdb_env_close(s->log);
  free(s);
}

static int copied_bytes(MDB_env *env, const char *folder, const char *name, uint64_t *bytes) {
  char path[1200];
  struct stat info;
  snprintf(path, sizeof path, "%s/compact-%s", folder, name);
  if (mkdir(path, 0755) && errno != EEXIST) return errno;
  TRY(mdb_env_copy2(env, path, MDB_CP_COMPACT));
  strncat(path, "/data.mdb", sizeof path - strlen(path) - 1);
  if (stat(path, &info)) return errno;
  *bytes += (uint64_t)info.st_size;
  return unlink(path) ? errno : 0;
}

int ys_compact_byte_count(ys_store *s, const char *folder, uint64_t *bytes) {
  *bytes = 0;
  TRY(copied_bytes(s->log, folder, "log", bytes));
  return copied_bytes(s->views, folder, "views", bytes);
}
