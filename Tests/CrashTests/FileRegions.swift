/// Goal: where in a ledger's files each kind of structure is, for trials that flip bits of all of them.
/// Method: the trees of a sound LMDB file are walked by their documented layout, and the records of a redo
/// log by their lengths.
import Foundation

/// A part of a file that trials damage.
enum FileRegion: String, Codable, CaseIterable {
  case meta, branch, leaf, overflow, freeList, redoHeader, redoRecord, lastRedoRecord
}

/// The ranges of bytes of each region of a file.
struct FileRegions {
  private(set) var ranges: [FileRegion: [Range<Int>]] = [:]
  private let bytes: [UInt8]
  private static let page = 4_096

  /// The regions of an LMDB file.
  init(tree bytes: Data) {
    self.bytes = Array(bytes)
    ranges[.meta] = [0..<152, Self.page..<Self.page + 152]
    let newest = word(16 + 128) > word(Self.page + 16 + 128) ? 0 : Self.page
    walk(root: newest + 16 + 24, isFreeList: true)
    walk(root: newest + 16 + 24 + 48, isFreeList: false)
  }

  /// The regions of a redo log.
  init(redo bytes: Data) {
    self.bytes = Array(bytes)
    // Each slot has two copies of its header.
    ranges[.redoHeader] = [0..<1_024, Self.page..<Self.page + 1_024]
    var records: [Range<Int>] = []
    var offset = 2 * Self.page
    // What follows the last record is of an earlier use of the log, whose records have another mark.
    let mark = word(offset)
    while offset + 12 < bytes.count, mark != 0, word(offset) == mark {
      let count = (8..<12).reduce(0) { $0 << 8 | Int(self.bytes[offset + $1]) }
      records.append(offset..<offset + 12 + count + 32)
      offset += 12 + count + 32
    }
    // Each record stands twice.
    ranges[.lastRedoRecord] = records.suffix(2)
    ranges[.redoRecord] = records.dropLast(2)
  }

  private func word(_ offset: Int, _ byteCount: Int = 6) -> Int {
    (0..<byteCount).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  private mutating func walk(root: Int, isFreeList: Bool) {
    // An empty tree has no root page.
    if word(root + 40, 6) == 0xFFFF_FFFF_FFFF { return }
    walk(page: word(root + 40), isFreeList: isFreeList)
  }

  private mutating func walk(page number: Int, isFreeList: Bool) {
    let page = number * Self.page
    let isBranch = word(page + 10, 2) & 1 != 0
    add(page..<page + Self.page, isFreeList ? .freeList : isBranch ? .branch : .leaf)
    for index in 0..<(word(page + 12, 2) - 16) / 2 {
      let node = page + word(page + 16 + 2 * index, 2)
      let flags = word(node + 4, 2)
      let data = node + 8 + word(node + 6, 2)
      if isBranch {
        walk(page: word(node, 4) | flags << 32, isFreeList: isFreeList)
      } else if flags & 1 != 0 {
        let first = word(data) * Self.page
        add(
          first..<first + word(first + 12, 4) * Self.page, isFreeList ? .freeList : .overflow)
      } else if flags & 2 != 0 {
        walk(root: data, isFreeList: false)
      }
    }
  }

  private mutating func add(_ range: Range<Int>, _ region: FileRegion) {
    ranges[region, default: []].append(range)
  }
}
