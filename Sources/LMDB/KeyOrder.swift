internal import CLMDB

/// The order of keys: by unsigned bytes, and a prefix before what it is a prefix of.
@inline(__always)
func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  guard let first = left.baseAddress, let second = right.baseAddress else {
    return left.count - right.count
  }
  return compare(first, left.count, second, right.count)
}

/// The same order, given to LMDB, whose own it is too.
///
/// To find an entry takes some thirty comparisons, and LMDB's own calls `memcmp`, which costs more
/// than keys of ten or twenty bytes take.
let keyOrder: @convention(c) (UnsafePointer<MDB_val>?, UnsafePointer<MDB_val>?) -> Int32 = {
  left, right in
  // LMDB gives both, and compares no key without bytes.
  let left = left.unsafelyUnwrapped.pointee
  let right = right.unsafelyUnwrapped.pointee
  return Int32(
    truncatingIfNeeded: compare(
      left.mv_data.unsafelyUnwrapped, left.mv_size, right.mv_data.unsafelyUnwrapped,
      right.mv_size))
}

// By words, the last of which laps over the one before. No sum here can overflow: keys are short.
@inline(__always)
private func compare(
  _ left: UnsafeRawPointer, _ leftCount: Int, _ right: UnsafeRawPointer, _ rightCount: Int
) -> Int {
  let shared = min(leftCount, rightCount)
  if shared >= 8 {
    let order = compareWords(left, right, at: 0, as: UInt64.self)
    if order != 0 { return order }
    var offset = 8
    while offset &+ 8 < shared {
      let order = compareWords(left, right, at: offset, as: UInt64.self)
      if order != 0 { return order }
      offset &+= 8
    }
    let rest = compareWords(left, right, at: shared &- 8, as: UInt64.self)
    return rest != 0 ? rest : leftCount &- rightCount
  }
  if shared >= 4 {
    let order = compareWords(left, right, at: 0, as: UInt32.self)
    if order != 0 { return order }
    let rest = compareWords(left, right, at: shared &- 4, as: UInt32.self)
    return rest != 0 ? rest : leftCount &- rightCount
  }
  var offset = 0
  while offset < shared {
    let order = compareWords(left, right, at: offset, as: UInt8.self)
    if order != 0 { return order }
    offset &+= 1
  }
  return leftCount &- rightCount
}

/// The order of one word of two keys, the first byte counting most.
@inline(__always)
private func compareWords<Word: FixedWidthInteger>(
  _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, at offset: Int, as: Word.Type
) -> Int {
  let first = Word(bigEndian: left.loadUnaligned(fromByteOffset: offset, as: Word.self))
  let second = Word(bigEndian: right.loadUnaligned(fromByteOffset: offset, as: Word.self))
  return first == second ? 0 : first < second ? -1 : 1
}
