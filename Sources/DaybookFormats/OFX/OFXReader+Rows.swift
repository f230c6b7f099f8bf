import DaybookBookkeeping

extension OFXReader {
  mutating func finishRow() throws(InterchangeError) {
    place = place.advanced(to: row.start, in: bytes)
    guard statement != nil else {
      return contents.note(
        BadLine(
          line: place.line, column: place.column, code: .account,
          reason: "The row isn't part of a statement, so its account is unknown.",
          remedy: "Ask the bank for the file again."))
    }
    guard row.tag != .noCash else { return noteNoCash() }
    guard try hasCurrency() else { return }
    do {
      if row.tag == .row || row.tag == .pendingRow {
        try finishBankRow()
      } else {
        try finishTrade()
      }
    } catch {
      note(error, place)
    }
  }

  /// Returns whether the statement's currency is known.
  ///
  /// If the file doesn't state the currency, it is the account's.
  private mutating func hasCurrency() throws(InterchangeError) -> Bool {
    if statement?.currency != nil || !row[.symbol].isEmpty { return true }
    guard let currency = options.currency(of: statement?.account ?? StatementAccount()) else {
      throw failure(
        "The statement has no currency.", row.start,
        remedy: "Set it, for example with --currency EUR.")
    }
    statement?.currency = currency
    return true
  }

  /// Returns the currency of the row's amounts: the row's own currency if it has one, and otherwise
  /// the statement's.
  mutating func rowCurrency() throws(OFXFault) -> Currency {
    let symbol = row[.symbol]
    guard symbol.isEmpty else { return try currency(of: symbol) }
    guard let currency = statement?.currency else {
      throw OFXFault(
        code: .currency, reason: "The row has no currency.", remedy: "Set it with --currency.")
    }
    return currency
  }

  private mutating func currency(of symbol: OFXText) throws(OFXFault) -> Currency {
    let code = String(decoder.text(symbol, in: bytes).prefix(60))
    guard let currency = currency(code) else {
      throw OFXFault(
        code: .currency, reason: "“\(code)” isn't an ISO 4217 currency.",
        remedy: "Correct the code, or define the currency in the ledger first.",
        offset: symbol.start)
    }
    return currency
  }

  mutating func money(
    _ slot: OFXSlot, _ name: String, _ currency: Currency
  ) throws(OFXFault) -> Money {
    guard !row[slot].isEmpty else {
      throw OFXFault(
        code: .amount, reason: "The row has no amount (\(name)).", remedy: "Add it to the row.")
    }
    return Money(try readAmount(row[slot], digits: currency.digits), currency)
  }

  mutating func day(_ slot: OFXSlot, _ name: String) throws(OFXFault) -> Day {
    let text = row[slot]
    guard !text.isEmpty else {
      throw OFXFault(
        code: .date, reason: "The row has no date (\(name)).", remedy: "Add it to the row.")
    }
    guard let day = readDay(text) else {
      throw OFXFault(
        code: .date, reason: "“\(OFXValues.quoted(text, in: bytes))” isn't a valid date.",
        remedy: "Write it as in 20240131.", offset: text.start)
    }
    return day
  }

  /// Returns the day of an optional field, or `nil` if it is missing or invalid.
  mutating func optionalDay(_ slot: OFXSlot) -> Day? {
    row[slot].isEmpty ? nil : readDay(row[slot])
  }

  mutating func text(_ slot: OFXSlot) -> String { decoder.text(row[slot], in: bytes) }

  // MARK: - Rows of banks and cards

  private mutating func finishBankRow() throws(OFXFault) {
    let isPending = row.tag == .pendingRow
    let day =
      isPending && !row[.transactionDay].isEmpty
      ? try day(.transactionDay, "DTTRAN") : try day(.posted, "DTPOSTED")
    let reference = "ofx:" + text(.fitid)
    let corrected = row[.correctedID].isEmpty ? nil : "ofx:" + text(.correctedID)
    if corrected != nil, text(.correction).uppercased() == "DELETE" {
      return noteCorrection(corrected, nil)
    }
    let currency = try rowCurrency()
    if statement?.currency == nil { statement?.currency = currency }
    let amount = try money(.amount, "TRNAMT", currency)
    let type = text(.type).uppercased()
    var found = StatementRow(
      line: place.line, day: day, amount: amount,
      isInflow: amount.minorUnits == 0 ? Self.inflowTypes.contains(type) : nil)
    found.payee = text(row[.payee].isEmpty ? .name : .payee)
    found.description = memo()
    found.note = try note(type, &found)
    found.reference = reference
    found.isPending = isPending || type == "HOLD"
    if let valueDay = optionalDay(.available), valueDay != day { found.valueDay = valueDay }
    found.code = code()
    found.fitTexts()
    let at = statement?.add(found)
    if corrected != nil { noteCorrection(corrected, at) }
  }

  private static let inflowTypes: Set<String> = ["CREDIT", "INT", "DIV", "DEP", "DIRECTDEP"]

