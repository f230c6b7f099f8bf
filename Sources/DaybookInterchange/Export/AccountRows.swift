import Daybook

extension Snapshot {
  /// The number of transactions that are read at a time.
  private static var pageRowCount: Int { 500 }

  /// Calls `body` for every transaction with a posting to an account, oldest day first.
  /// - Complexity: O(*n*) time in the number of the account's transactions, and constant memory.
  func forEachTransaction(
    of account: AccountID, _ body: (Transaction) throws -> Void
  ) throws {
    let filter = TransactionFilter(account: account)
    let count = try self.count(filter)
    let size = Snapshot.pageRowCount
    var page = try transactions(filter, offset: max(count - size, 0), limit: size)
    while let newest = page.first {
      for transaction in page.reversed() { try body(transaction) }
      page = try transactions(filter, before: newest.key, limit: size)
    }
  }

  /// Returns the first and last day on which an account has transactions, or `nil` if it has none.
  func days(of account: AccountID) throws -> ClosedRange<Day>? {
    let filter = TransactionFilter(account: account)
    let count = try self.count(filter)
    guard let last = try transactions(filter, limit: 1).first?.day,
      let first = try transactions(filter, offset: max(count - 1, 0), limit: 1).first?.day
    else { return nil }
    return min(first, last)...last
  }
}

extension Transaction {
  /// Returns the change of an account's balance, summed over all postings to the account.
  func total(in account: AccountID) -> Int128 {
    postings.reduce(Int128(0)) { sum, posting in
      posting.account == .account(account) ? sum + Int128(posting.amount.minorUnits) : sum
    }
  }
}

/// Returns a text on one line and without control characters, for line- and tag-based formats.
func oneLine(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    let isBlank = scalar.value <= 0x20 || scalar.properties.isWhitespace || scalar.value == 0x7F
    if !isBlank {
      result.unicodeScalars.append(scalar)
    } else if let last = result.unicodeScalars.last, last != " " {
      result.unicodeScalars.append(" ")
    }
  }
  if result.hasSuffix(" ") { result.removeLast() }
  return result
}
