// Rebuilds the views from the log: computes the current rows in memory, then writes every table in
// key order with MDB_APPEND. Memory grows with the number of rows, which is acceptable here.
#include <errno.h>
#include <stdlib.h>

#include "rebuild.h"

static size_t slot(const ys_state *st, uint64_t high, uint64_t low) {
  uint64_t h = (high ^ low * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  size_t i = (h >> 20) & st->mask;
  while (st->slots[i]) {
    const ys_stored *r = &st->items[st->slots[i] - 1].row;
    if (r->id_high == high && r->id_low == low) break;
    i = (i + 1) & st->mask;
  }
  return i;
}

static int take(ys_state *st, const MDB_val *value) {
  ys_logged l;
  memcpy(&l, value->mv_data, value->mv_size);
  size_t at = slot(st, l.id_high, l.id_low);
  if (l.op == 0) {
    if (st->count == st->room) return ENOSPC;
    ys_item *it = &st->items[st->count++];
    it->day = l.day;
    it->gone = 0;
    it->number = l.number;
    ys_stored *r = &it->row;
    r->id_high = l.id_high;
    r->id_low = l.id_low;
    r->amount = l.amount;
    r->account = l.account;
    r->counter = l.counter;
    r->kind = l.kind;
    r->text_count = l.text_count;
    memcpy(r->text, l.text, l.text_count);
    st->slots[at] = (uint32_t)st->count;
    return 0;
  }
  if (!st->slots[at]) return MDB_CORRUPTED;
  ys_item *it = &st->items[st->slots[at] - 1];
  it->gone = l.op == 2;
  it->day = l.day;
  it->row.amount = l.amount;
  it->row.counter = l.counter;
  return 0;
}

static int load_rows(ys_store *s, MDB_txn *t, const ys_state *st, const ys_entry *order, size_t n, ys_entry *a,
                     ys_entry *b) {
  for (size_t i = 0; i < n; i++) {
    const ys_item *it = &st->items[order[i].index];
    ys_key k = {0};
    key_day(&k, it->day);
    key_u64(&k, it->number);
    TRY(ys_add_last(t, s->tables[ROWS], &k, &it->row, STORED_BYTES(&it->row)));
  }
  // The generator's ids differ in their high halves, so sorting by these is enough.
  for (size_t i = 0; i < n; i++)
    a[i] = (ys_entry){st->items[order[i].index].row.id_high, order[i].index};
  ys_sort(a, b, n);
  for (size_t i = 0; i < n; i++) {
    const ys_item *it = &st->items[a[i].index];
    ys_key k = {0}, v = {0};
    key_u64(&k, it->row.id_high);
    key_u64(&k, it->row.id_low);
    key_day(&v, it->day);
    key_u64(&v, it->number);
    TRY(ys_add_last(t, s->tables[IDS], &k, v.bytes, v.count));
  }
  return 0;
}

/// Writes the keys of one index. `order` is sorted by day and number, so a stable sort by the prefix
/// is enough.
static int load_keys(ys_store *s, MDB_txn *t, const ys_state *st, const ys_entry *order, size_t n, int table,
                     ys_entry *a, ys_entry *b) {
  size_t m = 0;
  for (size_t i = 0; i < n; i++) {
    const ys_stored *r = &st->items[order[i].index].row;
    uint32_t prefix = table == TYPES ? (uint32_t)r->kind << 8 | (uint32_t)currency_of(r->account)
                                     : (uint32_t)(table == ACCOUNTS ? r->account : r->counter);
    if (table != CATEGORIES || r->kind != 2) a[m++] = (ys_entry){prefix, order[i].index};
    if (table == ACCOUNTS && r->kind == 2) a[m++] = (ys_entry){(uint32_t)r->counter, order[i].index};
  }
  ys_sort(a, b, m);
  for (size_t i = 0; i < m; i++) {
    const ys_item *it = &st->items[a[i].index];
    ys_key k = {0};
    key_u16(&k, (uint32_t)a[i].key);
    key_day(&k, it->day);
    key_u64(&k, it->number);
    TRY(ys_add_last(t, s->tables[table], &k, "", 0));
  }
  return 0;
}

static int read_log(ys_store *s, ys_state *st) {
  MDB_txn *t;
  MDB_cursor *c;
  MDB_stat stat;
  MDB_val key, value;
  TRY(mdb_txn_begin(s->log, NULL, MDB_RDONLY, &t));
  TRY(mdb_stat(t, s->log_table, &stat));
  st->room = stat.ms_entries;
  for (st->mask = 1024; st->mask < st->room * 2; st->mask *= 2) continue;
  st->slots = calloc(st->mask--, sizeof *st->slots);
  st->items = malloc((st->room + 1) * sizeof *st->items);
  if (!st->slots || !st->items) return ENOMEM;
  TRY(mdb_cursor_open(t, s->log_table, &c));
  int rc;
  while ((rc = mdb_cursor_get(c, &key, &value, MDB_NEXT)) == 0) {
    if (read_u32((uint8_t *)key.mv_data + 8) != UINT32_MAX) TRY(take(st, &value));
  }
  mdb_cursor_close(c);
  mdb_txn_abort(t);
  return rc == MDB_NOTFOUND ? 0 : rc;
}

static int load(ys_store *s, const ys_state *st) {
  size_t n = 0;
  ys_entry *order = malloc((st->count + 1) * sizeof *order);
  ys_entry *a = malloc((st->count + 1) * 2 * sizeof *a), *b = malloc((st->count + 1) * 2 * sizeof *b);
  if (!order || !a || !b) return ENOMEM;
  for (size_t i = 0; i < st->count; i++)
    if (!st->items[i].gone) order[n++] = (ys_entry){(uint32_t)st->items[i].day ^ BIAS, (uint32_t)i};
  ys_sort(order, a, n);
  MDB_txn *t;
  TRY(mdb_txn_begin(s->views, NULL, 0, &t));
  TRY(load_rows(s, t, st, order, n, a, b));
  for (int table = ACCOUNTS; table <= TYPES; table++)
    TRY(load_keys(s, t, st, order, n, table, a, b));
  TRY(ys_load_sums(s, t, st, order, n, a, b));
  uint8_t checkpoint[56];
  memcpy(checkpoint, &s->commit, 24);
  memcpy(checkpoint + 24, s->link, 32);
  ys_key meta = {1, {0}};
  TRY(ys_add_last(t, s->tables[META], &meta, checkpoint, sizeof checkpoint));
  free(order);
  free(a);
  free(b);
  TRY(mdb_txn_commit(t));
  return mdb_env_sync(s->views, 1);
}

int ys_rebuild(ys_store *s) {
  ys_state st = {0};
  TRY(ys_remove_views(s));
  TRY(ys_open_views(s));
  int rc = read_log(s, &st);
  if (rc == 0) rc = load(s, &st);
  free(st.items);
  free(st.slots);
  return rc;
}
