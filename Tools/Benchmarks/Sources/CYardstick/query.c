// The queries of the benchmarks, answered from the views.
#include <errno.h>

#include "yardstick.h"

static void fill(ys_row *r, const MDB_val *key, const MDB_val *value) {
  ys_stored stored;
  memcpy(&stored, value->mv_data, value->mv_size);
  r->id_high = stored.id_high;
  r->id_low = stored.id_low;
  r->number = read_u64((uint8_t *)key->mv_data + 4);
  r->amount = stored.amount;
  r->day = (int32_t)(read_u32(key->mv_data) ^ BIAS);
  r->account = stored.account;
  r->counter = stored.counter;
  r->kind = stored.kind;
  r->text_count = stored.text_count;
  memcpy(r->text, stored.text, stored.text_count);
}

/// Reads rows backwards from just before `start`, or from the end of the table if it is NULL, after
/// skipping `skip` rows.
static int walk(ys_store *s, const ys_key *start, uint64_t skip, ys_row *rows, size_t *count) {
  MDB_cursor *c;
  MDB_val key = {0}, value;
  size_t found = 0;
  int rc;
  TRY(mdb_cursor_open(s->read, s->tables[ROWS], &c));
  if (start) {
    key = key_val(start);
    rc = mdb_cursor_get(c, &key, &value, MDB_SET_RANGE);
    rc = mdb_cursor_get(c, &key, &value, rc == MDB_NOTFOUND ? MDB_LAST : MDB_PREV);
  } else {
    rc = mdb_cursor_get(c, &key, &value, MDB_LAST);
  }
  for (; rc == 0 && skip > 0; skip--) rc = mdb_cursor_get(c, &key, &value, MDB_PREV);
  while (rc == 0 && found < *count) {
    fill(&rows[found++], &key, &value);
    if (found < *count) rc = mdb_cursor_get(c, &key, &value, MDB_PREV);
  }
  mdb_cursor_close(c);
  *count = found;
  return rc == MDB_NOTFOUND ? 0 : rc;
}

int ys_page(ys_store *s, int has_key, int32_t day, uint64_t number, ys_row *rows, size_t *count) {
  ys_key k = {0};
  TRY(ys_begin_read(s));
  key_day(&k, day);
  key_u64(&k, number);
  int rc = walk(s, has_key ? &k : NULL, 0, rows, count);
  mdb_txn_reset(s->read);
  return rc;
}

/// Skips whole periods of a level, newest first, as long as their rows fit into `*left`. Stores the
/// period that contains the remaining rows in `*within`.
static int skip_periods(MDB_cursor *c, int level, int32_t before, uint64_t *left,
                        int32_t *within) {
  ys_key k = {0};
  key_u8(&k, (uint8_t)level);
  key_day(&k, before);
  MDB_val key = key_val(&k), value;
  int rc = mdb_cursor_get(c, &key, &value, MDB_SET_RANGE);
  rc = mdb_cursor_get(c, &key, &value, rc == MDB_NOTFOUND ? MDB_LAST : MDB_PREV);
  while (rc == 0 && *(uint8_t *)key.mv_data == level) {
    uint32_t period = read_u32((uint8_t *)key.mv_data + 1);
    uint64_t rows = 0;
    while (rc == 0 && *(uint8_t *)key.mv_data == level &&
           read_u32((uint8_t *)key.mv_data + 1) == period) {
      int64_t sums[4];
      memcpy(sums, value.mv_data, 32);
      rows += (uint64_t)sums[3];
      rc = mdb_cursor_get(c, &key, &value, MDB_PREV);
    }
    if (rows > *left) {
      *within = (int32_t)(period ^ BIAS);
      return 0;
    }
    *left -= rows;
  }
  return rc ? rc : MDB_NOTFOUND;
}

