internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// The row of the views that every read checks first.
///
/// It contains the last commit in the views, and whether they can be read without further checks.
/// The format is the sequence (8 bytes), the link (32), a byte that is 1 if another generation is
/// about to replace this one and 0 otherwise, the digest of the current projections (8), and the
/// FNV-1a hash of the preceding bytes (8).
struct ViewsHead: Equatable {
  /// The last commit that State contains.
  var checkpoint = Checkpoint.none
  /// Whether `CURRENT` may already name another generation, so that readers must read the file
  /// again.
  ///
  /// Every commit clears this flag.
  var isRetiring = false
  /// The digest of the writing process's registered projections if all of them were current,
  /// otherwise 0.
  ///
  /// A process with the same digest doesn't need to read the status of each projection.
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
    var writer = ByteWriter(reserving: ViewsHead.byteCount + 8)
    checkpoint.write(to: &writer)
    writer.u8(isRetiring ? 1 : 0)
    writer.u64be(currentDigest)
    writer.u64be(ViewsHead.hash(writer.bytes))
    return writer.bytes
  }

  private static let byteCount = 49

  /// Returns whether the hash in a head's stored bytes matches the other bytes, or is missing.
  ///
  /// Reading a head doesn't check the hash, because every read of the views reads the head. Heads
  /// of earlier versions have no hash.
  static func isIntact(_ bytes: [UInt8]) -> Bool {
    if bytes.count == byteCount { return true }
    guard bytes.count == byteCount + 8 else { return false }
    var reader = ByteReader(bytes.span.bytes)
    guard (try? reader.skip(byteCount)) != nil, let hash = try? reader.u64be() else { return false }
    return hash == self.hash(bytes.prefix(byteCount))
  }

  /// Returns a digest (FNV-1a) of the names and versions of projections; it is never 0.
  static func digest(of projections: [ViewsStore.Registered]) -> UInt64 {
    var names = ByteWriter()
    for projection in projections {
      names.string(projection.name)
      names.u32be(projection.version)
    }
    return hash(names.bytes) | 1
  }

  /// Returns the FNV-1a hash of bytes.
  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

extension ViewsHead {
  /// Reads the checkpoint of views that can't be trusted, without opening them.
  ///
  /// - Returns: The checkpoint, or `nil` if there is none or it can't be read.
  static func untrustedCheckpoint(path: String) -> Checkpoint? {
    guard let bytes = FileJudgement.value(for: key, path: path), isIntact(bytes) else { return nil }
    return try? ViewsHead(bytes.span.bytes).checkpoint
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

  /// Returns the checkpoint in the head of the views, or `nil` if the head's bytes are damaged.
  func intactCheckpoint(in view: TransactionView) throws -> Checkpoint? {
    guard let value = try view.get(ViewsHead.key.span.bytes, in: meta),
      ViewsHead.isIntact(value.copied())
    else { return nil }
    return try ViewsHead(value).checkpoint
  }

  /// Writes the head of the views.
  func put(_ head: ViewsHead, into transaction: inout WriteTransaction) throws {
    try transaction.put(ViewsHead.key, head.bytes, in: meta)
  }

  /// Makes readers in other processes check `CURRENT`; called before `CURRENT` is replaced.
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
