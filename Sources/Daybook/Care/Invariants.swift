internal import DaybookEngine
import DaybookProjections

/// Checks the rules that all stored entities must obey, namely double entry and no dangling
/// references.
///
/// Decisions check the rules when a change is recorded. Verification checks the stored entities, so
/// it also finds violations that decisions didn't prevent.
struct Invariants: ~Copyable {
  private let snapshot: Snapshot
  private let rules: EntityRules
  private(set) var fault: Fault?

  /// The first entity that breaks a rule, and the rule.
  struct Fault {
    let kind: EntityKind
    let entity: EntityID
    let message: String
  }

  /// Creates the check.
  ///
  /// - Parameter isShared: Whether other devices record in the ledger. If so, a transaction may
  ///   refer to a series that another device has removed, and then counts as a transaction without
  ///   a series.
  init(
    _ snapshot: consuming Snapshot, isShared: Bool = false
  ) throws {
    rules = try EntityRules(snapshot, isShared: isShared)
    self.snapshot = snapshot
  }

  /// Checks the entities until one breaks a rule.
  mutating func run() throws {
    var rules = rules
    for kind in [EntityKind.category, .series, .assertion, .mapping, .terms, .transaction] {
      var found: Fault?
      try snapshot.view.forEachEntity(kind) { _, id, record in
        if let message = rules.message(kind, id, record) {
          found = Fault(kind: kind, entity: id, message: message)
        }
        return found == nil
      }
      fault = found
      if fault != nil { return }
    }
  }
}

/// The rules for a single entity, given the entities that exist.
private struct EntityRules {
  private let chart: ChartOfAccounts
  /// The existing series, or `nil` if transactions may refer to a missing series.
  private let series: Set<EntityID>?
  /// Recently found accounts and categories, in hash tables in which a new entry overwrites one
  /// with the same hash.
  private var seenAccounts = [EntityID?](repeating: nil, count: 1 << 10)
  private var seenCategories = [EntityID?](repeating: nil, count: 1 << 10)

  init(_ snapshot: borrowing Snapshot, isShared: Bool) throws {
    // Build a new chart instead of using the cached one, because data under verification can't be
    // trusted.
    chart = try ChartOfAccounts(snapshot)
    if isShared {
      series = nil
      return
    }
    var series: Set<EntityID> = []
    for kind in [EntityKind.series, .terms] {
      try snapshot.view.forEachEntity(kind) { _, id, _ in
        series.insert(id)
        return true
      }
    }
    self.series = series
  }

  /// Describes a violation in a phrase that follows the entity's name; `nil` if there is none.
  mutating func message(
    _ kind: EntityKind, _ id: EntityID, _ record: RawSpan
  ) -> String? {
    do {
      switch kind {
      case .transaction: return try transaction(record)
      case .category: return try category(CategoryID(id))
      case .series: return try template(Series(record, id: id, number: 0).template)
      case .assertion:
        let account = try BalanceAssertion(record, id: id, number: 0).account
        return isThere(account) ? nil : "refers to a missing account (\(account))"
      case .terms:
        let terms = try AccountTerms(record, id: id, number: 0)
        if let category = terms.category, chart.tree[category] == nil {
          return "refers to a missing category (\(category))"
        }
        return isThere(terms.account) ? nil : "refers to a missing account (\(terms.account))"
      case .mapping:
        guard let account = try SavedMapping(record, id: id, number: 0).account,
          !isThere(account)
        else { return nil }
        return "refers to a missing account (\(account))"
      default: return nil
      }
    } catch {
      return "can't be read: \(error)"
    }
  }

  private mutating func transaction(_ record: RawSpan) throws -> String? {
    // Almost every transaction has postings in only one currency.
    var (currency, sum): (Currency?, Int128) = (nil, 0)
    var others: [Currency: Int128] = [:]
    var missing: EntityID?
    var cursor = PostingCursor(try TransactionFigures(record).postings)
    while try cursor.advance() {
      if currency == nil { currency = cursor.currency }
      if cursor.currency == currency {
        sum += Int128(cursor.units)
      } else {
        others[cursor.currency, default: 0] += Int128(cursor.units)
      }
      if !isThere(cursor.id, cursor.code) { missing = cursor.id }
    }
    guard let currency else { return "has no postings" }
    if let missing { return "refers to a missing account or category (\(missing))" }
    others[currency] = sum == 0 ? nil : sum
    if let (currency, sum) = others.first(where: { $0.value != 0 }) {
      return "doesn't balance: its postings in \(currency.code) add up to \(sum) instead of 0"
    }
    guard let series, let place = try Recurring.place(of: record) else { return nil }
    return !series.contains(place.series.rawValue)
      ? "belongs to a missing recurring transaction (\(place.series))" : nil
  }

  /// Returns whether the account or category of a posting exists.
  private mutating func isThere(_ id: EntityID, _ code: PostingAccountCode) -> Bool {
    // Most transactions use the same accounts and categories as the transactions before them.
    let mixed = (id.low ^ id.high) &* 0x9E37_79B9_7F4A_7C15
    let place = Int(truncatingIfNeeded: mixed >> 54)
    switch code {
    case .account:
      if seenAccounts[place] == id { return true }
      guard chart.accountsByID[AccountID(id)] != nil else { return false }
      seenAccounts[place] = id
    case .category:
      if seenCategories[place] == id { return true }
      guard chart.tree[CategoryID(id)] != nil else { return false }
      seenCategories[place] = id
    default: break
    }
    return true
  }

  private func category(_ id: CategoryID) throws -> String? {
    var seen: Set<CategoryID> = [id]
    var current = chart.tree[id]
    while let category = current, let parent = category.parent {
      guard let above = chart.tree[parent] else {
        return "has a missing parent (\(parent))"
      }
      guard above.kind == category.kind else { return "has a different kind from its parent" }
      guard seen.insert(parent).inserted else { return "is its own ancestor" }
      current = above
    }
    return nil
  }

  private func template(_ template: SeriesTemplate) throws -> String? {
    for account in template.accounts where !isThere(account) {
      return "refers to a missing account (\(account))"
    }
    if template.movesWithinAccount { return "is a transfer from an account to itself" }
    for category in template.categories where chart.tree[category] == nil {
      return "refers to a missing category (\(category))"
    }
    return nil
  }

  private func isThere(_ account: AccountID) -> Bool {
    account.isBuiltin || chart.accountsByID[account] != nil
  }
}
