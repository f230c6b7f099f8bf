import Daybook
internal import DaybookBookkeeping

extension ImportSummary: Encodable {
  private enum Key: String, CodingKey {
    case imported, replaced, duplicates, leftOut, pendingLeftOut, mirrored, dryRun, createdAccounts
    case createdCategories, skipped, missingRates, balances, notices, statements, impliedOpenings
    case matches, unsettled, stillPending, missing, transfers, completed
  }

  /// Encodes the counts, the new accounts and categories, and the notices as sentences.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(imported, forKey: .imported)
    try container.encode(replaced, forKey: .replaced)
    try container.encode(duplicates, forKey: .duplicates)
    try container.encode(leftOut, forKey: .leftOut)
    try container.encode(pendingLeftOut, forKey: .pendingLeftOut)
    try container.encode(mirrored, forKey: .mirrored)
    try container.encode(matches, forKey: .matches)
    try container.encode(unsettled, forKey: .unsettled)
    try container.encode(stillPending.map(\.id), forKey: .stillPending)
    if completed > 0 { try container.encode(completed, forKey: .completed) }
    if !transfers.isEmpty { try container.encode(transfers, forKey: .transfers) }
    try container.encode(isDryRun, forKey: .dryRun)
    try container.encode(createdAccounts, forKey: .createdAccounts)
    try container.encode(createdCategories, forKey: .createdCategories)
    try container.encode(skipped.map { "\($0)" }, forKey: .skipped)
    try container.encode(missingRates, forKey: .missingRates)
    try container.encode(statedBalanceMismatches.map { "\($0)" }, forKey: .balances)
    try container.encode(notices.map { "\($0)" }, forKey: .notices)
    try container.encode(missing, forKey: .missing)
    try container.encode(balances, forKey: .statements)
    var openings = container.nestedContainer(keyedBy: MemberName.self, forKey: .impliedOpenings)
    for (name, opening) in impliedOpenings.sorted(by: { $0.key < $1.key }) {
      try openings.encode(opening, forKey: MemberName(stringValue: name))
    }
  }
}

extension RowMatch: Encodable {
  private enum Key: String, CodingKey {
    case line, day, amount, payee, transaction, series, due, obstacle
  }

  /// Encodes the row's values, and the ids of the transaction and the recurring transaction.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(line, forKey: .line)
    try container.encode(day, forKey: .day)
    try container.encode(amount, forKey: .amount)
    try container.encode(payee, forKey: .payee)
    try container.encodeIfPresent(transaction?.id, forKey: .transaction)
    try container.encodeIfPresent(series?.id, forKey: .series)
    try container.encodeIfPresent(due, forKey: .due)
    try container.encodeIfPresent(obstacle, forKey: .obstacle)
  }
}

extension MissingTransaction: Encodable {
  private enum Key: String, CodingKey { case id, transaction, result }

  /// Encodes the id, the result, and a description of the transaction.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(transaction.id, forKey: .id)
    try container.encode("\(self)", forKey: .transaction)
    try container.encode(result, forKey: .result)
  }
}

extension BalanceReport: Encodable {
  private enum Key: String, CodingKey {
    case account, opening, closing, difference, inLedger, pendingInLedger, missingOpening, asserted
  }

  /// Encodes the properties.
  ///
  /// The member `account` is a name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(account, forKey: .account)
    try container.encodeIfPresent(opening, forKey: .opening)
    try container.encodeIfPresent(closing, forKey: .closing)
    try container.encodeIfPresent(difference, forKey: .difference)
    try container.encodeIfPresent(inLedger, forKey: .inLedger)
    try container.encodeIfPresent(pendingInLedger, forKey: .pendingInLedger)
    try container.encodeIfPresent(missingOpening, forKey: .missingOpening)
    try container.encode(isAsserted, forKey: .asserted)
  }
}

extension StatedBalance: Encodable {
  private enum Key: String, CodingKey { case day, amount }

  /// Encodes the day and the amount.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(day, forKey: .day)
    try container.encode(amount, forKey: .amount)
  }
}
