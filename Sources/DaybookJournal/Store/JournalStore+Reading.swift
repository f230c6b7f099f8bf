package import DaybookEntities
import DaybookLMDB

extension JournalStore {
  /// Returns the newest commit.
  package func head() throws -> Head {
    try read { view throws in try head(view) }
  }

  /// Returns the replica number of this copy of the ledger.
  package func replica() throws -> UInt64 {
    try read { view throws in try replica(view) }
  }

  /// Returns the token of the newest commit.
  package func token() throws -> Token { token(after: try head()) }

  /// The token before the oldest retained commit.
  package var oldestToken: Token {
    get throws {
      let floor = try floor()
      return token(sequence: floor.sequence, link: floor.link)
    }
  }

  /// Returns the token of a commit, given its head.
  package func token(after head: Head) -> Token {
    token(sequence: head.sequence, link: head.link)
  }

  /// Returns the token of a commit, given its header.
  package func token(after header: CommitHeader) -> Token {
    token(sequence: header.sequence, link: header.link)
  }

  /// Returns the token of a commit.
  ///
  /// - Throws: `JournalError` with `missingCommit` if the journal doesn't contain it.
  package func token(at sequence: UInt64) throws -> Token {
    token(sequence: sequence, link: try link(at: sequence))
  }

  /// Returns the token of a commit recorded for an idempotency key.
  ///
  /// The commit may have been purged, in which case the token is expired.
  package func token(ofKept sequence: UInt64) throws -> Token {
    try sequence < floor().sequence
      ? token(sequence: sequence, link: .zero) : token(at: sequence)
  }

  /// Returns the link of a commit.
  ///
  /// - Throws: `JournalError` with `missingCommit` if the journal doesn't contain it.
  package func link(at sequence: UInt64) throws -> Hash256 {
    try read { view throws in try link(of: sequence, head: head(view), view) }
  }

  /// Returns the floor; the retained history begins after this commit.
  package func floor() throws -> Floor {
    try read { view throws in try floor(view) }
  }

  /// Returns the link of a retained commit.
  ///
  /// - Throws: `JournalError` with `missingCommit` if the journal doesn't contain it.
  package func link(of sequence: UInt64) throws -> Hash256 {
    try read { view throws in try link(of: sequence, head: head(view), view) }
  }

  func token(sequence: UInt64, link: Hash256) -> Token {
    Token(
      store: folder.identity, lineage: lineage, sequence: sequence, linkPrefix: link.prefix)
  }

  /// Checks that a token belongs to this ledger and that the token's commit hasn't changed.
  ///
  /// - Throws: `JournalError` with `token`.
  package func check(_ token: Token) throws {
    try read { view throws in try check(token, head: head(view), view) }
  }

  /// Returns the number of bytes of a range of commits, reading only their first chunks.
  ///
  /// - Returns: `nil` if there are more than `limit` bytes or a commit is missing.
  /// - Complexity: O(commits), at most O(`limit`).
  package func byteCount(
    after sequence: UInt64, through last: UInt64, upTo limit: Int
  ) throws -> Int? {
    try read { view throws in
      var total = 0
      var next = sequence
      while next < last {
        next += 1
        let key = JournalTables.chunkKey(next, 0)
        guard let chunk = try view.get(key.span.bytes, in: tables.commits) else { return nil }
        var reader = ByteReader(chunk)
        total += Int(try reader.u32be())
        if total > limit { return nil }
      }
      return total
    }
  }

  /// Returns the row of an idempotency key, or `nil` if the key was never used.
  package func lookUp(key: [UInt8]) throws -> KeyRow? {
    try read { view throws in try lookUp(key: key, view) }
  }

  /// Returns the next recording number of a kind.
  package func nextNumber(_ kind: EntityKind) throws -> UInt64 {
    try read { view throws in
      try kindRows(view)[kind.rawValue]?.nextNumber ?? schema[kind]?.firstNumber ?? 1
    }
  }

  func read<Result>(_ body: (TransactionView) throws -> Result) throws -> Result {
    do {
      let transaction = try environment.beginRead()
      let view = transaction.view
      return try body(view)
    } catch let error as LMDBError {
      throw storageError(error, "Reading the journal", path)
    }
  }

  func lookUp(key: [UInt8], _ view: TransactionView) throws -> KeyRow? {
    let place = JournalTables.idempotencyKey(key, store: folder.identity)
    guard let found = try view.get(place.span.bytes, in: tables.keys) else { return nil }
    return try KeyRow(unsealed(found, under: place.span.bytes, path: path))
  }

  func check(_ token: Token, head: Head, _ view: TransactionView) throws {
    guard token.store == folder.identity else {
      throw JournalError(
        .token(.foreignStore),
        "The token belongs to another ledger (\(token.store); this one is \(folder.identity)): use "
          + "a token of this ledger, or start with a full snapshot.", path: folder.path)
    }
    guard token.lineage == lineage else {
      throw JournalError(
        .token(.otherLineage),
        "The token is from before the ledger was restored (lineage \(hexText(token.lineage, digits: 16)), now "
          + "\(hexText(lineage, digits: 16))): take a full snapshot, then follow from its token.",
        path: folder.path, sequence: token.sequence)
    }
    guard token.sequence <= head.sequence else {
      throw JournalError(
        .token(.future),
        "The token points to commit \(token.sequence), but the newest is \(head.sequence): the "
          + "ledger's files are older than the token. Take a full snapshot.",
        path: folder.path, sequence: token.sequence)
    }
    let floor = try floor(view)
    guard token.sequence >= floor.sequence else {
      throw JournalError(
        .token(.expired(floor: floor.sequence)),
        "Commits after \(token.sequence) have been purged (up to \(floor.sequence)): take a full "
          + "snapshot, then follow from its token.", path: folder.path, sequence: token.sequence)
    }
    guard try link(of: token.sequence, head: head, view).prefix == token.linkPrefix else {
      throw JournalError(
        .token(.diverged),
        "Commit \(token.sequence) is not the one that the token points to: the ledger and the "
          + "token's ledger have diverged. Take a full snapshot.",
        path: folder.path, sequence: token.sequence)
    }
  }

  /// Returns the link of a retained commit.
  func link(of sequence: UInt64, head: Head, _ view: TransactionView) throws -> Hash256 {
    if sequence == head.sequence { return head.link }
    let floor = try floor(view)
    if sequence == floor.sequence { return floor.link }
    let key = JournalTables.chunkKey(sequence, 0)
    guard let chunk = try view.get(key.span.bytes, in: tables.commits) else {
      throw missingCommit(sequence)
    }
    var reader = ByteReader(chunk)
    _ = try reader.u32be()
    return try reader.hash()
  }

  func missingCommit(_ sequence: UInt64) -> JournalError {
    JournalError(
      .missingCommit,
      "Commit \(sequence) is not in the journal “\(path)”: run verify, and restore from a backup "
        + "if it should be.", path: path, sequence: sequence)
  }
}
