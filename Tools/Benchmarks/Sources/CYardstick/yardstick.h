// Internals of the yardstick: one environment for the log, one for the views, and shared helpers.
#pragma once
#include <lmdb.h>
#include <string.h>

#include "include/yardstick.h"

// The tables of the views. All keys are big-endian, so that they sort in numeric order.
enum {
  ROWS,       // day, number: the transaction
  IDS,        // id: day, number
  ACCOUNTS,   // account, day, number
  CATEGORIES, // category, day, number
  TYPES,      // kind, currency, day, number
  TOTALS,     // level, period, currency: income, expense, transfers, count
  CATEGORY_TOTALS,  // level, period, category, currency: in, out, count
  BALANCES,   // account, level, period: in, out, count
  BUDGETS,    // category, currency, month: spent
  META,       // 0: checkpoint
  TABLES
};
enum { ALL, YEAR, MONTH, DAY };

#define BIAS 0x80000000u

struct ys_store {
  MDB_env *log, *views;
  MDB_dbi log_table, tables[TABLES];
  MDB_txn *read;            // a read transaction of the views, renewed by each query
  char folder[1024];
  uint64_t commit, number, event;  // the last number of each
  uint8_t link[32];
};

typedef struct {
  uint64_t id_high, id_low;
  int64_t amount;
  int32_t account, counter;
  uint8_t kind, text_count;
  char text[64];
} ys_stored;

#define STORED_BYTES(s) (offsetof(ys_stored, text) + (s)->text_count)

/// An event in the log: the event, the previous values, a salt, and its digest.
typedef struct {
  uint8_t op, mask, kind, text_count;
  int32_t day, account, counter;
  int64_t amount;
  int32_t before_day, before_counter;
  int64_t before_amount;
  uint64_t id_high, id_low, number;
  uint8_t salt[16], digest[32];
  char text[64];
} ys_logged;

typedef struct {
  size_t count;
  uint8_t bytes[32];
} ys_key;

static inline void key_u8(ys_key *k, uint8_t v) { k->bytes[k->count++] = v; }
static inline void key_u16(ys_key *k, uint32_t v) {
  key_u8(k, (uint8_t)(v >> 8));
  key_u8(k, (uint8_t)v);
}
static inline void key_u32(ys_key *k, uint32_t v) {
  v = __builtin_bswap32(v);
  memcpy(k->bytes + k->count, &v, 4);
  k->count += 4;
}
static inline void key_u64(ys_key *k, uint64_t v) {
  v = __builtin_bswap64(v);
  memcpy(k->bytes + k->count, &v, 8);
  k->count += 8;
}
static inline void key_day(ys_key *k, int32_t day) { key_u32(k, (uint32_t)day ^ BIAS); }
static inline uint32_t read_u32(const void *p) {
  uint32_t v;
  memcpy(&v, p, 4);
  return __builtin_bswap32(v);
}
static inline uint64_t read_u64(const void *p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return __builtin_bswap64(v);
}
static inline MDB_val key_val(const ys_key *k) { return (MDB_val){k->count, (void *)k->bytes}; }

static inline int32_t currency_of(int32_t account) { return (account - 1) / 5; }

/// The month (year * 12 + month - 1) of a day since 1970-01-01.
static inline int32_t month_of(int32_t day) {
  int64_t z = (int64_t)day + 719468;
  int64_t era = (z >= 0 ? z : z - 146096) / 146097;
  uint32_t doe = (uint32_t)(z - era * 146097);
  uint32_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  uint32_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
  int32_t m = (int32_t)(mp < 10 ? mp + 3 : mp - 9);
  int32_t y = (int32_t)(yoe + era * 400) + (m <= 2);
  return y * 12 + m - 1;
}

static inline int32_t period_of(int level, int32_t day, int32_t month) {
  return level == ALL ? 0 : level == YEAR ? month / 12 : level == MONTH ? month : day;
}

int ys_open_environment(const char *folder, const char *name, unsigned flags, MDB_env **env);
int ys_open_views(ys_store *s);
int ys_remove_views(ys_store *s);
int ys_begin_read(ys_store *s);

#define TRY(x)              \
  do {                      \
    int rc_ = (x);          \
    if (rc_) return rc_;    \
  } while (0)