  private mutating func noteCorrection(_ reference: String?, _ at: (part: Int, row: Int)?) {
    guard let reference else { return }
    statement?.corrections.append(
      OFXCorrection(line: place.line, reference: reference, replacement: at))
  }

  private mutating func memo() -> String {
    var memo = text(.memo)
    for extra in row.more where extra.slot == .memo {
      memo += " " + decoder.text(extra.text, in: bytes)
    }
    return memo
  }

  /// Returns the check number, or the payer's reference.
  ///
  /// A check number that consists of zeros means that there is none.
  private mutating func code() -> String {
    let number = text(.checkNumber)
    if number.contains(where: { $0 != "0" }) { return number }
    return text(.referenceNumber)
  }

  private mutating func note(_ type: String, _ found: inout StatementRow) throws(OFXFault) -> String
  {
    var lines: [String] = []
    if !row[.extendedName].isEmpty {
      let name = text(.extendedName)
      // NAME is truncated to 32 characters, and EXTDNAME contains the full name.
      if found.payee.isEmpty || name.hasPrefix(found.payee) {
        found.payee = name
      } else {
        lines.append(name)
      }
    }
    if !row[.payee].isEmpty { lines += payeeLines() }
    if !row[.otherAccount].isEmpty { lines.append(otherAccount()) }
    if !row[.referenceNumber].isEmpty, !row[.checkNumber].isEmpty {
      let number = text(.referenceNumber)
      if number != code() { lines.append("Reference: \(number)") }
    }
    if let user = optionalDay(.user), user != found.day { lines.append("Made on \(user)") }
    if !row[.merchant].isEmpty { lines.append("Merchant category: \(text(.merchant))") }
    if let words = Self.typeWords[type] { lines.append(words) }
    if !row[.originalSymbol].isEmpty { try takeOriginal(&found, &lines) }
    return lines.joined(separator: "\n")
  }

  /// The display names of transaction types.
  ///
  /// Types that only state the direction are omitted.
  private static let typeWords = [
    "INT": "Interest", "DIV": "Dividend", "FEE": "Fee", "SRVCHG": "Service charge",
    "DEP": "Deposit",
    "ATM": "Cash machine", "POS": "Card payment", "XFER": "Transfer", "CHECK": "Cheque",
    "PAYMENT": "Payment", "CASH": "Cash", "DIRECTDEP": "Direct deposit",
    "DIRECTDEBIT": "Direct debit", "REPEATPMT": "Standing order", "HOLD": "Hold",
  ]

  private mutating func payeeLines() -> [String] {
    var lines = [text(.name), text(.address)]
    if lines[0] == text(.payee) { lines[0] = "" }
    for extra in row.more where extra.slot == .address {
      lines.append(decoder.text(extra.text, in: bytes))
    }
    let place = [text(.postalCode), text(.city), text(.state), text(.country)]
    lines.append(place.filter { !$0.isEmpty }.joined(separator: " "))
    lines.append(text(.phone))
    return lines.filter { !$0.isEmpty }
  }

  private mutating func otherAccount() -> String {
    let number = text(.otherAccount)
    let bank = text(.otherBank)
    return bank.isEmpty || Self.isIBAN(number) ? number : "\(bank)/\(number)"
  }

  /// Computes the original amount before the currency conversion.
  ///
  /// The file contains only the exchange rate. The amount is set only if the division has no
  /// remainder.
  private mutating func takeOriginal(
    _ found: inout StatementRow, _ lines: inout [String]
  ) throws(OFXFault) {
    let original = try currency(of: row[.originalSymbol])
    guard original != found.amount.currency else { return }
    let rate = text(.originalRate)
    if let units = OFXRate(rate)?.original(of: found.amount, in: original) {
      found.original = Money(units, original)
    }
    lines.append("Converted from \(original.code)" + (rate.isEmpty ? "" : " at \(rate)"))
  }
}

/// An exchange rate, as a number divided by a power of ten.
///
/// It states how much of the statement's currency one unit of the other currency was worth.
struct OFXRate {
  private var numerator: Int64
  private var decimals: Int

  init?(_ text: String) {
    numerator = 0
    decimals = -1
    guard text.utf8.count <= 18 else { return nil }
    for byte in text.utf8 {
      if byte &- 0x30 < 10 {
        numerator = numerator * 10 + Int64(byte - 0x30)
        if decimals >= 0 { decimals += 1 }
      } else if decimals < 0, byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") {
        decimals = 0
      } else {
        return nil
      }
    }
    decimals = max(decimals, 0)
    guard numerator > 0 else { return nil }
  }

  /// Returns the positive original amount, or `nil` if it isn't a whole number of minor units.
  func original(of amount: Money, in currency: Currency) -> Int64? {
    var dividend = Int128(amount.minorUnits.magnitude)
    var divisor = Int128(numerator)
    let shift = decimals + currency.digits - amount.currency.digits
    for _ in 0..<abs(shift) {
      let (value, overflow) = (shift > 0 ? dividend : divisor).multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      if shift > 0 { dividend = value } else { divisor = value }
    }
    let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
    return rest == 0 && quotient > 0 ? Int64(exactly: quotient) : nil
  }
}
