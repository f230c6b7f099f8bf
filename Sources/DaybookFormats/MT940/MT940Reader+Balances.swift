import DaybookBookkeeping
import DaybookEntities

// Accounts and balances.
extension MT940Reader {
  /// Parses a balance, which consists of a mark, a date, a currency and an amount, such as
  /// `C240131EUR1234,5`.
  ///
  /// An invalid balance is reported and left out. The account still gets its currency.
  mutating func balance(_ value: Range<Int>, _ line: Int) -> StatedBalance? {
    var cursor = MT940Cursor(bytes, value)
    cursor.skipBlanks()
    let isCredit = cursor.mark()?.isCredit
    // Another letter is in the place of the mark.
    if isCredit == nil, cursor.index + 1 < cursor.end, bytes[cursor.index + 1] &- 0x30 <= 9 {
      cursor.index += 1
    }
    let day = cursor.day()
    if day == nil { cursor.index += min(cursor.digitCount, 6) }
    guard let currency = currencyOfBalance(&cursor, line) else { return nil }
    current { $0.account.currency = $0.account.currency ?? currency }
    guard let isCredit, let day else {
      let reason = isCredit == nil ? "it doesn't start with C or D" : "its date isn't valid"
      notice(line, "Skipped the balance “\(text(value) ?? "")”: \(reason).")
      return nil
    }
    let place = cursor.index
    let digits = cursor.amount()
    do {
      let units = try DecimalText.minorUnits(
        digits, of: bytes.span, digits: currency.digits, mark: AmountMarks.comma)
      return StatedBalance(
        line: line, day: day, amount: Money(isCredit ? units : -units, currency))
    } catch {
      let rest = String(decoding: bytes[place..<value.upperBound], as: UTF8.self)
      notice(line, "Skipped a balance: \(error.reason(rest, currency))")
      return nil
    }
  }

  private mutating func currencyOfBalance(
    _ cursor: inout MT940Cursor, _ line: Int
  ) -> Currency? {
    cursor.skipBlanks()
    if let code = cursor.letters(3) {
      if let currency = currency(code) { return currency }
      notice(line, "Skipped a balance: “\(code)” isn't an ISO 4217 currency.")
      return nil
    }
    // Some programs omit the currency of closing balances.
    if let known = options.currency(of: statement?.account ?? StatementAccount()) { return known }
    notice(line, "Skipped a balance, which has no currency.")
    return nil
  }

  /// Parses the account: an IBAN, or a bank and a number separated by a slash, optionally followed
  /// by a currency.
  mutating func takeAccount(_ lines: [Range<Int>], _ line: Int) {
    endRow()
    guard var name = text(lines[0]) else { return }
    if statement?.account.iban.isEmpty == false || statement?.account.number.isEmpty == false {
      return notice(line, "Skipped a second account in one statement: “\(name)”.")
    }
    var account = statement?.account ?? StatementAccount()
    if name.hasPrefix("/") { name.removeFirst() }
    var parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if let last = parts.last, parts.count > 1, last.utf8.count == 3, let found = currency(last) {
      account.currency = found
      parts.removeLast()
    }
    var number = parts.removeLast()
    if !parts.isEmpty { account.bank = parts.joined(separator: "/") }
    number = withoutCurrency(number, &account)
    if MT940Reader.isIBAN(number) {
      account.iban = number.filter { $0 != " " }.uppercased()
    } else {
      account.number = number
    }
    current { $0.account = account }
  }

  /// Returns a number without the currency that some banks append to it.
  private func withoutCurrency(_ number: String, _ account: inout StatementAccount) -> String {
    if MT940Reader.hasCheckDigits(number) { return number }
    guard number.utf8.count > 6, let found = currency(String(number.suffix(3))) else {
      return number
    }
    let bare = number.dropLast(3)
    // After another letter, the letters belong to the number.
    guard let last = bare.last, last.isNumber || last == " " else { return number }
    account.currency = found
    return String(bare).trimmingSuffix(while: { $0 == " " })
  }

  /// Returns whether a number has the form of an IBAN: two letters, two digits, and at least eleven
  /// letters or digits.
  static func isIBAN(_ number: String) -> Bool {
    let bytes = Array(number.utf8.filter { $0 != 0x20 })
    guard (15...34).contains(bytes.count) else { return false }
    let isHead =
      bytes[0] &- 0x41 < 26 && bytes[1] &- 0x41 < 26 && bytes[2] &- 0x30 < 10
      && bytes[3] &- 0x30 < 10
    return isHead && bytes.dropFirst(4).allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 }
  }

  /// Returns whether a number is an IBAN with valid check digits (ISO 7064, MOD 97-10).
  static func hasCheckDigits(_ number: String) -> Bool {
    guard isIBAN(number) else { return false }
    let bytes = Array(number.uppercased().utf8.filter { $0 != 0x20 })
    var rest = 0
    for byte in bytes[4...] + bytes[..<4] {
      rest = byte >= 0x41 ? (rest * 100 + Int(byte) - 55) % 97 : (rest * 10 + Int(byte) - 48) % 97
    }
    return rest == 1
  }
}

extension String {
  fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, isDropped(last) { text.removeLast() }
    return text
  }
}
