import DaybookBookkeeping

/// A transaction, or the template of a scheduled transaction.
struct GnuCashEntry {
  /// One line of a transaction, which affects one account.
  struct Split {
    var line = 0
    /// The index of the account.
    var account: Int?
    var accountID: UInt128 = 0
    /// The amount in the transaction's currency.
    var value: GnuCashNumber?
    /// The amount in the account's currency.
    var quantity: GnuCashNumber?
    var memo = ""
    var action = ""
    /// The reconciliation state: `n` (not reconciled), `c` (cleared), `y` (reconciled), `f`
    /// (frozen) or `v` (void).
    var state: UInt8 = 0
  }

  var line: Int
  var id: UInt128 = 0
  var day: Day?
  var number = ""
  var description = ""
  var notes = ""
  var splits: [Split] = []
}

/// The reason why a transaction can't be imported.
struct GnuCashFault: Error {
  var code: BadLine.Code
  var line: Int
  var reason: String
  var remedy: String

  init(_ code: BadLine.Code, _ line: Int, _ reason: String, _ remedy: String) {
    self.code = code
    self.line = line
    self.reason = reason
    self.remedy = remedy
  }
}

extension GnuCashReader {
  /// Returns the transaction, or `nil` if it moves no money.
  mutating func transaction(
    _ entry: GnuCashEntry, day: Day
  ) throws(GnuCashFault) -> BookTransaction? {
    var result = BookTransaction(line: entry.line, day: day)
    var note = NoteLines()
    result.description = note.fitting(entry.description, Limits.descriptionByteCountMax)
    note.add("", entry.notes)
    result.code = entry.number
    result.postings.reserveCapacity(entry.splits.count + 2)
    var sum = GnuCashSum()
    var sums: [Total] = []
    var accountCount = 0
    var reconciledCount = 0
    for split in entry.splits {
      let posting = try posting(split, &note)
      if let value = split.value { sum.add(value) }
      if case .account = posting.place {
        accountCount += 1
        let isReconciled = split.state == UInt8(ascii: "y") || split.state == UInt8(ascii: "f")
        if isReconciled { reconciledCount += 1 }
      }
      if let index = sums.firstIndex(where: { $0.currency == posting.amount.currency }) {
        sums[index].units += Int128(posting.amount.minorUnits)
      } else {
        sums.append(Total(posting.amount))
      }
      result.postings.append(posting)
    }
    guard sum.isZero else {
      throw GnuCashFault(
        .amount, entry.line, "The splits of this transaction don't add up to zero.",
        "Correct it in GnuCash with Actions, Check & Repair.")
    }
    if accountCount > 0, reconciledCount == accountCount { result.status = .reconciled }
    result.note = note.text
    try balance(&result, sums)
    guard result.postings.count <= Limits.postingCountMax else {
      throw GnuCashFault(
        .tooLong, entry.line,
        "A transaction can have at most \(Limits.postingCountMax) splits, but this one has "
          + "\(result.postings.count).",
        "Divide it into several transactions.")
    }
    return moves(result) ? result : nil
  }

  private mutating func posting(
    _ split: GnuCashEntry.Split, _ note: inout NoteLines
  ) throws(GnuCashFault) -> BookPosting {
    guard let number = split.account else {
      throw GnuCashFault(
        .name, split.line,
        "There is no account \(GnuCashReader.text(split.accountID)) before this split.",
        "Open the file in GnuCash and save it again.")
    }
    let account = accounts.all[number]
    guard let place = account.place, let currency = account.currency else {
      throw GnuCashFault(
        .currency, split.line,
        "The account “\(account.name)” of type “\(account.type)” has no known commodity, so it "
          + "can't have transactions.",
        "Correct the account in GnuCash.")
    }
    guard let quantity = split.quantity, split.value != nil else {
      throw GnuCashFault(
        .amount, split.line, "The amount of a split is missing, invalid or too large.",
        "Correct the transaction in GnuCash.")
    }
    let amount: Money
    do throws(GnuCashNumber.Fault) {
      amount = try quantity.money(currency)
    } catch {
      let written = "\(quantity.numerator)/\(quantity.denominator) \(currency)"
      throw GnuCashFault(
        .amount, split.line,
        error == .decimals
          ? "\(written) has more decimals than the \(currency.digits) of \(currency)."
          : "\(written) is too large for an amount.",
        "Round it in GnuCash, or define the currency with more decimals.")
    }
    accounts.use(number)
    var text = split.memo
    if !split.action.isEmpty {
      text = text.isEmpty ? split.action : "\(split.action): \(text)"
    }
    return BookPosting(
      place, amount, note: note.fitting(text, Limits.postingNoteByteCountMax))
  }

  /// Balances each currency with postings to `exchange`.
  ///
  /// If there is no counterpart, as for new shares in a stock split, the postings go to `outside`
  /// instead.
  private mutating func balance(
    _ result: inout BookTransaction, _ sums: [Total]
  ) throws(GnuCashFault) {
    var ends: Set<BookPosting.Place> = []
    for posting in result.postings where posting.place != .exchange { ends.insert(posting.place) }
    let isAlone = ends.count == 1 && !hasCategory(result)
    var place = BookPosting.Place.exchange
    if isAlone, sums.contains(where: { $0.units != 0 }) {
      place = .outside
      notice(
        result.line,
        "This transaction has no second account; it was booked against "
          + "outside.")
    }
    for sum in sums where sum.units != 0 {
      guard let rest = Total(units: 0 - sum.units, currency: sum.currency).money else {
        throw GnuCashFault(
          .amount, result.line, "The sum of this transaction is too large.", "Check the amounts.")
      }
      result.postings.append(BookPosting(place, rest))
    }
  }

  private func hasCategory(_ transaction: BookTransaction) -> Bool {
    transaction.postings.contains {
      if case .category = $0.place { true } else { false }
    }
  }

  private func moves(_ transaction: BookTransaction) -> Bool {
    if transaction.postings.count > 1, hasCategory(transaction) { return true }
    let places = Set(transaction.postings.map(\.place).filter { $0 != .exchange })
    return places.count > 1 && transaction.postings.contains { $0.amount.minorUnits != 0 }
  }
}
