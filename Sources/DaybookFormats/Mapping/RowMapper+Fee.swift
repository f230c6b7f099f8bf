import DaybookBookkeeping

/// A sum whose columns have been found in the file.
struct BoundSum {
  struct Term {
    var isNegative: Bool
    var columns: [RowMapper.Column]
  }
  var terms: [Term]
}

/// The fee of a mapping, bound to the columns of a file.
struct BoundFee {
  var amount: BoundSum
  var category: [[RowMapper.Part]]
  var isInverted: Bool
  var isIncluded: Bool
}

extension RowMapper {
  /// Returns the sum of the columns, or `nil` if all of them are blank.
  func sum(
    _ sum: BoundSum, _ currency: Currency, _ record: borrowing CSVRecord,
    in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> Int64? {
    var total: Int64?
    for term in sum.terms {
      guard let column = first(term.columns, record, in: bytes),
        let units = try amount(column, currency, record, in: bytes)
      else { continue }
      let (next, isOver) =
        term.isNegative
        ? (total ?? 0).subtractingReportingOverflow(units)
        : (total ?? 0).addingReportingOverflow(units)
      if isOver { throw overflow(column, currency, record, in: bytes) }
      total = next
    }
    return total
  }

  private func first(
    _ columns: [Column], _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) -> Column? {
    for column in columns where !text(column, record, in: bytes, renamed: false).isEmpty {
      return column
    }
    return nil
  }

  /// Sets the fee of a row, and changes the row's amount to the total change of the account's
  /// balance.
  func charge(
    _ fee: BoundFee, to row: inout StatementRow, _ record: borrowing CSVRecord,
    in bytes: borrowing Span<UInt8>
  ) throws(BadLine) {
    let currency = row.amount.currency
    guard var units = try sum(fee.amount, currency, record, in: bytes), units != 0 else { return }
    if fee.isInverted { units = 0 &- units }
    let amount = row.amount.minorUnits
    let (other, isOver) =
      fee.isIncluded
      ? amount.addingReportingOverflow(units) : amount.subtractingReportingOverflow(units)
    guard units != .min, !isOver, let column = fee.amount.terms.first?.columns.first else {
      throw BadLine(
        line: record.line, code: .amount,
        reason: "The amount with its fee is too large for an amount in \(currency.code).",
        remedy: "Correct the amount, or divide the row into several.")
    }
    row.fee = Money(units, currency)
    for level in fee.category {
      let path = CategoryPath(leavingOutBlanksOf: text(level, record, in: bytes))
      row.feeCategory.names += path.names
    }
    guard !row.feeCategory.names.isEmpty else {
      throw bad(
        column, record, .name, "The row has a fee, but the fee's category is blank.",
        "In the mapping, set fee.category to a fixed category name.")
    }
    if fee.isIncluded {
      // The amount already includes the fee. The direction depends on the amount without the fee.
      if other != 0, type == nil, debit == nil { row.isInflow = other > 0 }
    } else {
      row.amount = Money(other, currency)
    }
  }

  /// Returns the positive amount in another currency, or `nil` if there is none.
  func original(
    _ column: Column, _ parts: [Part], beside own: Currency, _ record: borrowing CSVRecord,
    in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> Money? {
    if text(column, record, in: bytes, renamed: false).isEmpty { return nil }
    let code = text(parts, record, in: bytes)
    if code.isEmpty || code == own.code { return nil }
    let currency = try known(code, parts, record)
    guard let units = try amount(column, currency, record, in: bytes), units != 0 else {
      return nil
    }
    guard units != .min else { throw overflow(column, currency, record, in: bytes) }
    return Money(abs(units), currency)
  }

  /// Returns the currency of a row whose own currency is blank.
  ///
  /// If the mapping has no currency, it is that of the row's account.
  func blankCurrency(
    _ parts: [Part], _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> Currency? {
    switch parts.isEmpty && blankCurrency == .refuse ? .account : blankCurrency {
    case .refuse: return nil
    case .code(let code): return try known(code, parts, record)
    case .account:
      let name = text(account, record, in: bytes)
      if let currency = accountCurrencies[Folding.key(name)] { return currency }
      throw bad(
        firstColumn(parts), record, .currency,
        "The row has no currency, and the ledger has no account “\(name)” to take it from.",
        "Create the account first, or set the currency of such rows in the mapping.")
    }
  }
}
