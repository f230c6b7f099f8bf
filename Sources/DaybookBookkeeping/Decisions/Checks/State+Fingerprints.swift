import DaybookEntities

/// Fingerprints of imported rows.
///
/// Every transaction counts toward the fingerprint of its current values, whether it was imported
/// or entered by hand. An imported row is also recognised by its id, which is derived from the
/// fingerprint and stays the same when the transaction is changed. When the transaction is deleted,
/// the id remains marked. A `Fingerprint` counts changed and deleted rows only if their id isn't
/// derived from their text: rows with a reference, and rows imported by earlier versions.
extension BookkeepingState {
  /// The 128-bit hash that identifies a row: day, type, amount, currency, folded text, account and
  /// target account.
  ///
  /// If the row's file format has its own ids, the note is left out, because formats differ in the
  /// additional text they contain. The hash is 128-bit FNV-1a, which is not cryptographic. A user
  /// who deliberately makes two rows collide only loses one of their own rows as a duplicate. An
  /// accidental collision is expected only after about 10^19 rows.
  func fingerprint(of transaction: Transaction) -> EntityID {
    let identity = RowIdentity(transaction)
    var hash = FNV128()
    hash.add(UInt64(transaction.day.biased), byteCount: 4)
    hash.add(UInt64(transaction.type.rawValue), byteCount: 1)
    hash.add(UInt64(truncatingIfNeeded: identity.units >> 64), byteCount: 8)
    hash.add(UInt64(truncatingIfNeeded: identity.units), byteCount: 8)
    hash.add(identity.currency.packed, byteCount: 8)
    hash.add(identity.account)
    hash.add(identity.target)
    if !transaction.description.isEmpty { hash.add(text: transaction.description) }
    if !transaction.payee.isEmpty { hash.add(text: transaction.payee) }
    let isOfFormat = transaction.importIdentity.map { !$0.reference.isEmpty } ?? false
    if !isOfFormat, !transaction.note.isEmpty { hash.add(text: transaction.note) }
    return hash.id
  }

  /// The id derived from a row's reference, which is the same on every device.
  ///
  /// - Parameter ordinal: The number of earlier rows of the file with the same reference, account,
  ///   day and amount.
  func referencedID(of transaction: Transaction, _ reference: String, ordinal: Int) -> EntityID {
    let identity = RowIdentity(transaction)
    var hash = FNV128()
    hash.add(UInt64(transaction.day.biased), byteCount: 4)
    hash.add(UInt64(truncatingIfNeeded: identity.units >> 64), byteCount: 8)
    hash.add(UInt64(truncatingIfNeeded: identity.units), byteCount: 8)
    hash.add(identity.currency.packed, byteCount: 8)
    hash.add(identity.account)
    hash.add(identity.target)
    hash.add(UInt64(clamping: ordinal), byteCount: 8)
    for byte in reference.utf8 { hash.add(byte) }
    return hash.id
  }

  /// Adds to the counts of a fingerprint, and removes it when all counts are zero.
  ///
  /// - Parameter identity: The identity of the counted row. Rows with a reference have a separate
  ///   count.
  mutating func count(
    _ id: EntityID, of identity: ImportIdentity? = nil, changed: Int64 = 0, deleted: Int64 = 0
  ) throws(Refusal) {
    let stored: Stored<Fingerprint>? = try stored(id)
    var next = stored?.entity ?? Fingerprint(id: id)
    if identity?.isReferenced == true {
      next.changedReferenced += changed
      next.deletedReferenced += deleted
    } else {
      next.changed += changed
      next.deleted += deleted
    }
    try emit(stored, next.isZero ? nil : next)
  }

  /// Marks the row with an id as deleted, so that it is not created again.
  mutating func mark(_ id: EntityID) throws(Refusal) {
    let stored: Stored<Fingerprint>? = try stored(id)
    if stored == nil { try emit(stored, Fingerprint(id: id, deleted: 1)) }
  }

  /// Allows the row with an id to be created again.
  mutating func unmark(_ id: EntityID) throws(Refusal) {
    let stored: Stored<Fingerprint>? = try stored(id)
    if stored != nil { try emit(stored, nil) }
  }

  /// Whether the row with an id was deleted or must not be created.
  mutating func isMarked(_ id: EntityID) throws(Refusal) -> Bool {
    try reading { try record(.fingerprint, id) } != nil
  }

