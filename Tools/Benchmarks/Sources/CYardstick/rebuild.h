// Declarations shared by the two halves of the rebuild.
#pragma once
#include "yardstick.h"

typedef struct {
  int32_t day;
  uint8_t gone;
  uint64_t number;
  ys_stored row;
} ys_item;

typedef struct {
  ys_item *items;
  size_t count, room;
  uint32_t *slots;  // a hash table of ids: index + 1
  size_t mask;
  int32_t first_day, days;
} ys_state;

/// A sort key with the index of its row.
typedef struct {
  uint64_t key;
  uint32_t index;
} ys_entry;

void ys_sort(ys_entry *a, ys_entry *b, size_t n);
int ys_add_last(MDB_txn *t, MDB_dbi d, const ys_key *k, const void *p, size_t n);
int ys_load_sums(ys_store *s, MDB_txn *t, const ys_state *st, const ys_entry *order, size_t n,
                 ys_entry *a, ys_entry *b);
