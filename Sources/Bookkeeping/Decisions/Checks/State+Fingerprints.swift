import Entities

/// Fingerprints of imported rows.
///
/// A row counts toward a fingerprint by its present values, whoever entered it. A row of a file is known by its id
/// too, which follows from the fingerprint, so it may be changed; when it is deleted, a mark of that id stays. Only for
/// rows whose id does not follow from their text (those with a reference, and those of former versions) does a
/// `Fingerprint` count what has been changed or deleted.
extension BookkeepingState {
  /// 128 bits over what a row is recognised by: day, type, amount, currency, folded text, account and
  /// target account.
  ///
  /// The note of a row that comes with a format's name is left out: formats differ in what else they tell.
  /// FNV-1a of 128 bits: not cryptographic. Whoever makes two rows collide on purpose gets one of
  /// his own rows taken for a duplicate; by chance it needs some 10^19 rows.
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

  /// The id that a row of a file gets by its reference: the same for the same row, wherever and whenever
  /// it is imported.
  ///
  /// - Parameter ordinal: how many rows of the file, before this one, have the same reference, account, day
  ///   and amount.
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

  /// Adds to the counts of a fingerprint; it goes when all are zero.
  ///
  /// - Parameter identity: of the row that is counted; rows with a reference are counted apart.
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

  /// Marks the row of an id as deleted: nothing makes it again.
  mutating func mark(_ id: EntityID) throws(Refusal) {
    let stored: Stored<Fingerprint>? = try stored(id)
    if stored == nil { try emit(stored, Fingerprint(id: id, deleted: 1)) }
  }

  /// Lets the row of an id be made again.
  mutating func unmark(_ id: EntityID) throws(Refusal) {
    let stored: Stored<Fingerprint>? = try stored(id)
    if stored != nil { try emit(stored, nil) }
  }

  /// Whether the row of an id was deleted, or is not to come.
  mutating func isMarked(_ id: EntityID) throws(Refusal) -> Bool {
    try reading { try record(.fingerprint, id) } != nil
  }

  /// Keeps what an imported row was imported as when its values change.
  mutating func follow(_ old: Transaction, _ new: inout Transaction) throws(Refusal) {
    guard let identity = old.importIdentity else { return }
    let before = identity.original ?? fingerprint(of: old)
    let after = fingerprint(of: new)
    guard after == before else {
      if identity.original == nil, !old.isOfFile { try count(before, of: identity, changed: 1) }
      new.importIdentity?.original = before
      return
    }
    // It says again what it was imported as.
    if identity.original != nil, !old.isOfFile { try count(before, of: identity, changed: -1) }
    new.importIdentity?.original = nil
  }
}

extension Transaction {
  /// Whether it is the row of a file under the id that follows from what the file says.
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

/// The figures a row is recognised by, found in its postings.
struct RowIdentity {
  /// The account; of a transfer, the one it comes from.
  var account = AccountID.outside
  /// The account a transfer goes to.
  var target: AccountID?
  /// What the categories gain; of a transfer, what it moves.
  var units: Int128 = 0
  /// In which currency: that of the first category.
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

/// Fowler, Noll and Vo's hash, variant 1a, of 128 bits (draft-eastlake-fnv).
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

  /// The lowest bytes of a number, most significant first.
  mutating func add(_ number: UInt64, byteCount: Int) {
    for index in (0..<byteCount).reversed() {
      add(UInt8(truncatingIfNeeded: number >> UInt64(8 * index)))
    }
  }

  /// The key of a text, with a space before it unless it is empty.
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

  /// An id, or a mark that there is none.
  mutating func add(_ id: AccountID?) {
    add(id == nil ? 0 : 1)
    if let id {
      add(id.rawValue.high, byteCount: 8)
      add(id.rawValue.low, byteCount: 8)
    }
  }
}
