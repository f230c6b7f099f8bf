// The order of keys: by unsigned bytes, and a prefix before what it is a prefix of. It is LMDB's own.
//
// In C, so that builds for debugging, in which a comparison in Swift takes a hundred times as long, are not
// slow to search either.

#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if __has_include(<clmdb.h>) || __has_include(<lmdb.h>)
#include "shim.h"

static inline uint64_t daybook_key_word(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

/// Below, at or above 0 as the left key comes before, is or comes after the right one.
static inline int daybook_key_order(
    const void *left_key, size_t left_count, const void *right_key, size_t right_count) {
  const uint8_t *left = (const uint8_t *)left_key;
  const uint8_t *right = (const uint8_t *)right_key;
  size_t shared = left_count < right_count ? left_count : right_count;
  if (shared >= 8) {
    // By words, the last of which laps over the one before.
    for (size_t offset = 0;;) {
      uint64_t first = daybook_key_word(left + offset);
      uint64_t second = daybook_key_word(right + offset);
      if (first != second) return first < second ? -1 : 1;
      if (offset + 8 == shared) break;
      offset = offset + 16 <= shared ? offset + 8 : shared - 8;
    }
  } else {
    for (size_t offset = 0; offset < shared; offset += 1) {
      if (left[offset] != right[offset]) return left[offset] < right[offset] ? -1 : 1;
    }
  }
  return left_count < right_count ? -1 : left_count > right_count;
}

/// The same for `mdb_set_compare`.
static inline int daybook_compare_keys(const MDB_val *left, const MDB_val *right) {
  return daybook_key_order(left->mv_data, left->mv_size, right->mv_data, right->mv_size);
}
#endif
