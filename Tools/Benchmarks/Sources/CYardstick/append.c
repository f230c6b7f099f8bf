// Appends one durable commit: first the events with their digests and link to the log, then the
// changes of each event to the views: row, keys, totals, balances, budgets, checkpoint.
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "yardstick.h"

static int put(MDB_txn *t, MDB_dbi d, const ys_key *k, const void *p, size_t n, unsigned flags) {
  MDB_val key = key_val(k), value = {n, (void *)p};
  return mdb_put(t, d, &key, &value, flags);
}

static int del(MDB_txn *t, MDB_dbi d, const ys_key *k) {
  MDB_val key = key_val(k);
  return mdb_del(t, d, &key, NULL);
}

static int add(MDB_txn *t, MDB_dbi d, const ys_key *k, const int64_t *deltas, int n) {
  MDB_val key = key_val(k), value;
  int64_t sums[4] = {0};
  int rc = mdb_get(t, d, &key, &value);
  if (rc == 0) memcpy(sums, value.mv_data, 8 * (size_t)n);
  else if (rc != MDB_NOTFOUND) return rc;
  for (int i = 0; i < n; i++) sums[i] += deltas[i];
  return put(t, d, k, sums, 8 * (size_t)n, 0);
}


/// Adds a transaction to every sum (sign 1), or subtracts it (sign -1).
static int contribute(ys_store *s, MDB_txn *t, const ys_stored *r, int32_t day, int sign) {
  int32_t month = month_of(day), currency = currency_of(r->account);
  int64_t amount = r->amount * sign;
  int64_t totals[4] = {0, 0, 0, sign};
  totals[r->kind == 1 ? 0 : r->kind == 0 ? 1 : 2] = amount;
  for (int level = YEAR; level <= DAY; level++) {
    ys_key k = {0};
    key_u8(&k, (uint8_t)level);
    key_day(&k, period_of(level, day, month));
    key_u8(&k, (uint8_t)currency);
    TRY(add(t, s->tables[TOTALS], &k, totals, 4));
  }
  int64_t signed_sums[3];
  // The posting decides between `in` and `out`, not the sign of the contribution.
  for (int side = 0; side < 2; side++) {
    int inflow = side == 0 ? r->kind == 1 : r->kind != 1;
    signed_sums[0] = inflow ? amount : 0;
    signed_sums[1] = inflow ? 0 : amount;
    signed_sums[2] = sign;
    if (side == 1 && r->kind != 2) {
      for (int level = ALL; level <= DAY; level++) {
        ys_key k = {0};
        key_u8(&k, (uint8_t)level);
        key_day(&k, period_of(level, day, month));
        key_u16(&k, (uint32_t)r->counter);
        key_u8(&k, (uint8_t)currency);
        TRY(add(t, s->tables[CATEGORY_TOTALS], &k, signed_sums, 3));
      }
      continue;
    }
    for (int level = ALL; level <= DAY; level++) {
      ys_key k = {0};
      key_u16(&k, (uint32_t)(side == 0 ? r->account : r->counter));
      key_u8(&k, (uint8_t)level);
      key_day(&k, period_of(level, day, month));
      TRY(add(t, s->tables[BALANCES], &k, signed_sums, 3));
    }
  }
  if (r->kind == 0) {
    ys_key k = {0};
    key_u16(&k, (uint32_t)((r->counter - 61) / 5 + 1));
    key_u8(&k, (uint8_t)currency);
    key_day(&k, month);
    TRY(add(t, s->tables[BUDGETS], &k, &amount, 1));
  }
  return 0;
}

static ys_key row_key(int32_t day, uint64_t number) {
  ys_key k = {0};
  key_day(&k, day);
  key_u64(&k, number);
  return k;
}

/// Inserts or deletes the keys by account, category and type.
static int index_row(ys_store *s, MDB_txn *t, const ys_stored *r, int32_t day, uint64_t number,
                     int present) {
  ys_key keys[3] = {{0}, {0}, {0}};
  MDB_dbi tables[3] = {s->tables[ACCOUNTS],
                       s->tables[r->kind == 2 ? ACCOUNTS : CATEGORIES], s->tables[TYPES]};
  key_u16(&keys[0], (uint32_t)r->account);
  key_u16(&keys[1], (uint32_t)r->counter);
  key_u8(&keys[2], r->kind);
  key_u8(&keys[2], (uint8_t)currency_of(r->account));
  for (int i = 0; i < 3; i++) {
    key_day(&keys[i], day);
    key_u64(&keys[i], number);
    TRY(present ? put(t, tables[i], &keys[i], "", 0, 0) : del(t, tables[i], &keys[i]));
  }
  return 0;
}

static ys_key id_key(uint64_t high, uint64_t low) {
  ys_key k = {0};
  key_u64(&k, high);
  key_u64(&k, low);
  return k;
}

static int find(ys_store *s, MDB_txn *t, const ys_event *e, ys_stored *row, int32_t *day,
                uint64_t *number) {
  ys_key k = id_key(e->id_high, e->id_low);
  MDB_val key = key_val(&k), value;
  TRY(mdb_get(t, s->tables[IDS], &key, &value));
  memcpy(k.bytes, value.mv_data, 12);
  k.count = 12;
  *day = (int32_t)(read_u32(k.bytes) ^ BIAS);
  *number = read_u64(k.bytes + 4);
  key = key_val(&k);
  TRY(mdb_get(t, s->tables[ROWS], &key, &value));
  memcpy(row, value.mv_data, value.mv_size);
  return 0;
}

