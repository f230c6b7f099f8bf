internal import Entities
internal import Journal
internal import LMDB

/// What one row of the views says at the beginning of every read: up to where they have been brought,
/// and whether they may be read without looking further.
///
/// Written as sequence (8 bytes), link (32), 1 where another generation is about to replace this one
/// and else 0, and the digest of the projections that are current (8).
struct ViewsHead: Equatable {
  /// Up to where State has been brought.
  var checkpoint = Checkpoint.none
  /// Whether `CURRENT` may name another generation already, so that a reader must look.
  ///
  /// Every commit clears it.
  var isRetiring = false
  /// The digest of the registered projections of the process that wrote the row, if all of them were
  /// current; else 0.
  ///
  /// A process that has registered the same need not ask for the status of each.
  var currentDigest: UInt64 = 0

  static let key = JournalTables.metaKey("checkpoint")

  /// What there is to say of empty views.
  static let empty = ViewsHead()

  init(_ checkpoint: Checkpoint = .none, isRetiring: Bool = false, currentDigest: UInt64 = 0) {
    self.checkpoint = checkpoint
    self.isRetiring = isRetiring
    self.currentDigest = currentDigest
  }

  init(_ span: RawSpan) throws(DecodingFault) {
    var reader = ByteReader(span)
    checkpoint = try Checkpoint(&reader)
    isRetiring = try reader.u8() != 0
    currentDigest = try reader.u64be()
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 49)
    checkpoint.write(to: &writer)
    writer.u8(isRetiring ? 1 : 0)
    writer.u64be(currentDigest)
    return writer.bytes
  }

  /// A digest of projections' names and versions, never 0 (FNV-1a).
  static func digest(of projections: [ViewsStore.Registered]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for projection in projections {
      var name = ByteWriter()
      name.string(projection.name)
      name.u32be(projection.version)
      for byte in name.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return hash | 1
  }
}

extension ViewsStore {
  /// Begins a read transaction and tells what the views say of themselves.
  func beginRead(_ head: inout ViewsHead) throws -> ReadTransaction {
    let transaction = try environment.beginRead()
    head = try self.head(of: transaction)
    return transaction
  }

  private func head(of transaction: borrowing ReadTransaction) throws -> ViewsHead {
    try head(in: transaction.view)
  }

  /// What the views say of themselves.
  func head(in view: TransactionView) throws -> ViewsHead {
    guard let value = try view.get(ViewsHead.key.span.bytes, in: meta) else { return .empty }
    return try ViewsHead(value)
  }

  /// Says up to where the views have been brought.
  func put(_ head: ViewsHead, into transaction: inout WriteTransaction) throws {
    try transaction.put(ViewsHead.key, head.bytes, in: meta)
  }

  /// Tells readers of other processes to look at `CURRENT`, before it is replaced.
  ///
  /// - Precondition: the caller holds `WRITER`, and SESSION marks the views as unflushed.
  func retire() throws {
    try environment.write { transaction in
      var head = try self.head(in: transaction.view)
      head.isRetiring = true
      try put(head, into: &transaction)
    }
  }
}
