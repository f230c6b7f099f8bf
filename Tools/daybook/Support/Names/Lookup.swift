import Daybook
import DaybookTerminal

/// Lookups of accounts, categories, transactions and currencies by the text that the user typed.
///
/// Failures suggest similar names or list the existing names.
enum Lookup {
  /// Finds a currency by its code, ignoring case.
  static func currency(_ code: String, in snapshot: borrowing Snapshot) throws -> Currency {
    if let currency = try snapshot.currency(code.uppercased()) { return currency }
    throw CommandFailure.notFound(
      "“\(code)” isn't a currency of this ledger.",
      remedy: "Use an ISO 4217 code such as EUR, or a currency defined in this ledger.")
  }

  /// Finds an account by its id or its name, ignoring case.
  ///
  /// - Parameter includingDeleted: Whether to fall back to a deleted account whose transactions
  ///   were kept. Such an account can be queried, but accepts no transactions.
  /// - Throws: `CommandFailure` if no account or several accounts match.
  static func account(
    _ text: String, includingDeleted: Bool = false, in snapshot: borrowing Snapshot
  ) throws -> Account {
    if let account = try named(text, in: snapshot) { return account }
    if let found = try kept(text, in: snapshot) {
      if includingDeleted || !found.isDeleted { return found }
      throw CommandFailure.notFound(
        "The account “\(found.name)” was deleted.",
        remedy: "Name another account. To restore it, run `daybook undelete \(found.id)`; to "
          + "create a new one of this name, run `daybook accounts create "
          + "\(found.name.asArgument)`.")
    }
    let names = try snapshot.accounts().map(\.name)
    throw CommandFailure.notFound(
      "Couldn't find the account “\(text)”.",
      remedy: Suggestion.sentence(
        for: text, among: names, list: "daybook accounts list",
        create: "daybook accounts create"))
  }

  /// Returns the account with a name, except deleted ones, or `nil` if there is none.
  ///
  /// - Throws: `CommandFailure` if several accounts have the name, which happens when two devices
  ///   each create one.
  private static func named(_ text: String, in snapshot: borrowing Snapshot) throws -> Account? {
    let wanted = Folding.key(text)
    let found = try snapshot.accounts().filter { Folding.key($0.name) == wanted }
    guard found.count > 1 else { return found.first }
    let ids = found.map { "\($0.id)" }
    let listed = try found.map { account in
      let balance = try snapshot.balance(of: account.id, on: .max)
      return "\(account.id) with a balance of \(Figures.withCode(balance))"
    }
    throw CommandFailure.notFound(
      "“\(found[0].name)” is ambiguous: \(found.count) accounts have this name: "
        + "\(listed.joined(separator: ", ")).",
      remedy: "Use one of the ids; `daybook sync findings` shows the device that created each. If "
        + "they are the same account, merge them with `daybook accounts merge \(ids[1]) "
        + "\(ids[0])`.")
  }

  /// Returns the account with an id, deleted or not, or the last deleted account with a name.
  private static func kept(_ text: String, in snapshot: borrowing Snapshot) throws -> Account? {
    if let id = EntityID(text), let account = try snapshot.account(AccountID(rawValue: id)) {
      return account
    }
    let wanted = Folding.key(text)
    return try snapshot.accounts(includingDeleted: true)
      .last { try $0.isDeleted && Folding.key($0.name) == wanted && snapshot.isKept($0) }
  }

  /// Returns the single element of `found`.
  ///
  /// - Parameters:
  ///   - found: The objects that match the text.
  ///   - names: The names of all objects of this kind, for suggestions.
  ///   - list: The command that lists the objects.
  ///   - create: The command that creates an object.
  /// - Throws: `CommandFailure` if `found` is empty or has several elements.
  static func only<Thing>(
    of found: [Thing], called text: String, _ sort: (one: String, several: String),
    among names: [String], list: String, create: String
  ) throws -> Thing {
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      throw CommandFailure.notFound(
        "“\(text)” is ambiguous: \(found.count) \(sort.several) have this name.",
        remedy: "Use the id, shown by `\(list) --json`.")
    }
    throw CommandFailure.notFound(
      "Couldn't find the \(sort.one) “\(text)”.",
      remedy: Suggestion.sentence(for: text, among: names, list: list, create: create))
  }

  /// Finds a transaction by its id or by its place, such as `2026-02-14#123`.
  static func transaction(_ text: String, in snapshot: borrowing Snapshot) throws -> Transaction {
    if let id = EntityID(text),
      let transaction = try snapshot.transaction(TransactionID(rawValue: id))
    {
      return transaction
    }
    if let key = key(text) {
      let after = TransactionPosition(day: key.day, number: key.number + 1)
      let found = try snapshot.transactions(.all, after: after, limit: 1).first
      let row = found?.key == key ? found : nil
      try checkFormer(key, row, in: snapshot)
      if let row { return row }
    }
    throw CommandFailure.notFound(
      "Couldn't find the transaction “\(text)”.",
      remedy: "Use its id, or its place (day and number), such as 2026-02-14#123; `daybook list` "
        + "shows places.")
  }

  /// Throws if another transaction had the place on this device before a sync renumbered it.
  private static func checkFormer(
    _ place: TransactionPosition, _ row: Transaction?, in snapshot: borrowing Snapshot
  ) throws {
    let former = try snapshot.formerTransactions(at: place)
    guard let first = former.first else { return }
    let names = try Names(snapshot)
    let text = "\(place.day)#\(place.number)"
    let moved = try former.map { id in
      guard let row = try snapshot.transaction(id) else {
        return "\(id) was there, and was deleted"
      }
      return "\(ChangeText.text(of: row, names)) was there, id \(id)"
    }
    let now = row.map { ["\(ChangeText.text(of: $0, names)) is there now, id \($0.id)"] } ?? []
    throw CommandFailure(
      .refused, code: "renumbered",
      "The place \(text) is ambiguous: it belonged to another transaction before a sync.",
      remedy: "Use the id, such as \(row?.id ?? first). `daybook list` shows current places.",
      details: moved + now)
  }

  /// Parses a place such as `2026-02-14#123`.
  static func key(_ text: String) -> TransactionPosition? {
    let parts = text.split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 2, let day = Day(parts[0]), let number = UInt64(parts[1]),
      number < .max
    else { return nil }
    return TransactionPosition(day: day, number: number)
  }
}

extension Lookup {
  /// Finds an entity kind by its name.
  static func kind(_ name: String) throws -> EntityKind {
    let kinds = KindDescription.all
    if let found = kinds.first(where: { $0.name == name.lowercased() }) { return found.kind }
    throw CommandFailure.notFound(
      "Unknown kind “\(name)”.", remedy: "Use one of \(kinds.map(\.name).joined(separator: ", ")).")
  }

  /// Returns the id of any entity, given as an id, a transaction's place, or an account's or
  /// category's name.
  ///
  /// Ids of deleted entities are accepted.
  static func entity(_ text: String, in snapshot: borrowing Snapshot) throws -> EntityID {
    if let id = EntityID(text) { return id }
    if key(text) != nil { return try transaction(text, in: snapshot).id.rawValue }
    if let account = try named(text, in: snapshot) { return account.id.rawValue }
    return try category(text, in: snapshot).id.rawValue
  }
}