  /// Records that the row with an id is recorded as a transaction with another id.
  mutating func mark(_ id: EntityID, as transaction: TransactionID) throws(Refusal) {
    let stored: Stored<Fingerprint>? = try stored(id)
    let mark = Fingerprint(
      id: id, number: stored?.entity.number ?? 0, changed: 1, transaction: transaction)
    try emit(stored, mark)
  }

  /// Whether a mark is that of a row which is recorded as a transaction with another id.
  mutating func isRecorded(_ mark: Fingerprint) throws(Refusal) -> Bool {
    guard let transaction = mark.transaction else { return false }
    return try reading { try record(.transaction, transaction.rawValue) } != nil
  }

  /// Keeps the original fingerprint of an imported row when its values change.
  mutating func follow(_ old: Transaction, _ new: inout Transaction) throws(Refusal) {
    guard let identity = old.importIdentity else { return }
    let before = identity.original ?? fingerprint(of: old)
    let after = fingerprint(of: new)
    guard after == before else {
      if identity.original == nil, !old.isOfFile { try count(before, of: identity, changed: 1) }
      new.importIdentity?.original = before
      return
    }
    // The values are equal to the imported values again.
    if identity.original != nil, !old.isOfFile { try count(before, of: identity, changed: -1) }
    new.importIdentity?.original = nil
  }
}

extension Transaction {
  /// Whether the transaction is an imported row whose id is derived from the file's values.
  var isOfFile: Bool {
    guard let identity = importIdentity else { return false }
    return !identity.isReferenced && entityID.isNamed
  }
}

extension Fingerprint {
  fileprivate var isZero: Bool {
    changed == 0 && deleted == 0 && changedReferenced == 0 && deletedReferenced == 0
  }
}

/// The figures that identify a row, computed from its postings.
struct RowIdentity {
  /// The account; for a transfer, the source account.
  var account = AccountID.outside
  /// The destination account of a transfer.
  var target: AccountID?
  /// The sum of the category postings; for a transfer, the source account's amount.
  var units: Int128 = 0
  /// The currency of the first category posting; for a transfer, the currency of the source
  /// account's amount.
  var currency = Currency(packed: 0)

  init(_ transaction: Transaction) {
    var first: Posting?
    var second: Posting?
    for posting in transaction.postings {
      switch posting.account {
      case .account(.exchange): continue
      case .account:
        if first == nil { first = posting } else if second == nil { second = posting }
      case .category:
        if currency.packed == 0 { currency = posting.amount.currency }
        if currency == posting.amount.currency { units += Int128(posting.amount.minorUnits) }
      }
    }
    if transaction.type == .transfer, let one = first, let other = second {
      let isForward = one.amount.minorUnits <= 0
      first = isForward ? one : other
      second = isForward ? other : one
      target = second?.accountID
      units = Int128(first?.amount.minorUnits ?? 0)
      currency = first?.amount.currency ?? currency
    }
    account = first?.accountID ?? .outside
  }
}

/// The 128-bit FNV-1a hash by Fowler, Noll and Vo (draft-eastlake-fnv).
struct FNV128 {
  var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  /// The value as an id.
  var id: EntityID {
    EntityID(
      high: UInt64(truncatingIfNeeded: value >> 64), low: UInt64(truncatingIfNeeded: value))
  }

  mutating func add(_ byte: UInt8) {
    value ^= UInt128(byte)
    value &*= 0x0000_0000_0100_0000_0000_0000_0000_013b
  }

  /// Adds the lowest bytes of a number, most significant first.
  mutating func add(_ number: UInt64, byteCount: Int) {
    for index in (0..<byteCount).reversed() {
      add(UInt8(truncatingIfNeeded: number >> UInt64(8 * index)))
    }
  }

  /// Adds the folding key of a text, preceded by a space unless it is empty.
  mutating func add(text: String) {
    var short = self
    var isEmpty = true
    let isASCII = Folding.forEachASCIIKeyByte(text) { byte in
      if isEmpty { short.add(0x20) }
      isEmpty = false
      short.add(byte)
    }
    if isASCII {
      self = short
      return
    }
    let key = Folding.key(text)
    if !key.isEmpty { add(0x20) }
    for byte in key.utf8 { add(byte) }
  }

  /// Adds a byte that indicates whether there is an id, and then the id.
  mutating func add(_ id: AccountID?) {
    add(id == nil ? 0 : 1)
    if let id {
      add(id.rawValue.high, byteCount: 8)
      add(id.rawValue.low, byteCount: 8)
    }
  }
}
