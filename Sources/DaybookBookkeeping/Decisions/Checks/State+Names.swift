package import DaybookEntities

extension BookkeepingState {
  /// The name of an account in messages.
  mutating func name(_ id: AccountID) -> String {
    if let builtin = Account.builtinName(id) { return builtin }
    guard let account = try? account(id) else { return "account \(id)" }
    return "account “\(account.name)”"
  }

  /// The name of a category in messages.
  mutating func name(_ id: CategoryID) -> String {
    guard let category = Category.builtin(id) ?? (try? category(id)) else {
      return "category \(id)"
    }
    return "\(category.kind) category “\(category.name)”"
  }

  /// The name of an account or category in messages.
  mutating func name(_ account: PostingAccount) -> String {
    switch account {
    case .account(let id): name(id)
    case .category(let id): name(id)
    }
  }
}

extension BookkeepingState {
  /// The name of a changed entity in messages.
  ///
  /// If State no longer contains the entity, its name is taken from the change.
  mutating func title(of change: JournalChange) -> String {
    switch change.kind {
    case .account where (try? account(AccountID(change.id))) != nil:
      return name(AccountID(change.id))
    case .category where (try? category(CategoryID(change.id))) != nil:
      return name(CategoryID(change.id))
    default: break
    }
    let present = try? record(change.kind, change.id)
    guard let record = present?.record ?? change.wholeRecord else {
      return "the changed \(change.kind.noun)"
    }
    let number = present?.number ?? change.number
    return change.kind.title(of: record, change.id, number) ?? "the changed \(change.kind.noun)"
  }
}

extension EntityKind {
  /// The name of an entity of this kind in messages, or `nil` if it has none.
  func title(of record: Record, _ id: EntityID, _ number: UInt64) -> String? {
    switch self {
    case .settings: return "the settings"
    case .transaction:
      return (try? Transaction(record: record, id: id, number: number))?.title
    case .rate:
      let rate = try? ExchangeRate(record: record, id: id, number: number)
      return rate.map { "the exchange rate \($0.base)/\($0.quoted) of \($0.day)" }
    case .assertion:
      let stated = try? BalanceAssertion(record: record, id: id, number: number)
      return stated.map { "the stated balance of \($0.day)" }
    case .allocation:
      let given = try? Allocation(record: record, id: id, number: number)
      return given.map {
        $0.isAssignment
          ? "the \($0.amount) assigned in \($0.month)" : "the move of \($0.amount) in \($0.month)"
      }
    case .terms: return "the interest terms"
    case .currency:
      let definition = try? CurrencyDefinition(record: record, id: id, number: number)
      return definition.map { "the currency \($0.currency)" }
    default:
      guard let tag = KindDescription.of(self)?.nameTag, let name = record[tag] else { return nil }
      return "the \(noun) “\(String(decoding: name, as: UTF8.self).excerpt)”"
    }
  }
}

extension JournalChange {
  /// The name of the entity that the change deleted, in messages.
  package var titleOfDeleted: String? {
    guard operation == .delete, let wholeRecord else { return nil }
    return kind.title(of: wholeRecord, id, number)
  }
}

extension Transaction {
  /// The name of the transaction in messages.
  var title: String {
    let text = [details.payee, details.description, details.note].first { !$0.isEmpty }
      .map { "“\($0.excerpt)”" }
    // A transaction that isn't recorded yet has no number.
    if number == 0 { return "the transaction \(text.map { "\($0) " } ?? "")of \(day)" }
    return "the transaction \(day)#\(number)" + (text.map { ", \($0)" } ?? "")
  }
}
