import DaybookEntities
import DaybookLMDB

/// A header of the redo log.
///
/// It says whether the journal's data file may contain unflushed commits, and if so, after which
/// commit they start.
struct RedoHeader: Hashable, Sendable {
  /// The number of headers written so far, including this one; the header with the highest epoch is
  /// valid.
  var epoch: UInt64
  /// The last flushed commit, which precedes the records; `nil` if the whole data file has been
  /// flushed.
  var base: RedoBase?

  /// The number of bytes of a slot's contents: two copies of a header, 512 bytes apart.
  ///
  /// If one copy is damaged, the other one stays intact.
  static let byteCount = 2 * copyByteCount
  private static let copyByteCount = 512
  private static let title = Array("daybook redo 1\n".utf8)

  /// The offset of the header's slot.
  ///
  /// Headers alternate between the slots, so a new header never overwrites the valid one.
  var offset: Int { Int(epoch & 1) * RedoFile.slotByteCount }

  init(epoch: UInt64, base: RedoBase?) {
    self.epoch = epoch
    self.base = base
  }

  /// The contents of the header's slot.
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

  /// Reads the header in a slot; returns `nil` if neither copy is intact.
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

  /// Returns the newer header of two slots.
  static func newest(_ slots: [[UInt8]]) -> RedoHeader? {
    slots.compactMap { RedoHeader(slot: $0) }.max { $0.epoch < $1.epoch }
  }
}

/// A flushed commit whose pages are protected from reuse while the redo log is open.
struct RedoBase: Hashable, Sendable {
  /// The SHA-256 hash of the operating system's boot identity.
  ///
  /// As long as the boot identity is the same, no write to the data file can have been lost.
  var boot: Hash256
  /// The identity of the data file.
  var file: FileIdentity
  /// The sequence of the newest commit in the data file.
  var sequence: UInt64
  /// The link of the newest commit.
  var link: Hash256
  /// LMDB's meta pages as of the newest commit.
  var pages: MetaPages

  /// Returns the mark at the start of each record in an epoch; every epoch has another mark.
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