static int32_t first_day(int32_t month) {
  int32_t y = month / 12, m = month % 12 + 1;
  y -= m <= 2;
  int32_t era = y / 400, yoe = y - era * 400;
  int32_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5;
  return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

int ys_page_at(ys_store *s, uint64_t offset, ys_row *rows, size_t *count) {
  MDB_cursor *c;
  int32_t year, month, day;
  TRY(ys_begin_read(s));
  TRY(mdb_cursor_open(s->read, s->tables[TOTALS], &c));
  int rc = skip_periods(c, YEAR, INT32_MAX, &offset, &year);
  if (rc == 0) rc = skip_periods(c, MONTH, (year + 1) * 12, &offset, &month);
  if (rc == 0) rc = skip_periods(c, DAY, first_day(month + 1), &offset, &day);
  mdb_cursor_close(c);
  if (rc == MDB_NOTFOUND) {
    *count = 0;
    rc = 0;
  } else if (rc == 0) {
    ys_key k = {0};
    key_day(&k, day + 1);
    rc = walk(s, &k, offset, rows, count);
  }
  mdb_txn_reset(s->read);
  return rc;
}

static int sum_range(MDB_cursor *c, int32_t account, int level, int32_t from,
                     int32_t to, int64_t *balance) {
  ys_key k = {0}, end = {0};
  key_u16(&k, (uint32_t)account);
  key_u8(&k, (uint8_t)level);
  end = k;
  key_day(&k, from);
  key_day(&end, to);
  MDB_val key = key_val(&k), value;
  int rc = mdb_cursor_get(c, &key, &value, MDB_SET_RANGE);
  while (rc == 0 && memcmp(key.mv_data, end.bytes, end.count) < 0) {
    int64_t sums[3];
    memcpy(sums, value.mv_data, 24);
    *balance += sums[0] - sums[1];
    rc = mdb_cursor_get(c, &key, &value, MDB_NEXT);
  }
  return rc == MDB_NOTFOUND ? 0 : rc;
}

int ys_balance(ys_store *s, int32_t account, int32_t day, int64_t *balance) {
  MDB_cursor *c;
  int32_t month = month_of(day);
  *balance = 0;
  TRY(ys_begin_read(s));
  TRY(mdb_cursor_open(s->read, s->tables[BALANCES], &c));
  int rc = sum_range(c, account, YEAR, INT32_MIN, month / 12, balance);
  if (rc == 0) rc = sum_range(c, account, MONTH, month / 12 * 12, month, balance);
  if (rc == 0) rc = sum_range(c, account, DAY, first_day(month), day + 1, balance);
  mdb_cursor_close(c);
  mdb_txn_reset(s->read);
  return rc;
}

static int totals(ys_store *s, MDB_dbi table, const ys_key *from, const ys_key *to, int fields,
                  ys_total *out, size_t *count) {
  MDB_cursor *c;
  size_t found = 0;
  TRY(ys_begin_read(s));
  TRY(mdb_cursor_open(s->read, table, &c));
  MDB_val key = key_val(from), value;
  int rc = mdb_cursor_get(c, &key, &value, MDB_SET_RANGE);
  while (rc == 0 && memcmp(key.mv_data, to->bytes, to->count) < 0) {
    if (found == *count) {
      rc = ENOSPC;
      break;
    }
    const uint8_t *p = key.mv_data;
    ys_total *t = &out[found++];
    t->period = (int32_t)(read_u32(p + 1) ^ BIAS);
    t->category = fields == 3 ? p[5] << 8 | p[6] : 0;
    t->currency = p[fields == 3 ? 7 : 5];
    memcpy(t->sums, value.mv_data, 8 * (size_t)fields);
    rc = mdb_cursor_get(c, &key, &value, MDB_NEXT);
  }
  mdb_cursor_close(c);
  mdb_txn_reset(s->read);
  *count = found;
  return rc == MDB_NOTFOUND ? 0 : rc;
}

int ys_months(ys_store *s, int32_t from, int32_t to, ys_total *out, size_t *count) {
  ys_key a = {0}, b = {0};
  key_u8(&a, MONTH);
  key_day(&a, from);
  key_u8(&b, MONTH);
  key_day(&b, to);
  return totals(s, s->tables[TOTALS], &a, &b, 4, out, count);
}

int ys_breakdown(ys_store *s, int32_t month, int32_t first, int32_t last, ys_total *out,
                 size_t *count) {
  ys_key a = {0}, b = {0};
  key_u8(&a, MONTH);
  key_day(&a, month);
  key_u16(&a, (uint32_t)first);
  key_u8(&b, MONTH);
  key_day(&b, month);
  key_u16(&b, (uint32_t)(last + 1));
  return totals(s, s->tables[CATEGORY_TOTALS], &a, &b, 3, out, count);
}