static int store_row(ys_store *s, MDB_txn *t, const ys_stored *r, int32_t day, uint64_t number,
                     int moved) {
  ys_key key = row_key(day, number), id = id_key(r->id_high, r->id_low);
  TRY(put(t, s->tables[ROWS], &key, r, STORED_BYTES(r), 0));
  return moved ? put(t, s->tables[IDS], &id, key.bytes, key.count, 0) : 0;
}

static void salt(uint64_t seed, uint8_t out[16]) {
  for (int i = 0; i < 2; i++) {
    uint64_t z = seed * 2 + (uint64_t)i + 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    memcpy(out + 8 * i, &z, 8);
  }
}

/// Computes the digest of an event, which contains the text only as a salted digest.
static void seal(ys_logged *l, uint64_t event) {
  ys_sha256 h;
  uint8_t text[32];
  salt(event, l->salt);
  ys_sha256_begin(&h);
  ys_sha256_add(&h, l->salt, 16);
  ys_sha256_add(&h, l->text, l->text_count);
  ys_sha256_end(&h, text);
  ys_sha256_begin(&h);
  ys_sha256_add(&h, l, offsetof(ys_logged, salt));
  ys_sha256_add(&h, text, 32);
  ys_sha256_end(&h, l->digest);
}

static int project(ys_store *s, MDB_txn *t, const ys_event *e, ys_logged *l) {
  ys_stored old, new;
  int32_t old_day = 0, day = e->day;
  uint64_t number = 0;
  memset(l, 0, sizeof *l);
  l->op = e->op;
  l->id_high = e->id_high;
  l->id_low = e->id_low;
  if (e->op == 0) {
    memset(&new, 0, sizeof new);
    new.id_high = e->id_high;
    new.id_low = e->id_low;
    new.amount = e->amount;
    new.account = e->account;
    new.counter = e->counter;
    new.kind = e->kind;
    new.text_count = e->text_count;
    memcpy(new.text, e->text, e->text_count);
    number = ++s->number;
    TRY(store_row(s, t, &new, day, number, 1));
    TRY(index_row(s, t, &new, day, number, 1));
    TRY(contribute(s, t, &new, day, 1));
  } else {
    TRY(find(s, t, e, &old, &old_day, &number));
    new = old;
    day = e->op == 1 && e->mask & 1 ? e->day : old_day;
    if (e->op == 1 && e->mask & 2) new.amount = e->amount;
    if (e->op == 1 && e->mask & 4) new.counter = e->counter;
    TRY(contribute(s, t, &old, old_day, -1));
    int gone = e->op == 2, moved = gone || day != old_day || new.counter != old.counter;
    if (moved) TRY(index_row(s, t, &old, old_day, number, 0));
    if (gone || day != old_day) {
      ys_key k = row_key(old_day, number);
      TRY(del(t, s->tables[ROWS], &k));
    }
    if (gone) {
      ys_key k = id_key(e->id_high, e->id_low);
      TRY(del(t, s->tables[IDS], &k));
    } else {
      TRY(store_row(s, t, &new, day, number, day != old_day));
      if (moved) TRY(index_row(s, t, &new, day, number, 1));
      TRY(contribute(s, t, &new, day, 1));
    }
    l->mask = e->mask;
    l->before_day = old_day;
    l->before_counter = old.counter;
    l->before_amount = old.amount;
  }
  l->number = number;
  l->kind = new.kind;
  l->day = day;
  l->account = new.account;
  l->counter = new.counter;
  l->amount = new.amount;
  if (e->op != 1) {
    l->text_count = new.text_count;
    memcpy(l->text, new.text, new.text_count);
  }
  seal(l, s->event + 1);
  return 0;
}

static int commit(ys_store *s, MDB_txn *log, MDB_txn *views, const ys_event *events, size_t count) {
  ys_sha256 h;
  struct {
    uint64_t time, count;
    uint8_t digest[32], link[32];
  } head;
  ys_logged logged;
  ys_sha256_begin(&h);
  uint64_t commit = s->commit + 1;
  for (size_t i = 0; i < count; i++) {
    TRY(project(s, views, &events[i], &logged));
    ys_key k = {0};
    key_u64(&k, commit);
    key_u32(&k, (uint32_t)i);
    TRY(put(log, s->log_table, &k, &logged, offsetof(ys_logged, text) + logged.text_count,
            MDB_APPEND));
    ys_sha256_add(&h, logged.digest, 32);
    s->event++;
  }
  ys_sha256_end(&h, head.digest);
  ys_sha256_begin(&h);
  ys_sha256_add(&h, s->link, 32);
  ys_sha256_add(&h, &commit, 8);
  ys_sha256_add(&h, head.digest, 32);
  ys_sha256_end(&h, head.link);
  head.time = (uint64_t)time(NULL);
  head.count = count;
  ys_key k = {0};
  key_u64(&k, commit);
  key_u32(&k, UINT32_MAX);
  TRY(put(log, s->log_table, &k, &head, sizeof head, MDB_APPEND));
  s->commit = commit;
  memcpy(s->link, head.link, 32);
  uint8_t checkpoint[56];
  memcpy(checkpoint, &s->commit, 24);
  memcpy(checkpoint + 24, s->link, 32);
  ys_key meta = {1, {0}};
  return put(views, s->tables[META], &meta, checkpoint, sizeof checkpoint, 0);
}

int ys_append(ys_store *s, const ys_event *events, size_t count) {
  MDB_txn *log, *views;
  TRY(mdb_txn_begin(s->log, NULL, 0, &log));
  TRY(mdb_txn_begin(s->views, NULL, 0, &views));
  int rc = commit(s, log, views, events, count);
  if (rc) {
    mdb_txn_abort(views);
    mdb_txn_abort(log);
    return rc;
  }
  rc = mdb_txn_commit(log);
  if (rc) {
    mdb_txn_abort(views);
    return rc;
  }
  return mdb_txn_commit(views);
}
