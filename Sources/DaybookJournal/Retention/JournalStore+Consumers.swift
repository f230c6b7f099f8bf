import DaybookEntities
import DaybookLMDB

// Methods that write must be called on the writer's thread with `WRITER` held.
extension JournalStore {
  /// Registers a consumer, or changes the kind of a registered consumer.
  ///
  /// A new consumer starts after `token`; a registered consumer keeps its position.
  package func register(
    consumer name: String, _ kind: Consumer.Kind, at token: Token, now: Int64
  ) throws {
    try check(consumer: name)
    try check(token)
    try writeAside { transaction in
      let known = try consumer(name, transaction.view)
      let row = Consumer(
        name: name, kind: kind, sequence: known?.sequence ?? token.sequence,
        linkPrefix: known?.linkPrefix ?? token.linkPrefix, lastSeen: now)
      let key = Consumer.rowKey(name)
      try transaction.put(key, sealed(row.bytes, under: key), in: tables.consumers)
    }
  }

  /// Removes a consumer and its table.
  ///
  /// - Returns: Whether the consumer was registered.
  package func unregister(consumer name: String) throws -> Bool {
    try check(consumer: name)
    return try writeAside { transaction in
      let prefix = Consumer.tablePrefix(name)
      var keys: [[UInt8]] = []
      try transaction.view.forEach(in: tables.consumers, prefix: prefix.span.bytes) { key, _ in
        keys.append(key.copied())
        return true
      }
      for key in keys { try transaction.delete(key, in: tables.consumers) }
      return try transaction.delete(Consumer.rowKey(name), in: tables.consumers)
    }
  }

  /// Records a consumer's progress and stores its values, in one transaction.
  ///
  /// - Parameter values: The values by key; `nil` deletes a value.
  /// - Throws: `JournalError` with `token`; or with `refused` if there is no such consumer, if the
  ///   token is before the last acknowledged token, or if a key or value has an invalid length.
  package func acknowledge(
    _ token: Token, by name: String, putting values: [[UInt8]: [UInt8]?], now: Int64
  ) throws {
    try check(token)
    for (key, value) in values {
      guard (1...Consumer.keyByteCountMax).contains(key.count),
        value?.count ?? 0 <= Consumer.valueByteCountMax
      else {
        throw JournalError(
          .refused,
          "A consumer's key has 1 to \(Consumer.keyByteCountMax) bytes and its value at most "
            + "\(Consumer.valueByteCountMax); nothing was acknowledged.", path: path)
      }
    }
    try writeAside { transaction in
      try acknowledge(token, by: name, putting: values, now: now, in: &transaction)
    }
  }

  func acknowledge(
    _ token: Token, by name: String, putting values: [[UInt8]: [UInt8]?], now: Int64,
    in transaction: inout WriteTransaction
  ) throws {
    guard var row = try consumer(name, transaction.view) else { throw noConsumer(name) }
    guard token.sequence >= row.sequence else {
      throw JournalError(
        .refused,
        "The consumer “\(name)” has already acknowledged commit \(row.sequence); it can't go back "
          + "to \(token.sequence).", path: path, sequence: token.sequence)
    }
    row.sequence = token.sequence
    row.linkPrefix = token.linkPrefix
    row.lastSeen = now
    let key = Consumer.rowKey(name)
    try transaction.put(key, sealed(row.bytes, under: key), in: tables.consumers)
    let prefix = Consumer.tablePrefix(name)
    for (key, value) in values {
      if let value {
        let key = prefix + key
        try transaction.put(key, sealed(value, under: key), in: tables.consumers)
      } else {
        try transaction.delete(prefix + key, in: tables.consumers)
      }
    }
  }

  /// Gives this copy of the ledger a new replica number.
  package func renewReplica() throws {
    var replica = ByteWriter(reserving: 8)
    replica.u64be(randomNumber())
    let key = JournalTables.replicaKey
    try writeAside { transaction in
      try transaction.put(key, sealed(replica.bytes, under: key), in: tables.meta)
    }
  }

  /// Returns all consumers, ordered by name.
  package func consumers() throws -> [Consumer] {
    try read { view throws in try consumers(view) }
  }

  /// Returns the token that a consumer acknowledged last.
  ///
  /// - Throws: `JournalError` with `refused` if there is no consumer with this name.
  package func token(of name: String) throws -> Token {
    try read { view throws in
      guard let row = try consumer(name, view) else { throw noConsumer(name) }
      return Token(
        store: folder.identity, lineage: lineage, sequence: row.sequence,
        linkPrefix: row.linkPrefix)
    }
  }

  /// Returns the value that a consumer has stored under the given key.
  package func value(_ key: [UInt8], of name: String) throws -> [UInt8]? {
    try read { view throws in try value(key, of: name, view) }
  }

  /// Returns the retention policy.
  package func retention() throws -> RetentionPolicy {
    try read { view throws in
      let key = JournalTables.retentionKey
      guard let row = try view.get(key.span.bytes, in: tables.meta) else { return .keepEverything }
      return try RetentionPolicy(unsealed(row, under: key.span.bytes, path: path).copied())
    }
  }

  /// Sets the retention policy.
  package func setRetention(_ policy: RetentionPolicy) throws {
    try writeAside { transaction in
      let key = JournalTables.retentionKey
      try transaction.put(key, sealed(policy.bytes, under: key), in: tables.meta)
    }
  }

  // MARK: Helpers

  func consumers(_ view: TransactionView) throws -> [Consumer] {
    var found: [Consumer] = []
    try view.forEach(in: tables.consumers, prefix: ([0] as [UInt8]).span.bytes) { key, value in
      let name = String(decoding: key.copied().dropFirst(), as: UTF8.self)
      found.append(try Consumer(unsealed(value, under: key, path: path), name: name))
      return true
    }
    return found
  }

  func consumer(_ name: String, _ view: TransactionView) throws -> Consumer? {
    let key = Consumer.rowKey(name)
    guard let row = try view.get(key.span.bytes, in: tables.consumers) else { return nil }
    return try Consumer(unsealed(row, under: key.span.bytes, path: path), name: name)
  }

  func value(_ key: [UInt8], of name: String, _ view: TransactionView) throws -> [UInt8]? {
    let key = Consumer.tablePrefix(name) + key
    guard let row = try view.get(key.span.bytes, in: tables.consumers) else { return nil }
    return try unsealed(row, under: key.span.bytes, path: path).copied()
  }

  func noConsumer(_ name: String) -> JournalError {
    JournalError(
      .refused, "There is no consumer “\(name)”: register it first.", path: path)
  }

  private func check(consumer name: String) throws(JournalError) {
    guard (1...Consumer.nameByteCountMax).contains(name.utf8.count) else {
      throw JournalError(
        .refused,
        "A consumer's name must have 1 to \(Consumer.nameByteCountMax) bytes, but this one has "
          + "\(name.utf8.count).",
        path: path)
    }
  }

  /// Runs a durable transaction that appends no commit.
  func writeAside<Result>(_ body: (inout WriteTransaction) throws -> Result) throws -> Result {
    guard !isReadOnly else {
      throw JournalError(
        .readOnly, "The ledger “\(folder.path)” was opened for reading only.", path: folder.path)
    }
    if let readOnlyReason { throw readOnlyReason }
    do {
      try redo.settle()
      var transaction = try environment.beginWrite()
      let result = try body(&transaction)
      try transaction.commit()
      return result
    } catch {
      throw storageError(error, "Writing the journal", path)
    }
  }
}
