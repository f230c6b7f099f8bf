// Rebuilds the views from the log: the current rows in memory, then every table in the order of its
// keys with MDB_APPEND. Memory grows with the rows; a yardstick may.
#include <errno.h>
#include <stdlib.h>

#include "yardstick.h"

typedef struct {
  int32_t day;
  uint8_t gone;
  uint64_t number;
  ys_stored row;
} item;

typedef struct {
  item *items;
  size_t count, room;
  uint32_t *slots;  // of a hash table over ids: index + 1
  size_t mask;
  int32_t first_day, days;
} state;

/// A row of sums and where it belongs: sorted by `key`.
typedef struct {
  uint64_t key;
  uint32_t index;
} entry;

static size_t slot(const state *st, uint64_t high, uint64_t low) {
  uint64_t h = (high ^ low * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  size_t i = (h >> 20) & st->mask;
  while (st->slots[i]) {
    const ys_stored *r = &st->items[st->slots[i] - 1].row;
    if (r->id_high == high && r->id_low == low) break;
    i = (i + 1) & st->mask;
  }
  return i;
}

static int take(state *st, const MDB_val *value) {
  ys_logged l;
  memcpy(&l, value->mv_data, value->mv_size);
  size_t at = slot(st, l.id_high, l.id_low);
  if (l.op == 0) {
    if (st->count == st->room) return ENOSPC;
    item *it = &st->items[st->count++];
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
  item *it = &st->items[st->slots[at] - 1];
  it->gone = l.op == 2;
  it->day = l.day;
  it->row.amount = l.amount;
  it->row.counter = l.counter;
  return 0;
}

/// Least significant byte first; bytes in which all keys agree are skipped.
static void sort(entry *a, entry *b, size_t n) {
  entry *from = a, *to = b;
  for (int shift = 0; shift < 64; shift += 8) {
    size_t counts[257] = {0};
    for (size_t i = 0; i < n; i++) counts[(from[i].key >> shift & 255) + 1]++;
    int same = 0;
    for (int i = 1; i < 257; i++) same |= counts[i] == n;
    if (same) continue;
    for (int i = 1; i < 257; i++) counts[i] += counts[i - 1];
    for (size_t i = 0; i < n; i++) to[counts[from[i].key >> shift & 255]++] = from[i];
    entry *t = from;
    from = to;
    to = t;
  }
  if (from != a) memcpy(a, from, n * sizeof *a);
}

static int append(MDB_txn *t, MDB_dbi d, const ys_key *k, const void *p, size_t n) {
  MDB_val key = key_val(k), value = {n, (void *)p};
  return mdb_put(t, d, &key, &value, MDB_APPEND);
}

static int load_rows(ys_store *s, MDB_txn *t, const state *st, const entry *order, size_t n, entry *a,
                     entry *b) {
  for (size_t i = 0; i < n; i++) {
    const item *it = &st->items[order[i].index];
    ys_key k = {0};
    key_day(&k, it->day);
    key_u64(&k, it->number);
    TRY(append(t, s->tables[ROWS], &k, &it->row, STORED_BYTES(&it->row)));
  }
  // The generator's ids differ in their higher half.
  for (size_t i = 0; i < n; i++)
    a[i] = (entry){st->items[order[i].index].row.id_high, order[i].index};
  sort(a, b, n);
  for (size_t i = 0; i < n; i++) {
    const item *it = &st->items[a[i].index];
    ys_key k = {0}, v = {0};
    key_u64(&k, it->row.id_high);
    key_u64(&k, it->row.id_low);
    key_day(&v, it->day);
    key_u64(&v, it->number);
    TRY(append(t, s->tables[IDS], &k, v.bytes, v.count));
  }
  return 0;
}

/// The keys of one index. `order` comes sorted by day and number, so a stable sort by the prefix does.
static int load_keys(ys_store *s, MDB_txn *t, const state *st, const entry *order, size_t n, int table,
                     entry *a, entry *b) {
  size_t m = 0;
  for (size_t i = 0; i < n; i++) {
    const ys_stored *r = &st->items[order[i].index].row;
    uint32_t prefix = table == TYPES ? (uint32_t)r->kind << 8 | (uint32_t)currency_of(r->account)
                                     : (uint32_t)(table == ACCOUNTS ? r->account : r->counter);
    if (table != CATEGORIES || r->kind != 2) a[m++] = (entry){prefix, order[i].index};
    if (table == ACCOUNTS && r->kind == 2) a[m++] = (entry){(uint32_t)r->counter, order[i].index};
  }
  sort(a, b, m);
  for (size_t i = 0; i < m; i++) {
    const item *it = &st->items[a[i].index];
    ys_key k = {0};
    key_u16(&k, (uint32_t)a[i].key);
    key_day(&k, it->day);
    key_u64(&k, it->number);
    TRY(append(t, s->tables[table], &k, "", 0));
  }
  return 0;
}

/// Sums by (level, period, category, currency), sorted level by level.
static int load_category_totals(ys_store *s, MDB_txn *t, const state *st, const entry *order, size_t n,
                                entry *a, entry *b) {
  for (int level = ALL; level <= DAY; level++) {
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
      const item *it = &st->items[order[i].index];
      if (it->row.kind == 2) continue;
      uint64_t period = (uint32_t)period_of(level, it->day, month_of(it->day));
      a[m++] = (entry){period << 32 | (uint64_t)it->row.counter << 8 |
                         (uint64_t)currency_of(it->row.account), order[i].index};
    }
    sort(a, b, m);
    for (size_t i = 0; i < m;) {
      uint64_t key = a[i].key;
      int64_t sums[3] = {0};
      for (; i < m && a[i].key == key; i++) {
        const ys_stored *r = &st->items[a[i].index].row;
        sums[r->kind == 1 ? 1 : 0] += r->amount;
        sums[2]++;
      }
      ys_key k = {0};
      key_u8(&k, (uint8_t)level);
      key_day(&k, (int32_t)(key >> 32));
      key_u16(&k, (uint32_t)(key >> 8) & 0xffff);
      key_u8(&k, (uint8_t)key);
      TRY(append(t, s->tables[CATEGORY_TOTALS], &k, sums, 24));
    }
  }
  return 0;
}

static int load_totals(ys_store *s, MDB_txn *t, const state *st, const entry *order, size_t n,
                       int32_t first, int32_t last) {
  for (int level = YEAR; level <= DAY; level++) {
    int32_t from = period_of(level, first, month_of(first));
    int32_t to = period_of(level, last, month_of(last));
    int64_t(*sums)[4] = calloc((size_t)(to - from + 1) * 4, sizeof *sums);
    if (!sums) return ENOMEM;
    for (size_t i = 0; i < n; i++) {
      const item *it = &st->items[order[i].index];
      int32_t p = period_of(level, it->day, month_of(it->day)) - from;
      int64_t *sum = sums[p * 4 + currency_of(it->row.account)];
      sum[it->row.kind == 1 ? 0 : it->row.kind == 0 ? 1 : 2] += it->row.amount;
      sum[3]++;
    }
    for (int32_t i = 0; i < (to - from + 1) * 4; i++) {
      if (!sums[i][3]) continue;
      ys_key k = {0};
      key_u8(&k, (uint8_t)level);
      key_day(&k, from + i / 4);
      key_u8(&k, (uint8_t)(i % 4));
      TRY(append(t, s->tables[TOTALS], &k, sums[i], 32));
    }
    free(sums);
  }
  return 0;
}

static int load_balances(ys_store *s, MDB_txn *t, const state *st, const entry *order, size_t n,
                         int32_t first, int32_t last) {
  int32_t days = last - first + 1;
  int64_t(*sums)[3] = calloc((size_t)days * 21, sizeof *sums);
  if (!sums) return ENOMEM;
  for (size_t i = 0; i < n; i++) {
    const item *it = &st->items[order[i].index];
    const ys_stored *r = &it->row;
    int64_t *sum = sums[r->account * days + it->day - first];
    sum[r->kind == 1 ? 0 : 1] += r->amount;
    sum[2]++;
    if (r->kind != 2) continue;
    sum = sums[r->counter * days + it->day - first];
    sum[0] += r->amount;
    sum[2]++;
  }
  for (int32_t account = 1; account <= 20; account++) {
    for (int level = ALL; level <= DAY; level++) {
      for (int32_t i = 0; i < days;) {
        int32_t period = period_of(level, first + i, month_of(first + i));
        int64_t total[3] = {0};
        for (; i < days && period_of(level, first + i, month_of(first + i)) == period; i++)
          for (int f = 0; f < 3; f++) total[f] += sums[account * days + i][f];
        if (!total[2]) continue;
        ys_key k = {0};
        key_u16(&k, (uint32_t)account);
        key_u8(&k, (uint8_t)level);
        key_day(&k, period);
        TRY(append(t, s->tables[BALANCES], &k, total, 24));
      }
    }
  }
  free(sums);
  return 0;
}

static int load_budgets(ys_store *s, MDB_txn *t, const state *st, const entry *order, size_t n,
                        int32_t first, int32_t last) {
  int32_t from = month_of(first), months = month_of(last) - from + 1;
  int64_t *spent = calloc((size_t)months * 61 * 4, sizeof *spent);
  if (!spent) return ENOMEM;
  for (size_t i = 0; i < n; i++) {
    const item *it = &st->items[order[i].index];
    if (it->row.kind != 0) continue;
    int32_t c = ((it->row.counter - 61) / 5 + 1) * 4 + currency_of(it->row.account);
    spent[c * months + month_of(it->day) - from] += it->row.amount;
  }
  for (int32_t i = 0; i < 61 * 4 * months; i++) {
    if (!spent[i]) continue;
    ys_key k = {0};
    key_u16(&k, (uint32_t)(i / months / 4));
    key_u8(&k, (uint8_t)(i / months % 4));
    key_day(&k, from + i % months);
    TRY(append(t, s->tables[BUDGETS], &k, &spent[i], 8));
  }
  free(spent);
  return 0;
}

static int read_log(ys_store *s, state *st) {
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

static int load(ys_store *s, const state *st) {
  size_t n = 0;
  entry *order = malloc((st->count + 1) * sizeof *order);
  entry *a = malloc((st->count + 1) * 2 * sizeof *a), *b = malloc((st->count + 1) * 2 * sizeof *b);
  if (!order || !a || !b) return ENOMEM;
  for (size_t i = 0; i < st->count; i++)
    if (!st->items[i].gone) order[n++] = (entry){(uint32_t)st->items[i].day ^ BIAS, (uint32_t)i};
  sort(order, a, n);
  int32_t first = n ? st->items[order[0].index].day : 0;
  int32_t last = n ? st->items[order[n - 1].index].day : 0;
  MDB_txn *t;
  TRY(mdb_txn_begin(s->views, NULL, 0, &t));
  TRY(load_rows(s, t, st, order, n, a, b));
  for (int table = ACCOUNTS; table <= TYPES; table++)
    TRY(load_keys(s, t, st, order, n, table, a, b));
  TRY(load_category_totals(s, t, st, order, n, a, b));
  TRY(load_totals(s, t, st, order, n, first, last));
  TRY(load_balances(s, t, st, order, n, first, last));
  TRY(load_budgets(s, t, st, order, n, first, last));
  uint8_t checkpoint[56];
  memcpy(checkpoint, &s->commit, 24);
  memcpy(checkpoint + 24, s->link, 32);
  ys_key meta = {1, {0}};
  TRY(append(t, s->tables[META], &meta, checkpoint, sizeof checkpoint));
  free(order);
  free(a);
  free(b);
  TRY(mdb_txn_commit(t));
  return mdb_env_sync(s->views, 1);
}

int ys_rebuild(ys_store *s) {
  state st = {0};
  TRY(ys_remove_views(s));
  TRY(ys_open_views(s));
  int rc = read_log(s, &st);
  if (rc == 0) rc = load(s, &st);
  free(st.items);
  free(st.slots);
  return rc;
}
