import DaybookEntities

/// The result of importing a row.
enum ImportedRow {
  /// The row was recorded as a new transaction.
  case recorded(TransactionID)
  /// The row's values were merged into an existing transaction.
  case settled
  /// The row became one half of a transfer; as a transaction, it has this id.
  case joined(TransactionID)
  /// The row was already recorded.
  case duplicate
}

/// Imported rows that represent recorded or expected transactions; see ``ImportMatch``.
extension BookkeepingState {
  /// Merges the values of a row into the transaction that it matches.
  ///
  /// - Parameters:
  ///   - read: The row as a transaction, before rules are applied.
  ///   - isKnown: Whether the row is already recorded. If so, it can settle only the transaction
  ///     that it was recognised as: a pending row with the same reference or text.
  /// - Returns: Whether the values were merged; if not, nothing has changed.
  mutating func settle(
    _ match: ImportMatch, by read: Transaction, _ mark: KnownRows.Mark, isKnown: Bool
  ) throws(Refusal) -> Bool {
    let stored: Stored<Transaction>?
    if isKnown, let id = mark.known {
      stored = try self.stored(id)
    } else {
      stored = try transaction(of: match)
    }
    guard let stored, stored.entity.isExpected, read.isBooking(of: stored.entity) else {
      return false
    }
    let old = stored.entity
    if isKnown, mark.known == nil, fingerprint(of: old) != mark.text.print { return false }
    guard var new = try settled(old, by: try ruled(read)) else { return false }
    do throws(Refusal) {
      try checkLocks(old, new)
    } catch {
      guard error.code != .state else { throw error }
      return false
    }
    try identify(&new, insteadOf: old, as: read, mark)
    try emit(stored, new)
    return true
  }

  private mutating func transaction(
    of match: ImportMatch
  ) throws(Refusal) -> Stored<Transaction>? {
    switch match {
    case .transaction(let id): return try stored(id.rawValue)
    case .occurrence(let link):
      let rows = try reading { try occurrences(of: link.series, on: link.occurrence) }
      guard let row = rows.first else { return nil }
      return try stored(row.transaction.rawValue)
    case .booked: return nil
    }
  }

  /// Makes a new transaction the occurrence of a series, if the due date has no transaction.
  ///
  /// The transaction gets the id that generating it would use, so that no device generates it
  /// again.
  ///
  /// - Returns: The id that the transaction would have had, which later imports derive for its row;
  ///   `nil` if nothing has changed.
  mutating func take(
    _ link: SeriesLink, for transaction: inout Transaction
  ) throws(Refusal) -> EntityID? {
    guard transaction.series == nil, let series: Stored<Series> = try stored(link.series.rawValue),
      series.entity.isScheduled(link.occurrence), !series.entity.isSkipped(link.occurrence),
      try reading({ try occurrences(of: link.series, on: link.occurrence) }).isEmpty
    else { return nil }
    let id = TransactionID(of: series.entity, due: link.occurrence)
    guard try reading({ try record(.transaction, id.rawValue) }) == nil,
      try !isMarked(id.rawValue)
    else { return nil }
    let template = series.entity.template
    if transaction.isOpenToRules, transaction.categorizedBy == nil, let given = template.category,
      let category = try reading({ try self.category(given) }), !category.isDeleted,
      let current = transaction.categoryTargets.first,
      try anyCategory(current).kind == category.kind
    {
      transaction.postings = SharedList(
        transaction.postings.map { posting in
          guard case .category = posting.account else { return posting }
          return Posting(.category(given), posting.amount, note: posting.note)
        })
    }
    if transaction.isOpenToRules, transaction.categorizedBy == nil,
      let postings = try divided(transaction, among: template)
    {
      transaction.postings = SharedList(postings)
      transaction.type = try type(of: postings)
    }
    transaction.details.addTags(template.tags)
    if transaction.note.isEmpty { transaction.note = template.note }
    transaction.series = link.series
    transaction.occurrence = link.occurrence
    let own = transaction.entityID
    transaction.id = id
    return own
  }

  /// The postings of a row that is divided among the parts of a series.
  ///
  /// - Returns: `nil` if the series has no parts, or they can't be recorded for the row.
  private mutating func divided(
    _ row: Transaction, among template: SeriesTemplate
  ) throws(Refusal) -> [Posting]? {
    guard !template.parts.isEmpty, let movement = row.movements.first, row.movements.count == 1,
      movement.account == template.account ?? .outside
    else { return nil }
    let isForeign = movement.amount.currency != template.amount.currency
    var split = template.split(accountAmount: nil)
    if isForeign { split.accountAmount = movement.amount.money }
    var whole = row
    do throws(Refusal) {
      whole.postings = SharedList(try postings(for: .split(split), on: row.day))
    } catch {
      guard error.code != .state else { throw error }
      return nil
    }
    return whole.movements.contains(movement)
      ? Array(whole.postings) : whole.parts(withAmountOf: row)
  }

  // MARK: Values

