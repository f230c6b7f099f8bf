import DaybookBookkeeping

extension GnuCashReader {
  mutating func readTransaction() throws(InterchangeError) {
    settle()
    let entry = try readEntry()
    guard let day = entry.day else {
      return note(
        entry.line, .date, "The transaction “\(entry.description)” has no valid date.",
        "Correct it in GnuCash.")
    }
    if entry.splits.contains(where: { $0.state == UInt8(ascii: "v") }) {
      return notice(
        entry.line, "Skipped the void transaction “\(entry.description)” of \(day).")
    }
    do throws(GnuCashFault) {
      guard var transaction = try transaction(entry, day: day) else {
        return notice(
          entry.line,
          "Skipped the transaction “\(entry.description)” of \(day): it moves no money.")
      }
      transaction.reference = "gnucash:" + GnuCashReader.text(entry.id)
      books.transactions.append(transaction)
    } catch {
      note(error.line, error.code, error.reason, error.remedy)
    }
  }

  /// Reads a transaction element.
  private mutating func readEntry() throws(InterchangeError) -> GnuCashEntry {
    var entry = GnuCashEntry(line: line())
    var slotDay: Day?
    while try xml.nextChild() {
      switch element {
      case .id: entry.id = try readID() ?? 0
      case .number: entry.number = try readText()
      case .posted: entry.day = try readDay()
      case .description: entry.description = try readText()
      case .slots:
        var notes = ""
        try forEachSlot { (reader, key) throws(InterchangeError) in
          switch key {
          case "date-posted": slotDay = try reader.readDay()
          case "notes": notes = try reader.readText()
          default: try reader.xml.skip()
          }
        }
        entry.notes = notes
      case .splits:
        while try xml.nextChild() {
          if element == .split { entry.splits.append(try readSplit()) } else { try xml.skip() }
        }
      default: try xml.skip()
      }
    }
    // The slot contains a plain date, while the element contains a time on that day.
    entry.day = slotDay ?? entry.day
    return entry
  }

  private mutating func readSplit() throws(InterchangeError) -> GnuCashEntry.Split {
    var split = GnuCashEntry.Split()
    split.line = line()
    while try xml.nextChild() {
      switch element {
      case .memo: split.memo = try readText()
      case .action: split.action = try readText()
      case .state:
        try xml.text()
        split.state = xml.collected.bytes.first ?? 0
      case .value: split.value = try readNumber()
      case .quantity: split.quantity = try readNumber()
      case .account:
        split.accountID = try readID() ?? 0
        split.account = accounts.number(split.accountID)
      default: try xml.skip()
      }
    }
    return split
  }
}

// Templates of scheduled transactions, which use the same elements, but have accounts and amounts
// in slots.
extension GnuCashReader {
  mutating func readTemplates() throws(InterchangeError) {
    settle()
    while try xml.nextChild() {
      if element == .transaction { try readTemplate() } else { try xml.skip() }
    }
  }

  private mutating func readTemplate() throws(InterchangeError) {
    var entry = GnuCashEntry(line: line())
    var schedule: UInt128?
    while try xml.nextChild() {
      switch element {
      case .number: entry.number = try readText()
      case .description: entry.description = try readText()
      case .slots:
        var notes = ""
        try forEachSlot { (reader, key) throws(InterchangeError) in
          if key == "notes" { notes = try reader.readText() } else { try reader.xml.skip() }
        }
        entry.notes = notes
      case .splits:
        while try xml.nextChild() {
          guard element == .split else {
            try xml.skip()
            continue
          }
          let (split, owner) = try readTemplateSplit()
          entry.splits.append(split)
          schedule = schedule ?? owner
        }
      default: try xml.skip()
      }
    }
    if let schedule { templates[schedule, default: []].append(entry) }
  }

  private mutating func readTemplateSplit() throws(InterchangeError) -> (
    GnuCashEntry.Split, UInt128?
  ) {
    var split = GnuCashEntry.Split()
    split.line = line()
    var owner: UInt128?
    var credit = TemplateAmount()
    var debit = TemplateAmount()
    while try xml.nextChild() {
      switch element {
      case .memo: split.memo = try readText()
      case .action: split.action = try readText()
      case .account: owner = try readID()
      case .slots:
        var id: UInt128 = 0
        try forEachSlot { (reader, key) throws(InterchangeError) in
          guard key == "sched-xaction" else { return try reader.xml.skip() }
          try reader.forEachSlot { (reader, key) throws(InterchangeError) in
            switch key {
            case "account": id = try reader.readID() ?? 0
            case "credit-numeric": credit.number = try reader.readNumber()
            case "debit-numeric": debit.number = try reader.readNumber()
            case "credit-formula": credit.formula = try reader.readText()
            case "debit-formula": debit.formula = try reader.readText()
            default: try reader.xml.skip()
            }
          }
        }
        split.accountID = id
        split.account = accounts.number(id)
      default: try xml.skip()
      }
    }
    split.value = TemplateAmount.difference(debit, credit)
    split.quantity = split.value
    return (split, owner)
  }
}

/// The amount of a template on the debit or credit side: a number, or a formula.
private struct TemplateAmount {
  var number: GnuCashNumber?
  var formula = ""

  /// The amount; `nil` if the formula isn't a plain number.
  private var value: GnuCashNumber? {
    if let number, !number.isZero { return number }
    if formula.isEmpty { return .zero }
    return TemplateAmount.plain(formula)
  }

  /// Parses a formula that is a plain decimal number.
  private static func plain(_ text: String) -> GnuCashNumber? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, !whole.isEmpty,
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let decimals = parts.count == 2 ? parts[1].utf8.count : 0
    guard decimals <= 9, let units = Int64(parts.joined()) else { return nil }
    let power = (0..<decimals).reduce(Int64(1)) { value, _ in value * 10 }
    return GnuCashNumber(numerator: units, denominator: power)
  }

  static func difference(_ debit: TemplateAmount, _ credit: TemplateAmount) -> GnuCashNumber? {
    guard let debit = debit.value, let credit = credit.value else { return nil }
    if credit.isZero { return debit }
    let (opposite, overflow) = Int64(0).subtractingReportingOverflow(credit.numerator)
    guard debit.isZero, !overflow else { return nil }
    return GnuCashNumber(numerator: opposite, denominator: credit.denominator)
  }
}
