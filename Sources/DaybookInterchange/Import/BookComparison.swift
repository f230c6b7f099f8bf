import Daybook

/// A comparison of the transactions of books with the transactions recorded by earlier imports of
/// these books.
///
/// The reference of an imported transaction contains its id in the program, the identity of the
/// books, and a digest of its contents in the books: `gnucash:ID/BOOKS/DIGEST`. In journals,
/// transactions have no ids: `journal/BOOKS/DIGEST:`. The colon at the end indicates that the row
/// has no id, so the ledger also recognises it by its text.
struct BookComparison {
  /// A transaction of an earlier import.
  struct Recorded {
    var id: TransactionID
    var day: Day
    var isReconciled: Bool
    fileprivate var digest: UInt64
    fileprivate var isOfTheseBooks: Bool
  }

  /// The result of looking for a transaction.
  enum Finding {
    case new
    case known
    /// The transaction's contents have changed since its last import.
    case edited(Recorded)
  }

  private struct Place: Hashable {
    var kind: CategoryKind
    var path: CategoryPath
  }

  private struct Entry {
    var rows: [Recorded] = []
    var isSeen = false
  }

  private let isJournal: Bool
  /// The identity of the books in references; `nil` if the books have none.
  private let source: String?
  private let beginning: String
  private var accounts: [String: UInt64] = [:]
  private var categories: [Place: UInt64] = [:]
  private var entries: [EntityID: Entry] = [:]

  /// Reads the transactions of earlier imports.
  ///
  /// - Parameter path: The journal's path. A journal is identified by its file name.
  /// - Complexity: O(*n*) in the number of the ledger's transactions.
  init(_ books: Books, path: String?, in snapshot: borrowing Snapshot) throws {
    isJournal = books.program == "journal"
    var identity = books.id
    if isJournal, let path, path != RawFile.standardInputName {
      identity = String(path.split(separator: "/").last ?? "")
    }
    source =
      identity.isEmpty
      ? nil : String(UInt32(truncatingIfNeeded: ContentHash([identity]).number), radix: 32)
    beginning = isJournal ? "journal/\(source ?? "")/" : books.program + ":"
    for account in books.accounts {
      accounts[account.name] =
        ContentHash([account.identity.isEmpty ? account.name : account.identity]).number
    }
    for category in books.categories where !category.identity.isEmpty {
      categories[Place(kind: category.kind, path: category.path)] =
        ContentHash([category.identity]).number
    }
    guard !isJournal || source != nil else { return }
    try snapshot.forEach(Transaction.self) { transaction in
      guard let reference = transaction.importIdentity?.reference,
        reference.hasPrefix(beginning), let (key, books, digest) = parts(of: reference)
      else { return }
      entries[key, default: Entry()].rows.append(
        Recorded(
          id: transaction.id, day: transaction.day,
          isReconciled: transaction.status == .reconciled, digest: digest,
          isOfTheseBooks: books == source.map { $0[...] }))
    }
  }

  /// Returns the key, books and digest of a reference created by ``reference(of:_:)``.
  private func parts(of reference: String) -> (EntityID, Substring, UInt64)? {
    let text = isJournal ? reference.dropLast() : reference[...]
    guard let end = text.lastIndex(of: "/"),
      let digest = UInt64(text[text.index(after: end)...], radix: 32),
      let start = text[..<end].lastIndex(of: "/")
    else { return nil }
    return (
      key(String(text[..<start]), digest), text[text.index(after: start)..<end], digest
    )
  }

  private func key(_ reference: String, _ digest: UInt64) -> EntityID {
    isJournal ? EntityID(high: digest, low: 0) : ContentHash([reference]).id
  }

  /// Finds the earlier import of a transaction, and sets the transaction's reference.
  mutating func take(_ transaction: inout BookTransaction) -> Finding {
    guard isJournal ? source != nil : !transaction.reference.isEmpty else { return .new }
    let digest = digest(of: transaction)
    let key = key(transaction.reference, digest)
    let end = String(digest, radix: 32)
    transaction.reference =
      isJournal
      ? beginning + end + ":" : "\(transaction.reference)/\(source ?? "-")/\(end)"
    guard let place = entries.index(forKey: key) else { return .new }
    entries.values[place].isSeen = true
    if let index = entries.values[place].rows.firstIndex(where: { $0.digest == digest }) {
      entries.values[place].rows.remove(at: index)
      return .known
    }
    guard !entries.values[place].rows.isEmpty else { return .new }
    return .edited(entries.values[place].rows.removeFirst())
  }

  /// The transactions of earlier imports that haven't been found in the books, by day.
  var missing: [Recorded] {
    // A transaction that was recorded again with `keepsDuplicates` has the id of a found
    // transaction.
    entries.values.filter { isJournal || !$0.isSeen }.flatMap(\.rows).filter(\.isOfTheseBooks)
      .sorted { ($0.day, $0.id.rawValue.high) < ($1.day, $1.id.rawValue.high) }
  }

  private func digest(of transaction: BookTransaction) -> UInt64 {
    var hash = ContentHash()
    hash.add(UInt64(bitPattern: Int64(transaction.day.rawValue)))
    hash.add(UInt64(bitPattern: Int64((transaction.valueDay ?? transaction.day).rawValue)))
    hash.add(UInt64(transaction.status.rawValue))
    hash.add(transaction.code)
    hash.add(transaction.description)
    hash.add(transaction.payee)
    hash.add(transaction.note)
    for tag in transaction.tags { hash.add(tag) }
    for posting in transaction.postings {
      add(posting.place, to: &hash)
      hash.add(UInt64(bitPattern: posting.amount.minorUnits))
      hash.add(posting.amount.currency.packed)
      hash.add(posting.note)
    }
    return hash.number
  }

  private func add(_ place: BookPosting.Place, to hash: inout ContentHash) {
    switch place {
    case .account(let name):
      hash.add(1 as UInt64)
      hash.add(accounts[name] ?? 0)
    case .category(let path, let kind):
      hash.add(kind == .income ? 2 : 3 as UInt64)
      if let identity = categories[Place(kind: kind, path: path)] {
        hash.add(identity)
      } else {
        for name in path.names { hash.add(name) }
      }
    case .exchange: hash.add(4 as UInt64)
    case .opening: hash.add(5 as UInt64)
    case .outside: hash.add(6 as UInt64)
    }
  }
}