  /// Returns a transaction with the values of the row that settles it.
  ///
  /// - Returns: `nil` if the transaction is a transfer with a different amount, because the row
  ///   doesn't contain the other account's amount.
  private mutating func settled(
    _ old: Transaction, by row: Transaction
  ) throws(Refusal) -> Transaction? {
    var new = old
    if !old.hasOtherAccount {
      new.day = row.day
      new.valueDay = row.valueDay
    } else if row.firstAccount == old.firstAccount || row.hasOtherAccount {
      // Each account of a transfer keeps its own day.
      new.day = row.day
      if new.valueDay == new.day { new.valueDay = nil }
    } else {
      new.valueDay = row.day == old.day ? nil : row.day
    }
    new.status = row.status
    if !row.code.isEmpty { new.code = row.code }
    // The texts of an unchanged row come from the bank; all other texts were entered or changed by
    // a person.
    let isBanks =
      old.series != nil && old.importIdentity == nil
      || old.importIdentity.map { $0.original == nil } ?? false
    func text(_ old: String, _ row: String) -> String {
      isBanks ? (row.isEmpty ? old : row) : (old.isEmpty ? row : old)
    }
    new.payee = text(old.payee, row.payee)
    if isBanks ? !row.payee.isEmpty : old.payee.isEmpty { new.statedPayee = row.statedPayee }
    new.description = text(old.description, row.description)
    new.note = text(old.note, row.note)
    new.details.addTags(row.tags)
    let movements = old.movements
    let keepsAmounts = row.movements.allSatisfy { movements.contains($0) }
    if !keepsAmounts, old.type == .transfer, row.type != .transfer { return nil }
    if !keepsAmounts, old.series != nil, let postings = old.parts(withAmountOf: row) {
      new.postings = SharedList(postings)
      return new
    }
    // Keep a category chosen by a person, and parts entered by a person if they still add up.
    let isChosen = !old.isOpenToRules
    if isChosen || row.categoryTargets.allSatisfy(\.isBuiltin) {
      if keepsAmounts { return new }
      new.postings = SharedList(
        row.postings(categorizedAs: old.categoryTargets).keepingNotes(of: old.postings))
      if old.categoryTargets.count > 1 { new.categorizedBy = nil }
    } else {
      new.postings = SharedList(Array(row.postings).keepingNotes(of: old.postings))
      new.categorizedBy = row.categorizedBy
    }
    new.type = try type(of: Array(new.postings))
    return new
  }

  /// Makes later imports recognise a settled transaction both as the row that settled it and as its
  /// original row.
  private mutating func identify(
    _ new: inout Transaction, insteadOf old: Transaction, as read: Transaction,
    _ mark: KnownRows.Mark
  ) throws(Refusal) {
    if let before = old.importIdentity, before.original == nil, !old.isOfFile {
      try count(fingerprint(of: old), of: before, changed: 1)
    }
    let identity = ImportIdentity(reference: read.importIdentity?.reference ?? "")
    new.importIdentity = identity
    if fingerprint(of: new) != mark.text.print {
      if !new.isOfFile { try count(mark.text.print, of: identity, changed: 1) }
      new.importIdentity?.original = mark.text.print
    }
    if let id = mark.id {
      if id != new.entityID { try self.mark(id, as: new.id) }
    } else if new.isOfFile, let key = mark.key, key != new.id {
      try self.mark(key.rawValue, as: new.id)
    }
  }
}

extension Transaction {
  /// Whether a bank's row can settle the transaction: it is pending, or was generated and not
  /// imported yet.
  fileprivate var isExpected: Bool {
    details.status == .pending
      || details.status == .cleared && series != nil && importIdentity == nil
  }

  /// Whether the transaction changes an account of another transaction in the same direction.
  fileprivate func isBooking(of other: Transaction) -> Bool {
    let theirs = other.movements
    return movements.contains { mine in
      theirs.contains {
        $0.account == mine.account && $0.amount.currency == mine.amount.currency
          && ($0.amount.units < 0) == (mine.amount.units < 0)
      }
    }
  }

  /// The postings of a split with the amount that a row has on its account; the largest part takes
  /// the difference.
  ///
  /// - Returns: `nil` if the transaction isn't a split on the row's account in its currency, or if
  ///   the largest part would change its direction.
  fileprivate func parts(withAmountOf row: Transaction) -> [Posting]? {
    guard let movement = row.movements.first, row.movements.count == 1, postings.count > 2,
      let own = postings.first, own.account == .account(movement.account),
      postings.allSatisfy({ $0.amount.currency == movement.amount.currency }),
      !postings.dropFirst().contains(where: { $0.account == own.account })
    else { return nil }
    var divided = Array(postings)
    var largest = 1
    for index in divided.indices.dropFirst()
    where divided[index].amount.minorUnits.magnitude > divided[largest].amount.minorUnits.magnitude
    { largest = index }
    let difference = movement.amount.units - Int128(own.amount.minorUnits)
    let part = divided[largest].amount
    let units = Int128(part.minorUnits) - difference
    guard let amount = Int64(exactly: units), let total = movement.amount.money,
      amount == 0 || (amount < 0) == (part.minorUnits < 0)
    else { return nil }
    divided[0].amount = total
    divided[largest].amount = Money(amount, part.currency)
    return divided
  }

  /// The postings with another category, if both transactions have exactly one.
  fileprivate func postings(categorizedAs categories: [CategoryID]) -> [Posting] {
    guard let category = categories.first, categories.count == 1, categoryTargets.count == 1 else {
      return Array(postings)
    }
    return postings.map { posting in
      guard case .category = posting.account else { return posting }
      return Posting(.category(category), posting.amount, note: posting.note)
    }
  }
}

extension TransactionDetails {
  /// Adds the tags that are missing, up to the limit.
  mutating func addTags(_ more: [String]) {
    for tag in more where !tags.contains(tag) && tags.count < Limits.tagCountMax {
      tags.append(tag)
    }
  }

  /// Adds the attachments that are missing, up to the limit.
  mutating func addAttachments(_ more: [Attachment]) {
    for file in more where !attachments.contains(file) {
      if attachments.count < Limits.attachmentCountMax { attachments.append(file) }
    }
  }
}
