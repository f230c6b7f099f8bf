import DaybookBookkeeping
import DaybookEntities

// The texts and references of a row.
extension MT940Narrative {
  /// Sets a row's texts, references and days.
  func fill(_ made: inout StatementRow, _ row: MT940Row, _ options: ReadingOptions) {
    var note = NoteLines()
    var main = description
    var supplement = row.supplement
    var booking = bookingText
    if main.isEmpty { swap(&main, &booking) }
    if main.isEmpty { swap(&main, &supplement) }
    if main.isEmpty { main = row.type }
    made.payee = note.fitting(payee, Limits.payeeByteCountMax)
    made.description = note.fitting(main, Limits.descriptionByteCountMax)
    let codes = codes(row)
    note.add("", booking)
    note.add("", account)
    note.add("BIC ", bank)
    note.add("Mandate ", mandate)
    note.add("Creditor ", creditor)
    for other in codes.dropFirst() { note.add("Reference ", other) }
    for (label, text) in rest { note.add(label, text) }
    note.add("", supplement)
    made.note = note.text
    var rare = StatementRow.Rare()
    rare.reference = "mt940:" + (Self.isGiven(row.bankReference) ? row.bankReference : "")
    rare.code = codes.first ?? ""
    if row.valueDay != row.day { rare.valueDay = row.valueDay }
    rare.isPending = row.mark.isExpected
    made.rare = [rare]
    fillAmounts(&made, row, options)
  }

  /// Returns the payer's references without duplicates, most reliable first.
  private func codes(_ row: MT940Row) -> [String] {
    let isCheque = row.type.dropFirst() == "CHK"
    var codes: [String] = []
    let all = [
      isCheque ? row.customerReference : "", endToEnd, row.customerReference, customerReference,
    ]
    for code in all where Self.isGiven(code) && !codes.contains(code) { codes.append(code) }
    return codes
  }

  private static func isGiven(_ code: String) -> Bool {
    switch code {
    case "", "NONREF", "NOREF", "NOTPROVIDED", "NOT PROVIDED", "KREF+", "EREF+", "KREF", "EREF":
      false
    default: true
    }
  }

  /// Sets the original amount and the fee from SWIFT's `/OCMT/` and `/CHGS/`.
  private func fillAmounts(
    _ made: inout StatementRow, _ row: MT940Row, _ options: ReadingOptions
  ) {
    guard row.supplement.utf8.contains(0x2F) || text.contains(0x2F) else { return }
    let texts = [Array(row.supplement.utf8), text]
    func amount(_ word: StaticString) -> Money? {
      for text in texts {
        if let found = Self.amount(word, in: text, options) { return found }
      }
      return nil
    }
    guard let original = amount("/OCMT/") else { return }
    if original.currency != made.amount.currency, original.minorUnits != 0 {
      made.original = original
    }
    // The amount includes the charges if they are the difference from the original amount.
    guard let charges = amount("/CHGS/"), charges.minorUnits > 0,
      charges.currency == made.amount.currency, original.currency == charges.currency
    else { return }
    let (payment, overflow) = made.amount.minorUnits.addingReportingOverflow(charges.minorUnits)
    if !overflow, Int128(payment.magnitude) == Int128(original.minorUnits) { made.fee = charges }
  }

  /// Returns the amount after a word, as in `/OCMT/USD12,5/`.
  private static func amount(
    _ word: StaticString, in text: [UInt8], _ options: ReadingOptions
  ) -> Money? {
    let length = word.utf8CodeUnitCount
    var index = 0
    while index + length < text.count {
      let isHere =
        text[index] == 0x2F
        && word.withUTF8Buffer { unsafe $0.elementsEqual(text[index..<index + length]) }
      guard isHere else {
        index += 1
        continue
      }
      var cursor = MT940Cursor(text, index + length..<text.count)
      guard let code = cursor.letters(3),
        let currency = options.currencies[code] ?? Currency.iso(code),
        let units = try? DecimalText.minorUnits(
          cursor.amount(), of: text.span, digits: currency.digits, mark: AmountMarks.comma)
      else { return nil }
      return Money(units, currency)
    }
    return nil
  }
}
