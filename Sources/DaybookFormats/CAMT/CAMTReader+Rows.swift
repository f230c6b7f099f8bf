import DaybookBookkeeping

// Conversion of entries to rows.
extension CAMTReader {
  /// Adds one row for each of the entry's details if their amounts add up, and otherwise one row
  /// for the entry.
  mutating func addRows(of entry: CAMTEntry) {
    if let fault = entry.fault { return contents.note(fault) }
    guard let amount = entry.amount, let isCredit = entry.isCredit else {
      return contents.note(
        bad(
          entry.amount == nil ? .amount : .direction, entry.place,
          entry.amount == nil
            ? "The entry has no amount." : "The entry's CdtDbtInd is neither CRDT nor DBIT.",
          "Correct the file, or ask the bank for it again."))
    }
    guard entry.status != "INFO" else {
      return notice("Skipped an entry that is for information only.", at: entry.place)
    }
    guard let day = entry.bookingDay ?? entry.valueDay ?? createdDay else {
      return contents.note(
        bad(
          .date, entry.place, "The entry has neither a booking date nor a value date.",
          "Correct the file, or ask the bank for it again."))
    }
    if entry.bookingDay == nil, entry.valueDay == nil {
      notice("An entry without a date was given the file's creation date, \(day).", at: entry.place)
    }
    let signed = Money(isCredit ? amount.minorUnits : -amount.minorUnits, amount.currency)
    let rows = CAMTRows(
      entry: entry, amount: signed, isCredit: isCredit, day: day, account: statement.account)
    if entry.details.count > 1 {
      if let parts = rows.partAmounts() {
        statement.rows += rows.parts(parts)
        return
      }
      notice(
        "The \(entry.details.count) details of an entry don't add up to its amount, so it was "
          + "imported as one transaction.",
        at: entry.place)
    }
    statement.rows.append(rows.whole())
  }
}

/// Converts an entry to rows.
struct CAMTRows {
  let entry: CAMTEntry
  /// The signed amount of the entry.
  let amount: Money
  let isCredit: Bool
  let day: Day
  let account: StatementAccount

  /// The maximum number of details listed in the note of a row that represents the whole entry.
  static let toldDetailCountMax = 20

  /// Returns the signed amounts of the details, or `nil` if they don't add up to the entry's
  /// amount.
  func partAmounts() -> [Money]? {
    var sum: Int64 = 0
    var parts: [Money] = []
    parts.reserveCapacity(entry.details.count)
    for details in entry.details {
      let inside = [details.amount, details.amounts.transaction].compactMap(\.self)
      guard let found = inside.first(where: { $0.currency == amount.currency }) else { return nil }
      let units = details.isCredit ?? isCredit ? found.minorUnits : -found.minorUnits
      let (next, overflow) = sum.addingReportingOverflow(units)
      guard !overflow else { return nil }
      sum = next
      parts.append(Money(units, amount.currency))
    }
    return sum == amount.minorUnits ? parts : nil
  }

  /// Returns one row for each of the details.
  func parts(_ amounts: [Money]) -> [StatementRow] {
    var uses: [String: Int] = [:]
    for details in entry.details { uses[details.servicerReference, default: 0] += 1 }
    return entry.details.indices.map { index in
      let details = entry.details[index]
      let own = details.servicerReference
      var reference = own
      if own.isEmpty || uses[own] != 1 || own == entry.reference {
        let shared = entry.reference.isEmpty ? own : entry.reference
        reference = shared.isEmpty ? "" : "\(shared)/\(index + 1)"
      }
      return row(
        amounts[index], details.isCredit ?? isCredit, details, details.amounts, reference)
    }
  }

  /// Returns one row for the whole entry.
  func whole() -> StatementRow {
    let single = entry.details.count == 1 ? entry.details[0] : nil
    var amounts = entry.amounts
    if let single {
      amounts.instructed = single.amounts.instructed ?? amounts.instructed
      amounts.transaction = single.amounts.transaction ?? amounts.transaction ?? single.amount
      amounts.counterValue = single.amounts.counterValue ?? amounts.counterValue
      if !single.amounts.exchangeRate.isEmpty { amounts.exchangeRate = single.amounts.exchangeRate }
      if amounts.charges.isEmpty { amounts.charges = single.amounts.charges }
    }
    var reference = entry.reference
    if reference.isEmpty, let single { reference = single.servicerReference }
    return row(
      amount, isCredit, single ?? CAMTDetails(), amounts, reference,
      isForAll: entry.details.count > 1)
  }

  private func row(
    _ amount: Money, _ isCredit: Bool, _ details: CAMTDetails, _ amounts: CAMTAmounts,
    _ reference: String, isForAll: Bool = false
  ) -> StatementRow {
    let texts = CAMTTexts(
      rows: self, details: details, amounts: amounts, isCredit: isCredit, isForAll: isForAll)
    let fee = texts.fee(of: amount)
    var row = StatementRow(
      line: entry.line, day: day, amount: amount, isInflow: isCredit)
    row.fee = fee
    row.original = amounts.originals.first {
      $0.currency != amount.currency && $0.minorUnits != 0
    }
    texts.fill(&row, hasFee: fee != nil)
    var rare = StatementRow.Rare()
    rare.reference = "camt:" + reference
    rare.code = texts.code
    if let value = entry.valueDay, value != day { rare.valueDay = value }
    rare.isPending = entry.status == "PDNG" || entry.status == "FUTR"
    row.rare = [rare]
    return row
  }
}
