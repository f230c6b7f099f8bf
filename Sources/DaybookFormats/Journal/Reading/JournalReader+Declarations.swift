import DaybookBookkeeping

/// Directives for accounts and commodities, with their indented lines.
extension JournalReader {
  mutating func takeAccount(_ start: Int) throws(JournalFault) {
    var stop = start
    while stop < end {
      if text[stop] == 0x09 || (text[stop] == 0x20 && stop + 1 < end && text[stop + 1] <= 0x20) {
        break
      }
      stop += 1
    }
    let number = try account(trim(start, stop))
    matter.accounts.update(number) { $0.isDeclared = true }
    context = .account(number)
    if let semicolon = firstIndex(UInt8(ascii: ";"), stop) {
      try takeAccountComment(number, semicolon + 1)
    }
  }

  mutating func takeAccountLine(_ number: Int, _ start: Int) throws(JournalFault) {
    if text[start] == UInt8(ascii: ";") { return try takeAccountComment(number, start + 1) }
    var at = start
    while at < end, text[at] > 0x20 { at += 1 }
    let word = string(start, at)
    switch word {
    case "note": matter.accounts.note(number, rest(at))
    case "alias":
      let name = Array(matter.accounts.all[number].name.utf8)
      let old = trim(at, end)
      guard !old.isEmpty else {
        throw fault(at, .name, "An alias needs a name.", "Write alias NAME.")
      }
      guard aliases.count < 1_000 else {
        throw fault(
          at, "There are more than 1,000 aliases.", "Use the account names instead of aliases.")
      }
      aliases.append((Array(text[old]), name))
      forgetWritten()
    case "default": bucket = number
    case "payee", "value", "eval", "expr", "assert", "check":
      matter.notice(line, "Ignored “\(word)” of an account.", file: file)
    default:
      throw fault(
        start, "Unknown account directive “\(word.prefix(40))”.",
        "Start a comment with “;”, or use “note”.")
    }
  }

  private mutating func takeAccountComment(_ number: Int, _ start: Int) throws(JournalFault) {
    let range = trim(start, end)
    // Daybook exports the commodity as plain text, so that programs don't list it as a tag.
    if text[range].starts(with: Array("commodity ".utf8)) {
      let name = string(range.lowerBound + 10, range.upperBound)
      let commodity = matter.commodities.number(name, line: line)
      return matter.accounts.update(number) { $0.commodity = commodity }
    }
    let (labels, isWhole) = JournalComments.labels(text, range, .hledger)
    var isTaken = isWhole
    for label in labels {
      if label.hasPrefix("type:") {
        guard let type = AccountType(trimmed(label.dropFirst(5))) else {
          throw fault(
            start, "“\(label.dropFirst(5))” isn't an account type.",
            "Use A, L, E, R, X, C or V, or Asset, Liability, and so on.")
        }
        matter.accounts.update(number) { $0.type = type }
      } else if label.hasPrefix("commodity:") {
        let commodity = matter.commodities.number(trimmed(label.dropFirst(10)), line: line)
        matter.accounts.update(number) { $0.commodity = commodity }
      } else {
        isTaken = false
      }
    }
    if !isTaken { matter.accounts.note(number, JournalComments.plain(text, range)) }
  }

  /// Parses `commodity $1,000.00`, or `commodity $` followed by a format line.
  mutating func takeCommodity(_ start: Int) throws(JournalFault) {
    var at = start
    let stop = firstIndex(UInt8(ascii: ";"), start) ?? end
    let isFormat = text[start..<stop].contains { $0 &- 0x30 <= 9 }
    if isFormat, text[start] != UInt8(ascii: "\"") || text[trim(start, stop)].last != text[start] {
      context = .commodity(try takeFormat(at))
      return
    }
    guard let number = try commodity(&at) else {
      throw fault(
        start, .currency, "A commodity needs a name.", "Write commodity 1,000.00 EUR.")
    }
    context = .commodity(number)
  }

  mutating func takeCommodityLine(_ number: Int, _ start: Int) throws(JournalFault) {
    if text[start] == UInt8(ascii: ";") { return }
    var at = start
    while at < end, text[at] > 0x20 { at += 1 }
    let word = string(start, at)
    skipBlanks(&at)
    switch word {
    case "format":
      let found = try takeFormat(at)
      if found != number { context = .commodity(number) }
    case "default":
      // In ledger, a default commodity only affects reports.
      if dialect == .hledger { defaultCommodity = number }
    case "alias":
      guard let alias = try commodity(&at) else {
        throw fault(at, .currency, "An alias needs a name.", "Write alias NAME.")
      }
      if alias != number { matter.commodities.update(alias) { $0.alias = number } }
    case "note", "nomarket": break
    case "value":
      matter.notice(line, "Ignored “value” of a commodity.", file: file)
    default:
      throw fault(
        start, "Unknown commodity directive “\(word.prefix(40))”.",
        "Use “format 1,000.00 EUR”, or start a comment with “;”.")
    }
  }

  /// Parses `D 1.000,00 EUR`, which sets the format of the commodity.
  ///
  /// In hledger, it is also the commodity of amounts without a commodity. In ledger, such amounts
  /// have none.
  mutating func takeDefault(_ start: Int) throws(JournalFault) {
    let number = try takeFormat(start)
    if dialect == .hledger { defaultCommodity = number }
  }

  /// Parses an example amount, and stores its decimal mark and number of decimals.
  private mutating func takeFormat(_ start: Int) throws(JournalFault) -> Int {
    var at = start
    let amount = try amount(&at, isUse: false)
    guard amount.commodity >= 0 else {
      throw fault(start, .currency, "The example amount has no commodity.", "Write 1,000.00 EUR.")
    }
    let mark = text[start..<at].last { $0 == 0x2E || $0 == 0x2C }
    let digits = min(amount.number.scale, JournalNumber.scaleMax)
    var decimal: UInt8?
    if digits > 0 {
      decimal = mark
    } else if let mark {
      // A mark at the end is the decimal mark; any other mark separates groups.
      let index = text[start..<at].lastIndex(of: mark) ?? start
      let isLast = index + 1 >= at || text[index + 1] &- 0x30 > 9
      decimal = isLast ? mark : (mark == 0x2E ? 0x2C : 0x2E)
    }
    matter.commodities.update(amount.commodity) {
      $0.directiveDigits = digits
      $0.decimalMark = decimal ?? $0.decimalMark
    }
    return amount.commodity
  }
}
