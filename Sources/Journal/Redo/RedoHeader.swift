import Entities
import LMDB

/// What the redo log says of itself: whether the journal's data file may hold commits that were not flushed, and
/// if so, from which commit on they can be made again.
struct RedoHeader: Hashable, Sendable {
  /// Counts the headers that were written; the newest one holds.
  var epoch: UInt64
  /// The commit that the records follow, or `nil` where everything in the data file was flushed.
  var base: RedoBase?

  /// A header stands twice in its slot, half of a sector apart from the other copy: what damages one of
  /// them leaves the other.
  static let byteCount = 2 * copyByteCount
  private static let copyByteCount = 512
  private static let title = Array("daybook redo 1\n".utf8)

  /// Where it stands: headers take turns, so that a new one never overwrites the one that holds.
  var offset: Int { Int(epoch & 1) * RedoFile.slotByteCount }

  init(epoch: UInt64, base: RedoBase?) {
    self.epoch = epoch
    self.base = base
  }

  /// The content of its slot.
  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: RedoHeader.byteCount)
    writer.raw(RedoHeader.title)
    writer.u64be(epoch)
    writer.u8(base == nil ? 0 : 1)
    base?.write(to: &writer)
    let room = RedoHeader.copyByteCount - Seal.byteCount - writer.bytes.count
    precondition(room >= 0, "a header of the redo log has its place")
    writer.raw(repeatElement(0, count: room))
    let copy = sealed(writer.bytes, under: RedoHeader.title)
    return copy + copy
  }

  /// The header in a slot, or `nil` where there is none that is whole.
  init?(slot: [UInt8]) {
    let size = RedoHeader.copyByteCount
    for start in [0, size] where start + size <= slot.count {
      if let header = RedoHeader(copy: slot.span.bytes.extracting(start..<start + size)) {
        self = header
        return
      }
    }
    return nil
  }

  private init?(copy: RawSpan) {
    guard let content = Seal.content(of: copy, under: RedoHeader.title.span.bytes) else {
      return nil
    }
    var reader = ByteReader(content)
    do {
      guard try reader.bytes(RedoHeader.title.count) == RedoHeader.title else { return nil }
      epoch = try reader.u64be()
      switch try reader.u8() {
      case 0: base = nil
      case 1:
        guard let base = try RedoBase(&reader) else { return nil }
        self.base = base
      default: return nil
      }
    } catch { return nil }
  }

  /// The newer one of two.
  static func newest(_ slots: [[UInt8]]) -> RedoHeader? {
    slots.compactMap { RedoHeader(slot: $0) }.max { $0.epoch < $1.epoch }
  }
}

/// A commit that was flushed, whose pages are left alone until the redo log says otherwise.
struct RedoBase: Hashable, Sendable {
  /// SHA-256 of the operating system's boot identity, since the beginning of which nothing that was written
  /// to the data file can have been lost.
  var boot: Hash256
  /// The data file.
  var file: FileIdentity
  /// Its newest commit.
  var sequence: UInt64
  /// That one's link.
  var link: Hash256
  /// LMDB's pages that name it.
  var pages: MetaPages

  /// What stands before each record, so that none of another epoch is taken for one of this.
  func mark(epoch: UInt64) -> UInt64 {
    var writer = ByteWriter(reserving: 48)
    writer.u64be(epoch)
    writer.hash(link)
    return Hash256(hashing: writer.bytes).prefix
  }
}

extension RedoBase {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.hash(boot)
    writer.u64be(file.device)
    writer.u64be(file.inode)
    writer.u64be(sequence)
    writer.hash(link)
    writer.raw(pages.bytes)
  }

  fileprivate init?(_ reader: inout ByteReader) throws(DecodingFault) {
    boot = try reader.hash()
    file = FileIdentity(device: try reader.u64be(), inode: try reader.u64be())
    sequence = try reader.u64be()
    link = try reader.hash()
    guard let pages = MetaPages(bytes: try reader.bytes(MetaPages.byteCount)) else { return nil }
    self.pages = pages
  }
}
