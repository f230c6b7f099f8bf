import DaybookBookkeeping

extension RowMapper {
  /// Returns the change of the account's balance, and whether the row is incoming; `nil` if the row
  /// is skipped.
  func moved(
    _ currency: Currency, _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> (units: Int64, isInflow: Bool)? {
    if let debit, let credit {
      let out = try amount(debit, currency, record, in: bytes)
      let into = try amount(credit, currency, record, in: bytes)
      switch (out, into) {
      case (nil, nil): throw noAmount(debit, record)
      case (let out?, nil), (let out?, 0):
        return (try away(out, debit, currency, record, in: bytes), false)
      case (nil, let into?), (0, let into?):
        let units = try away(into, credit, currency, record, in: bytes)
        return (-units, true)
      default:
        throw bad(
          credit, record, .amount, "The row has both a debit and a credit.",
          "Correct the row: one of them must be empty or zero.")
      }
    }
    guard let amount = amount ?? amountSum?.terms.first?.columns.first else { return nil }
    let way = try direction(record, in: bytes)
    if way == .skip { return nil }
    let found =
      if let amountSum {
        try sum(amountSum, currency, record, in: bytes).map { NumberStyle.Amount(units: $0) }
      } else {
        try signedAmount(amount, currency, record, in: bytes)
      }
    guard let found else { throw noAmount(amount, record) }
    let units = found.units
    if let way {
      guard units >= 0 else {
        throw bad(
          amount, record, .amount, "The amount is negative, although a column gives its direction.",
          "Correct the row, or map the amount as a signed column without a type.")
      }
      return (way == .out ? -units : units, way == .in)
    }
    guard amounts.isInverted, !found.isMarked else { return (units, units > 0) }
    guard units != .min else { throw overflow(amount, currency, record, in: bytes) }
    return (-units, units < 0)
  }

  /// Returns the negated absolute value of an amount.
  private func away(
    _ units: Int64, _ column: Column, _ currency: Currency, _ record: borrowing CSVRecord,
    in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> Int64 {
    guard units != .min else { throw overflow(column, currency, record, in: bytes) }
    return -abs(units)
  }

  private func direction(
    _ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> ImportMapping.Direction? {
    guard let type else { return nil }
    let value = text(type, record, in: bytes, renamed: false)
    if let way = amounts.directions[value] ?? amounts.otherwise { return way }
    throw bad(
      type, record, .direction, "The mapping has no direction for \"\(value)\".",
      "Add it to amount.directions as in, out or skip, or set amount.otherwise.")
  }

  func amount(
    _ column: Column, _ currency: Currency, _ record: borrowing CSVRecord,
    in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> Int64? {
    try signedAmount(column, currency, record, in: bytes)?.units
  }

  private func signedAmount(
    _ column: Column, _ currency: Currency, _ record: borrowing CSVRecord,
    in bytes: borrowing Span<UInt8>
  ) throws(BadLine) -> NumberStyle.Amount? {
    guard column.index < record.count else { return nil }
    let range = record.trimmedRange(column.index, in: bytes)
    do {
      return try numbers.amount(
        range, in: bytes, digits: currency.digits, code: constantCode ?? Array(currency.code.utf8))
    } catch .notANumber {
      throw bad(
        column, record, .amount,
        "\"\(text(column, record, in: bytes, renamed: false))\" isn't an amount.",
        "Correct it, or the decimal mark, grouping or symbols in the mapping.")
    } catch .grouping {
      throw bad(
        column, record, .amount,
        "\"\(text(column, record, in: bytes, renamed: false))\" doesn't have groups of three "
          + "digits.",
        "Check which mark separates decimals and which one groups digits.")
    } catch .decimals {
      throw bad(
        column, record, .amount,
        "\"\(text(column, record, in: bytes, renamed: false))\" has more decimals than "
          + "\(currency.code), which has \(currency.digits).",
        "Correct the amount or the currency; imports don't round amounts.")
    } catch {
      throw overflow(column, currency, record, in: bytes)
    }
  }

  /// Returns whether a record that can't be read may be a transaction: it has an amount, and it
  /// isn't a total or another line without a day.
  func hasMoney(_ record: borrowing CSVRecord, in bytes: borrowing Span<UInt8>) -> Bool {
    let columns =
      [amount, debit, credit].compactMap(\.self)
      + (amountSum?.terms.flatMap(\.columns) ?? [])
    let hasAmount = columns.contains { column in
      let value = text(column, record, in: bytes, renamed: false)
      return value.contains { $0 >= "1" && $0 <= "9" }
    }
    guard hasAmount else { return false }
    let day = text(date, record, in: bytes, renamed: false)
    guard day.isEmpty else {
      // A day in another format, or a day that doesn't exist.
      return day.contains(where: \.isNumber) && !GuessTable.isSummary(day)
    }
    for index in 0..<record.count
    where GuessTable.isSummary(record.trimmedText(index, in: bytes)) { return false }
    return true
  }

  private func noAmount(_ column: Column, _ record: borrowing CSVRecord) -> BadLine {
    bad(
      column, record, .amount, "The row has no amount.",
      "Correct the row, or skip such rows with skipRows in the mapping.")
  }

  func overflow(
    _ column: Column, _ currency: Currency, _ record: borrowing CSVRecord,
    in bytes: borrowing Span<UInt8>
  ) -> BadLine {
    bad(
      column, record, .amount,
      "\"\(text(column, record, in: bytes, renamed: false))\" is too large for an amount in "
        + "\(currency.code).",
      "Correct the amount, or divide the row into several.")
  }
}
