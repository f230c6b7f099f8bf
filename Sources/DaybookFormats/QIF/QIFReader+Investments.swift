import DaybookBookkeeping

/// The effect of an investment action on the account's cash.
private enum QIFEffect {
  case inflow
  case outflow
  /// An effect with the direction of the amount's sign.
  case signed
  /// No effect, because only securities change.
  case none

  init?(_ action: String) {
    switch action {
    case "sell", "shtsell", "div", "intinc", "cgshort", "cgmid", "cglong", "miscinc", "rtrncap",
      "xin",
      "contrib":
      self = .inflow
    case "buy", "cvrshrt", "miscexp", "margint", "xout", "withdrw": self = .outflow
    case "cash": self = .signed
    case "shrsin", "shrsout", "stksplit", "reinvdiv", "reinvint", "reinvlg", "reinvmd", "reinvsh",
      "reminder", "grant", "vest", "exercise", "expire", "bought", "sold":
      self = .none
    default: return nil
    }
  }
}

/// The fields of an investment record.
private struct QIFInvestment {
  var date: QIFLine?
  var action = ""
  var total: QIFLine?
  var isExact = false
  var moved: QIFLine?
  var commission: QIFLine?
  var security = ""
  var quantity = ""
  var price = ""
  var payee = ""
  var memo = ""
  var category = QIFCategory("")
  var isReconciled = false
}

extension QIFReader {
  mutating func takeInvestment(_ currency: Currency, _ index: Int) {
    do {
      try addInvestment(currency, index)
    } catch {
      note(error)
    }
  }

  private mutating func addInvestment(_ currency: Currency, _ index: Int) throws(QIFFault) {
    guard let first = record.first else { return }
    let draft = investment()
    let word = draft.action.lowercased()
    // Actions such as BuyX and DivX also transfer the money from or to another account.
    let isMoved = word.count > 1 && word.hasSuffix("x") && QIFEffect(word) == nil
    guard let effect = QIFEffect(isMoved ? String(word.dropLast()) : word.isEmpty ? "cash" : word)
    else {
      notices.add(
        "Skipped the unknown action “\(draft.action.prefix(40))”", first.number)
      return
    }
    if effect == .none {
      notices.add(
        "Skipped the action “\(draft.action.prefix(40))”, which moves no cash", first.number)
      return
    }
    let day = try day(draft.date, first.number)
    guard let line = draft.total ?? (isMoved ? draft.moved : nil) else {
      if isOpeningWithoutAmount(draft, index) { return }
      notices.add(
        "Skipped the action “\(draft.action.prefix(40))” without a total (T)",
        first.number)
      return
    }
    var units = try amount(line, currency)
    if effect == .outflow { units = -Int64(clamping: units.magnitude) }
    if let target = draft.category.target, isOpening(index, target, draft.payee),
      contents.statements[index].opening == nil
    {
      contents.statements[index].opening = StatedBalance(
        line: first.number, day: day, amount: Money(units, currency))
      contents.statements[index].begins = true
      return
    }
    var row = StatementRow(
      line: first.number, day: day, amount: Money(units, currency), category: draft.category.path,
      description: draft.memo, payee: draft.payee, note: Self.note(draft), tags: draft.category.tags
    )
    row.isReconciled = draft.isReconciled
    if row.description.isEmpty { row.description = draft.action }
    row.fitTexts()
    if let commission = draft.commission {
      let fee = try amount(commission, currency)
      if fee != 0 { row.fee = Money(fee, currency) }
    }
    let isTransfer =
      word == "xin" || word == "xout" || word.hasPrefix("contrib")
      || word.hasPrefix("withdrw")
    if isMoved, !isTransfer, let target = draft.category.target {
      contents.statements[index].rows.append(row)
      try addMove(of: row, to: target, draft.moved, currency, index)
    } else {
      put(draft.category.target, in: &row, index)
      contents.statements[index].rows.append(row)
    }
  }

  /// Adds the transfer of an action.
  ///
  /// Proceeds are transferred out, and the cost of a purchase is transferred in.
  private mutating func addMove(
    of row: StatementRow, to target: String, _ moved: QIFLine?, _ currency: Currency, _ index: Int
  ) throws(QIFFault) {
    let size = try moved.map { line throws(QIFFault) in try amount(line, currency) }
    let units = Int64(clamping: (size ?? row.amount.minorUnits).magnitude)
    var move = StatementRow(
      line: row.line, day: row.day,
      amount: Money(row.amount.minorUnits > 0 ? -units : units, currency),
      description: row.description, payee: row.payee)
    move.isReconciled = row.isReconciled
    put(target, in: &move, index)
    contents.statements[index].rows.append(move)
  }

  /// Returns whether a record is an opening balance without an amount, which Quicken writes as a
  /// transfer from the account to itself.
  private mutating func isOpeningWithoutAmount(_ draft: QIFInvestment, _ index: Int) -> Bool {
    guard let target = draft.category.target else { return false }
    return isOpening(index, target, draft.payee)
  }

  private static func note(_ draft: QIFInvestment) -> String {
    guard !draft.security.isEmpty else { return "" }
    var text = draft.action
    if !draft.quantity.isEmpty { text += text.isEmpty ? draft.quantity : ": \(draft.quantity) of" }
    text += text.isEmpty ? draft.security : " \(draft.security)"
    if !draft.price.isEmpty { text += " at \(draft.price)" }
    return text
  }

  private mutating func investment() -> QIFInvestment {
    var draft = QIFInvestment()
    for line in record {
      switch line.code {
      case UInt8(ascii: "D"): draft.date = line
      case UInt8(ascii: "N"): draft.action = cleaner.text(line.text, in: bytes)
      case UInt8(ascii: "T"):
        draft.total = line
        draft.isExact = true
      case UInt8(ascii: "U"): if !draft.isExact { draft.total = line }
      case UInt8(ascii: "$"): draft.moved = line
      case UInt8(ascii: "O"): draft.commission = line
      case UInt8(ascii: "Y"): draft.security = cleaner.text(line.text, in: bytes)
      case UInt8(ascii: "Q"): draft.quantity = cleaner.text(line.text, in: bytes)
      case UInt8(ascii: "I"): draft.price = cleaner.text(line.text, in: bytes)
      case UInt8(ascii: "P"): draft.payee = cleaner.text(line.text, in: bytes)
      case UInt8(ascii: "M"): draft.memo = cleaner.text(line.text, in: bytes)
      case UInt8(ascii: "L"): draft.category = category(line)
      case UInt8(ascii: "C"): draft.isReconciled = isReconciled(line)
      default: untaken("the field \(Character(Unicode.Scalar(line.code)))", line)
      }
    }
    return draft
  }
}
