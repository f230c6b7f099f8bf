internal import CLMDB

/// The order of keys: by unsigned bytes, and a prefix before what it is a prefix of.
///
/// LMDB is given the same (`keyorder.h`), whose own it is too: to find an entry takes some twenty to thirty
/// comparisons, and LMDB's call `memcmp`, which costs more than keys of ten or twenty bytes take.
@inline(__always)
func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  Int(daybook_key_order(left.baseAddress, left.count, right.baseAddress, right.count))
}
