import Recurring

/// The rules that hold for what a ledger keeps, whatever led there: double entry, and that what is named
/// is there.
///
/// Decisions see to them when something is recorded; verification holds the entities themselves against
/// them, so it also finds what came in by another way.
struct Invariants: ~Copyable {
  private let snapshot: Snapshot
  private let directory: Directory
  /// Which entities are looked at; all where `nil`.
  private let sample: VerificationSample?
  private let deadline: Deadline
  private var checked: UInt64 = 0
  private var total: UInt64 = 0
  private var isCutShort = false
  private(set) var fault: Fault?

  /// The first entity that breaks a rule.
  struct Fault {
    let kind: EntityKind
    let entity: EntityID
    let message: String
  }

  init(
    _ snapshot: consuming Snapshot, _ sample: VerificationSample? = nil, until deadline: Deadline
  ) throws {
    // Not the directory that queries keep: what is checked is not trusted.
    directory = try Directory(snapshot)
    self.snapshot = snapshot
    self.sample = sample
    self.deadline = deadline
  }

  /// How much was looked at.
  var coverage: VerificationCoverage {
    VerificationCoverage(.rules, checked: checked, of: total, isCutShort: isCutShort)
  }

  /// Looks at the entities until one breaks a rule.
  mutating func run() throws {
    for kind in [EntityKind.category, .series, .assertion, .transaction] {
      var found: Fault?
      try snapshot.view.forEachEntity(kind) { _, id, record in
        total += 1
        guard sample?.takes(kind, id) ?? true, !isCutShort else { return true }
        checked += 1
        if let message = message(kind, id, record) {
          found = Fault(kind: kind, entity: id, message: message)
        }
        if checked & 0xff == 0 { isCutShort = deadline.isOver }
        return found == nil
      }
      fault = found
      if fault != nil { return }
    }
  }

  private func message(_ kind: EntityKind, _ id: EntityID, _ record: RawSpan) -> String? {
    do {
      switch kind {
      case .transaction: return try transaction(record)
      case .category: return try category(CategoryID(id))
      case .series: return try template(Series(record, id: id, number: 0).template)
      case .assertion:
        let account = try BalanceAssertion(record, id: id, number: 0).account
        return isThere(account) ? nil : "is about an account that is not there (\(account))"
      default: return nil
      }
    } catch {
      return "cannot be read: \(error)"
    }
  }

  private func transaction(_ record: RawSpan) throws -> String? {
    var sums: [Currency: Int128] = [:]
    var missing: EntityID?
    try TransactionFigures(record).forEachPosting { code, id, units, currency in
      sums[currency, default: 0] += Int128(units)
      switch code {
      case .account: if directory.accountsByID[AccountID(id)] == nil { missing = id }
      case .category: if directory.tree.byID[CategoryID(id)] == nil { missing = id }
      default: break
      }
    }
    if sums.isEmpty { return "has no postings" }
    if let missing { return "names an account or category that is not there (\(missing))" }
    if let (currency, sum) = sums.first(where: { $0.value != 0 }) {
      return "does not balance: its postings in \(currency.code) come to \(sum) instead of 0"
    }
    guard let place = try Recurring.place(of: Record(bytes: record.copied())) else { return nil }
    return try snapshot.view.entity(.series, place.series.rawValue) == nil
      ? "belongs to a series that is not there (\(place.series))" : nil
  }

  private func category(_ id: CategoryID) throws -> String? {
    var seen: Set<CategoryID> = [id]
    var current = directory.tree.byID[id]
    while let category = current, let parent = category.parent {
      guard let above = directory.tree.byID[parent] else {
        return "has a parent that is not there (\(parent))"
      }
      guard above.kind == category.kind else { return "is of another kind than its parent" }
      guard seen.insert(parent).inserted else { return "is its own ancestor" }
      current = above
    }
    return nil
  }

  private func template(_ template: SeriesTemplate) throws -> String? {
    for account in [template.account, template.otherAccount] {
      if let account, !isThere(account) { return "names an account that is not there (\(account))" }
    }
    if let category = template.category, directory.tree.byID[category] == nil {
      return "names a category that is not there (\(category))"
    }
    return nil
  }

  private func isThere(_ account: AccountID) -> Bool {
    account.isBuiltin || directory.accountsByID[account] != nil
  }
}
