package import DaybookEntities

extension SeriesTemplate {
  /// The accounts that the template names, including those to which parts go.
  public var accounts: [AccountID] {
    [account, otherAccount].compactMap(\.self) + parts.compactMap(\.account)
  }

  /// The categories that the template and its parts name.
  public var categories: [CategoryID] {
    [category].compactMap(\.self) + parts.compactMap(\.category)
  }

  /// Whether an occurrence moves money from an account to the same account.
  package var movesWithinAccount: Bool {
    type == .transfer && account == otherAccount
      || parts.contains { $0.account.map { $0 == account ?? .outside } ?? false }
  }

  /// What an occurrence adds to each category: a positive amount is spent in an expense category.
  package var categoryAmounts: [(category: CategoryID, amount: Total)] {
    if type == .transfer { return [] }
    let isIncome = type == .income
    let standard = isIncome ? CategoryID.uncategorizedIncome : .uncategorizedExpense
    guard !parts.isEmpty else {
      let units = Int128(amount.minorUnits)
      return [
        (category ?? standard, Total(units: isIncome ? -units : units, currency: amount.currency))
      ]
    }
    return parts.filter { $0.account == nil }.map { part in
      let units = Int128(part.amount.minorUnits)
      return (
        part.category ?? standard,
        Total(units: part.isReversed ? -units : units, currency: part.amount.currency)
      )
    }
  }

  /// What an occurrence adds to the accounts to which parts go.
  package var partMovements: [(account: AccountID, amount: Money)] {
    parts.compactMap { part in
      part.account.map {
        ($0, part.isReversed ? part.amount.opposite : part.amount)
      }
    }
  }

  /// The split that an occurrence records.
  ///
  /// - Parameter accountAmount: The positive amount in the account's currency, if that differs.
  func split(accountAmount: Money?) -> Draft.Split {
    let isIncome = type == .income
    return Draft.Split(
      account: account, kind: isIncome ? .income : .expense, parts: parts,
      accountAmount: accountAmount.map {
        isIncome ? $0 : $0.opposite
      })
  }

  /// Names another account instead of an account.
  mutating func replace(_ id: AccountID, by other: AccountID) {
    if account == id { account = other }
    if otherAccount == id { otherAccount = other }
    for index in parts.indices where parts[index].account == id { parts[index].account = other }
  }

  /// Names another category instead of a category.
  mutating func replace(_ id: CategoryID, by other: CategoryID) {
    if category == id { category = other }
    for index in parts.indices where parts[index].category == id { parts[index].category = other }
  }

  /// The notes of the parts, each with the index of its part.
  var partNotes: [PostingNote] {
    parts.enumerated().filter { !$0.element.note.isEmpty }
      .map { PostingNote(posting: UInt64($0.offset), note: $0.element.note) }
  }
}

/// The coding of a split's part without its note.
///
/// One byte (bit 0: a category, bit 1: an account, bit 2: reversed), an id if bit 0 or 1 is set, and
/// the amount.
extension Draft.Part: ListElement {
  package func write(to writer: inout ByteWriter) {
    let id = category?.rawValue ?? account?.rawValue
    writer.u8((category != nil ? 1 : account != nil ? 2 : 0) | (isReversed ? 4 : 0))
    if let id { writer.id(id) }
    writer.money(amount)
  }

  @_lifetime(reader: copy reader)
  package init(from reader: inout ByteReader) throws(DecodingFault) {
    let bits = try reader.u8()
    guard bits < 8, bits & 3 != 3 else { throw .invalidValue("part") }
    let id = bits & 3 == 0 ? nil : try reader.id()
    self.init(
      try reader.money(), bits & 1 == 1 ? id.map { CategoryID($0) } : nil,
      isReversed: bits & 4 != 0)
    if bits & 2 == 2 { account = id.map { AccountID($0) } }
  }

  /// Shows the parts as postings; a part in the other direction is negative.
  package static func shown(_ list: [Draft.Part]) -> PropertyValue? {
    .postings(
      list.map { part in
        Posting(
          part.account.map { .account($0) } ?? .category(part.category ?? .uncategorizedExpense),
          part.isReversed ? part.amount.opposite : part.amount)
      })
  }
}

extension Money {
  /// The amount with the other sign; damaged records can contain the lowest amount, which has none.
  fileprivate var opposite: Money { Money(0 &- minorUnits, currency) }
}
