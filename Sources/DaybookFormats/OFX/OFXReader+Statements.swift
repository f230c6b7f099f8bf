import DaybookBookkeeping

/// The account being read.
struct OFXAccountDraft {
  var start: Int
  var bank = OFXText()
  var branch = OFXText()
  var number = OFXText()
  var type = OFXText()
  var name = OFXText()
  var kind = AccountKind.asset

  init(start: Int) { self.start = start }

  mutating func take(_ tag: OFXTag, _ text: OFXText) {
    switch tag {
    case .bankID, .brokerID: bank = text
    case .branchID: branch = text
    case .accountID: number = text
    case .accountType: type = text
    default: break
    }
  }
}

extension OFXReader {
  private mutating func whole(_ draft: OFXAccountDraft) -> StatementAccount {
    var account = StatementAccount(
      number: decoder.text(draft.number, in: bytes), bank: decoder.text(draft.bank, in: bytes),
      name: decoder.text(draft.name, in: bytes), kind: draft.kind)
    if decoder.text(draft.type, in: bytes).uppercased() == "CREDITLINE" {
      account.kind = .liability
    }
    let compact = account.number.replacing(" ", with: "").uppercased()
    if OFXReader.isIBAN(compact) { account.iban = compact }
    return account
  }

  /// Returns whether a text is an IBAN with valid check digits.
  static func isIBAN(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (15...34).contains(bytes.count) else { return false }
    for (index, byte) in bytes.enumerated() {
      let isLetter = byte &- 0x41 < 26
      let isDigit = byte &- 0x30 < 10
      guard index < 2 ? isLetter : index < 4 ? isDigit : isLetter || isDigit else { return false }
    }
    var rest = 0
    for byte in bytes[4...] + bytes[..<4] {
      rest =
        byte &- 0x30 < 10
        ? (rest * 10 + Int(byte - 0x30)) % 97 : (rest * 100 + Int(byte - 0x41) + 10) % 97
    }
    return rest == 1
  }

  mutating func finishAccount() {
    // In a list of accounts, the enclosing element contains the account's description.
    guard statement != nil, let account else { return }
    var named = whole(account)
    named.currency = statement?.account.currency
    if statement?.account.kind == .liability { named.kind = .liability }
    statement?.account = named
    self.account = nil
  }

  mutating func finishAccountInfo() {
    guard let account else { return }
    self.account = nil
    place = place.advanced(to: account.start, in: bytes)
    contents.statements.append(Statement(line: place.line, account: whole(account)))
  }

  mutating func takeCurrency(_ event: OFXEvent) throws(InterchangeError) {
    guard !event.text.isEmpty else { return }
    let code = decoder.text(event.text, in: bytes)
    guard let currency = currency(code) else {
      throw failure(
        "The statement's currency, “\(code.prefix(60))”, isn't an ISO 4217 currency.",
        event.text.start,
        remedy: "Correct the code, or define the currency in the ledger first.")
    }
    statement?.currency = currency
    statement?.account.currency = currency
  }

  func currency(_ code: String) -> Currency? {
    let code = code.uppercased()
    return options.currencies[code] ?? Currency.iso(code)
  }

  mutating func finishStatement() throws(InterchangeError) {
    guard var draft = statement else { return }
    statement = nil
    if draft.currency == nil {
      draft.currency = draft.rows.first?.currency ?? options.currency(of: draft.account)
    }
    let closing = closing(of: draft)
    let removed = settleCorrections(&draft)
    let home = contents.statements.count
    contents.statements.append(Statement(line: draft.line, account: draft.account))
    contents.statements[home].account.currency = draft.currency
    contents.statements[home].closing = closing
    for (part, entry) in draft.rows.enumerated() {
      var index = home
      if entry.currency != draft.currency {
        index = contents.statements.count
        contents.statements.append(Statement(line: draft.line, account: draft.account))
        contents.statements[index].account.currency = entry.currency
        contents.notices.append(
          FileNotice(
            line: draft.line,
            "Transactions of account \(draft.account.number) in \(entry.currency.code) were read "
              + "as a separate statement."
          ))
      }
      put(entry.rows, of: draft, part, without: removed[part] ?? [], into: index)
    }
  }

  private mutating func put(
    _ rows: [StatementRow], of draft: OFXStatementDraft, _ part: Int, without removed: Set<Int>,
    into index: Int
  ) {
    var places: [Int: Int] = [:]
    if removed.isEmpty {
      contents.statements[index].rows = rows
    } else {
      for (old, row) in rows.enumerated() where !removed.contains(old) {
        places[old] = contents.statements[index].rows.count
        contents.statements[index].rows.append(row)
      }
    }
    for waiting in draft.unnamed where waiting.part == part {
      let row = removed.isEmpty ? waiting.row : places[waiting.row]
      if let row { unnamed.append((index, row, waiting.id)) }
    }
  }

  private mutating func closing(of draft: OFXStatementDraft) -> StatedBalance? {
    guard let closing = draft.closing else { return nil }
    let from = place.advanced(to: closing.start, in: bytes)
    let dayText = draft.tag == .investmentStatement ? draft.asOf : draft.closingDay
    if closing.text.isEmpty {
      contents.notices.append(
        FileNotice(line: from.line, "Skipped the empty closing balance."))
      return nil
    }
    guard let day = readDay(dayText) else {
      contents.notices.append(
        FileNotice(
          line: from.line,
          dayText.isEmpty
            ? "Skipped the closing balance, which has no date."
            : "Skipped the closing balance: “\(OFXValues.quoted(dayText, in: bytes))” isn't a valid "
              + "date."))
      return nil
    }
    guard let currency = draft.currency else { return nil }
    do {
      let units = try readAmount(closing.text, digits: currency.digits)
      return StatedBalance(line: from.line, day: day, amount: Money(units, currency))
    } catch {
      contents.notices.append(
        FileNotice(line: from.line, "Skipped the closing balance: \(error.reason)"))
      return nil
    }
  }

  mutating func note(_ fault: OFXFault, _ from: TextPlace) {
    let at = fault.offset.map { from.advanced(to: $0, in: bytes) } ?? from
    contents.note(
      BadLine(
        line: at.line, column: at.column, code: fault.code, reason: fault.reason,
        remedy: fault.remedy))
  }

  /// Applies corrections to rows of the same statement, and returns the deleted and replaced rows,
  /// which must be removed.
  private mutating func settleCorrections(_ draft: inout OFXStatementDraft) -> [Int: Set<Int>] {
    guard !draft.corrections.isEmpty else { return [:] }
    var places: [String: (part: Int, row: Int)] = [:]
    for (part, entry) in draft.rows.enumerated() {
      for (index, row) in entry.rows.enumerated() where places[row.reference] == nil {
        places[row.reference] = (part, index)
      }
    }
    var removed: [Int: Set<Int>] = [:]
    for correction in draft.corrections {
      if let old = places[correction.reference], correction.reference != "ofx:",
        correction.replacement.map({ $0 == old }) != true
      {
        removed[old.part, default: []].insert(old.row)
      } else {
        let what = correction.replacement == nil ? "deletes" : "replaces"
        contents.notices.append(
          FileNotice(
            line: correction.line,
            "The row \(what) \(correction.reference), which isn't in this file. Delete that "
              + "transaction yourself."
          ))
      }
    }
    return removed
  }
}
