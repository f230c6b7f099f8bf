// The C code of the benchmarks: SHA-256, a counter of writes and flushes, and the LMDB yardstick.
#pragma once
#include <stddef.h>
#include <stdint.h>

// SHA-256, using the processor's SHA instructions if available.

typedef struct {
  uint32_t state[8];
  uint8_t block[64];
  uint64_t byte_count;
} ys_sha256;

void ys_sha256_begin(ys_sha256 *h);
void ys_sha256_add(ys_sha256 *h, const void *bytes, size_t count);
void ys_sha256_end(ys_sha256 *h, uint8_t digest[32]);

// Counts calls to the operating system (Linux; on other systems all counts stay zero).

typedef struct {
  uint64_t writes, bytes;                    // by all writing calls
  uint64_t flushes;                          // fsync, fdatasync, msync and writes to O_DSYNC files
  uint64_t views_bytes, views_flushes;       // those to files whose path contains "views"
} ys_counts;

void ys_count_begin(void);
ys_counts ys_count_end(void);

// The yardstick: hand-written code on LMDB, with separate environments for the log and the views.

typedef struct {
  uint64_t id_high, id_low;
  int64_t amount;
  int32_t day, account, counter;
  uint8_t op;       // 0 record, 1 amend, 2 delete
  uint8_t kind;     // 0 expense, 1 income, 2 transfer
  uint8_t mask;     // changes of an amendment: 1 day, 2 amount, 4 counter
  uint8_t text_count;
  char text[64];
} ys_event;

typedef struct {
  uint64_t id_high, id_low, number;
  int64_t amount;
  int32_t day, account, counter;
  uint8_t kind, text_count;
  char text[64];
} ys_row;

typedef struct {
  int32_t period, category, currency;
  int64_t sums[4];
} ys_total;

typedef struct ys_store ys_store;

// All functions that return int return 0, an errno, or an LMDB error code.
int ys_open(const char *folder, ys_store **store);
void ys_close(ys_store *s);
int ys_append(ys_store *s, const ys_event *events, size_t count);
int ys_rebuild(ys_store *s);
// Reads at most `*count` rows, newest first, starting after (day, number) if `has_key`. Sets `*count`
// to the number of rows stored in `rows`.
int ys_page(ys_store *s, int has_key, int32_t day, uint64_t number, ys_row *rows, size_t *count);
int ys_page_at(ys_store *s, uint64_t offset, ys_row *rows, size_t *count);
int ys_balance(ys_store *s, int32_t account, int32_t day, int64_t *balance);
int ys_months(ys_store *s, int32_t from, int32_t to, ys_total *totals, size_t *count);
int ys_breakdown(ys_store *s, int32_t month, int32_t first, int32_t last, ys_total *totals,
                 size_t *count);
// Writes both environments without their free pages to `folder`/compact, and stores their size in
// `*bytes`.
int ys_compact_byte_count(ys_store *s, const char *folder, uint64_t *bytes);
const char *ys_message(int code);
