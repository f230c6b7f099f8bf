internal import DaybookCLMDB

/// Compares keys as unsigned bytes; a prefix precedes longer keys.
///
/// LMDB is set to use the same comparison (`keyorder.h`) instead of its default, which gives the
/// same order. A search takes twenty to thirty comparisons. LMDB's default calls `memcmp`, which
/// costs more than comparing keys of ten or twenty bytes directly.
@inline(__always)
func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  Int(daybook_key_order(left.baseAddress, left.count, right.baseAddress, right.count))
}
