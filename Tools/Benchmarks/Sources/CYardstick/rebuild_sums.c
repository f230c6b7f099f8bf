// The second half of a rebuild: writes sums level by level in key order.
#include <errno.h>
#include <stdlib.h>

#include "rebuild.h"

/// Radix sort, least significant byte first. Bytes that are the same in all keys are skipped.
void ys_sort(ys_entry *a, ys_entry *b, size_t n) {
  ys_entry *from = a, *to = b;
  for (int shift = 0; shift < 64; shift += 8) {
    size_t counts[257] = {0};
    for (size_t i = 0; i < n; i++) counts[(from[i].key >> shift & 255) + 1]++;
    int same = 0;
    for (int i = 1; i < 257; i++) same |= counts[i] == n;
    if (same) continue;
    for (int i = 1; i < 257; i++) counts[i] += counts[i - 1];
    for (size_t i = 0; i < n; i++) to[counts[from[i].key >> shift & 255]++] = from[i];
    ys_entry *t = from;
    from = to;
    to = t;
  }
  if (from != a) memcpy(a, from, n * sizeof *a);
}

int ys_add_last(MDB_txn *t, MDB_dbi d, const ys_key *k, const void *p, size_t n) {
  MDB_val key = key_val(k), value = {n, (void *)p};
  return mdb_put(t, d, &key, &value, MDB_APPEND);
}

/// Writes sums by (level, period, category, currency), sorted level by level.
static int load_category_totals(ys_store *s, MDB_txn *t, const ys_state *st, const ys_entry *order, size_t n,
                                ys_entry *a, ys_entry *b) {
  for (int level = ALL; level <= DAY; level++) {
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
      const ys_item *it = &st->items[order[i].index];
      if (it->row.kind == 2) continue;
      uint64_t period = (uint32_t)period_of(level, it->day, month_of(it->day));
      a[m++] = (ys_entry){period << 32 | (uint64_t)it->row.counter << 8 |
                         (uint64_t)currency_of(it->row.account), order[i].index};
    }
    ys_sort(a, b, m);
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
      TRY(ys_add_last(t, s->tables[CATEGORY_TOTALS], &k, sums, 24));
    }
  }
  return 0;
}

static int load_totals(ys_store *s, MDB_txn *t, const ys_state *st, const ys_entry *order, size_t n,
                       int32_t first, int32_t last) {
  for (int level = YEAR; level <= DAY; level++) {
    int32_t from = period_of(level, first, month_of(first));
    int32_t to = period_of(level, last, month_of(last));
    int64_t(*sums)[4] = calloc((size_t)(to - from + 1) * 4, sizeof *sums);
    if (!sums) return ENOMEM;
    for (size_t i = 0; i < n; i++) {
      const ys_item *it = &st->items[order[i].index];
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
      TRY(ys_add_last(t, s->tables[TOTALS], &k, sums[i], 32));
    }
    free(sums);
  }
  return 0;
}

static int load_balances(ys_store *s, MDB_txn *t, const ys_state *st, const ys_entry *order, size_t n,
                         int32_t first, int32_t last) {
  int32_t days = last - first + 1;
  int64_t(*sums)[3] = calloc((size_t)days * 21, sizeof *sums);
  if (!sums) return ENOMEM;
  for (size_t i = 0; i < n; i++) {
    const ys_item *it = &st->items[order[i].index];
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
        TRY(ys_add_last(t, s->tables[BALANCES], &k, total, 24));
      }
    }
  }
  free(sums);
  return 0;
}

static int load_budgets(ys_store *s, MDB_txn *t, const ys_state *st, const ys_entry *order, size_t n,
                        int32_t first, int32_t last) {
  int32_t from = month_of(first), months = month_of(last) - from + 1;
  int64_t *spent = calloc((size_t)months * 61 * 4, sizeof *spent);
  if (!spent) return ENOMEM;
  for (size_t i = 0; i < n; i++) {
    const ys_item *it = &st->items[order[i].index];
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
    TRY(ys_add_last(t, s->tables[BUDGETS], &k, &spent[i], 8));
  }
  free(spent);
  return 0;
}

int ys_load_sums(ys_store *s, MDB_txn *t, const ys_state *st, const ys_entry *order, size_t n,
                 ys_entry *a, ys_entry *b) {
  int32_t first = n ? st->items[order[0].index].day : 0;
  int32_t last = n ? st->items[order[n - 1].index].day : 0;
  TRY(load_category_totals(s, t, st, order, n, a, b));
  TRY(load_totals(s, t, st, order, n, first, last));
  TRY(load_balances(s, t, st, order, n, first, last));
  TRY(load_budgets(s, t, st, order, n, first, last));
  return 0;
}
