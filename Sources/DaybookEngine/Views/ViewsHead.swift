internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// A row of the views that every read checks first.
///
/// It contains the last commit in the views, and whether they can be read without further checks.
/// The format is the sequence (8 bytes), the link (32), 1 if another generation is about to replace
/// this one and 0 otherwise (1), and the digest of the current projections (8).
struct ViewsHead: Equatable {
  /// The last commit that State contains.
  var checkpoint = Checkpoint.none
  /// Whether `CURRENT` may already name another generation, so that readers must check it.
  ///
  /// Every commit clears this flag.
  var isRetiring = false
  /// The digest of the writing process's registered projections if all were current, otherwise 0.
  ///
  /// A process with the same registered projections doesn't need to read the status of each.
  var currentDigest: UInt64 = 0

  static let key = JournalTables.metaKey("checkpoint")

  /// The head of empty views.
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

  /// Returns a digest (FNV-1a) of the names and versions of projections; it is never 0.
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
  /// Begins a read transaction and reads the head of the views.
  func beginRead(_ head: inout ViewsHead) throws -> ReadTransaction {
    let transaction = try environment.beginRead()
    head = try self.head(of: transaction)
    return transaction
  }

  private func head(of transaction: borrowing ReadTransaction) throws -> ViewsHead {
    try head(in: transaction.view)
  }

  /// Returns the head of the views.
  func head(in view: TransactionView) throws -> ViewsHead {
    guard let value = try view.get(ViewsHead.key.span.bytes, in: meta) else { return .empty }
    return try ViewsHead(value)
  }

  /// Writes the head of the views.
  func put(_ head: ViewsHead, into transaction: inout WriteTransaction) throws {
    try transaction.put(ViewsHead.key, head.bytes, in: meta)
  }

  /// Makes readers in other processes check `CURRENT`; called before it is replaced.
  ///
  /// - Precondition: The caller holds `WRITER`, and SESSION marks the views as unflushed.
  func retire() throws {
    try environment.write { transaction in
      var head = try self.head(in: transaction.view)
      head.isRetiring = true
      try put(head, into: &transaction)
    }
  }
}
