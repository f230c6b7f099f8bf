import DaybookBookkeeping

extension BeancountReader {
  /// Parses a line that begins with a date.
  mutating func takeDated() throws(JournalFault) {
    var at = lineStart
    context = .other
    guard let day = try day(&at) else {
      throw fault(
        lineStart, .date, "“\(rest(lineStart).prefix(40))” doesn't start with a date.",
        "Write dates as 2026-01-31.")
    }
    skipBlanks(&at)
    let start = at
    let word = word(&at)
    skipBlanks(&at)
    if word == "txn" || isFlag(word) { return try beginEntry(day, word, at) }
    switch word {
    case "open": try open(&at)
    case "close":
      let account = try account(&at)
      matter.accounts.update(account) { $0.isClosed = true }
    case "balance": try balance(day, &at)
    case "pad":
      let pad = BeancountPad(
        line: line, file: file, account: try account(&at), source: try account(&at))
      entries.append(BeancountEntry(day: day, rank: 0, content: .pad(pad)))
    case "price":
      guard let commodity = commodity(&at) else {
        throw fault(at, .currency, "A commodity is missing here.", "Write price USD 0.92 EUR.")
      }
      let price = try amount(&at, isUse: false)
      matter.prices.append(
        JournalPrice(line: line, file: file, day: day, commodity: commodity, price: price))
    case "note":
      let account = try account(&at)
      matter.accounts.note(account, "\(day) \(try quoted(&at))")
      try takeTags(&at)
    case "commodity":
      guard let commodity = commodity(&at) else {
        throw fault(at, .currency, "A commodity is missing here.", "Write commodity EUR.")
      }
      context = .commodity(commodity)
    case "document", "event", "query", "custom":
      matter.notice(line, "Skipped “\(word)”.", file: file)
      // The quoted texts may span several lines.
      while at < end {
        if text[at] == UInt8(ascii: "\"") { _ = try quoted(&at) } else { at += 1 }
      }
      return
    default:
      throw fault(
        start, "Unknown directive “\(word.prefix(40))”.",
        "Use “*” for a transaction, or open, balance, pad, price …")
    }
    try finishLine(at)
  }

  /// Throws if a directive is followed by anything but a comment.
  func finishLine(_ start: Int) throws(JournalFault) {
    var at = start
    skipBlanks(&at)
    guard at >= end || text[at] == UInt8(ascii: ";") else {
      throw fault(at, "Unexpected “\(rest(at).prefix(40))”.", "Remove it.")
    }
  }

  private func isFlag(_ word: String) -> Bool {
    guard word.utf8.count == 1, let byte = word.utf8.first else { return false }
    return byte &- 0x41 < 26 || "*!&#?%".utf8.contains(byte)
  }

  private mutating func takeTags(_ at: inout Int) throws(JournalFault) {
    skipBlanks(&at)
    while at < end, text[at] == UInt8(ascii: "#") || text[at] == UInt8(ascii: "^") {
      _ = word(&at)
      skipBlanks(&at)
    }
  }

  private mutating func open(_ at: inout Int) throws(JournalFault) {
    let account = try account(&at)
    matter.accounts.update(account) { $0.isDeclared = true }
    context = .account(account)
    skipBlanks(&at)
    while let commodity = commodity(&at) {
      if matter.accounts.all[account].commodity == nil {
        matter.accounts.update(account) { $0.commodity = commodity }
      }
      skipBlanks(&at)
      guard at < end, text[at] == UInt8(ascii: ",") else { break }
      at += 1
      skipBlanks(&at)
    }
    skipBlanks(&at)
    if at < end, text[at] == UInt8(ascii: "\"") { methods[account] = try method(&at) }
  }

  private mutating func method(_ at: inout Int) throws(JournalFault) -> BeancountBooking.Method {
    let start = at
    let name = try quoted(&at)
    guard let method = BeancountBooking.Method(rawValue: name) else {
      throw fault(
        start, "The booking method “\(name.prefix(40))” isn't supported.",
        "Use STRICT, FIFO, LIFO, HIFO or NONE.")
    }
    return method
  }

  private mutating func balance(_ day: Day, _ at: inout Int) throws(JournalFault) {
    let account = try account(&at)
    skipBlanks(&at)
    let start = at
    let column = fault(at, "", "").column ?? 1
    guard let number = try number(&at) else {
      throw fault(start, .amount, "A number is missing here.", "Write balance ACCOUNT 10.00 EUR.")
    }
    skipBlanks(&at)
    var tolerance: JournalNumber?
    if at < end, text[at] == UInt8(ascii: "~") {
      at += 1
      tolerance = try self.number(&at)?.magnitude
      skipBlanks(&at)
    }
    guard let commodity = commodity(&at) else {
      throw fault(at, .currency, "A commodity is missing here.", "Write it after the number.")
    }
    try use(commodity, number, start)
    // The tolerance of a balance is twice the tolerance of a transaction.
    let inferred =
      number.scale == 0
      ? JournalNumber.zero
      : settings.toleranceMultiplier.multiplied(by: JournalNumber(units: 2, scale: number.scale))
    entries.append(
      BeancountEntry(
        day: day, rank: -1,
        content: .balance(
          BeancountBalance(
            line: line, column: column, file: file, account: account,
            amount: JournalAmount(number: number, commodity: commodity),
            tolerance: tolerance ?? inferred ?? .zero))))
  }

  mutating func takeOption(_ at: inout Int) throws(JournalFault) {
    let name = try quoted(&at)
    let start = at
    let value = try quoted(&at)
    switch name {
    case "name_assets": settings.roots[.asset] = value
    case "name_liabilities": settings.roots[.liability] = value
    case "name_equity": settings.roots[.equity] = value
    case "name_income": settings.roots[.income] = value
    case "name_expenses": settings.roots[.expense] = value
    case "booking_method":
      var again = start
      settings.booking = try method(&again)
    case "inferred_tolerance_multiplier", "tolerance_multiplier":
      settings.toleranceMultiplier = try tolerance(value, start)
    case "inferred_tolerance_default", "default_tolerance":
      let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw fault(start, .amount, "“\(value)” isn't a tolerance.", "Write \"EUR:0.005\".")
      }
      settings.tolerances[parts[0]] = try tolerance(parts[1], start)
    case "infer_tolerance_from_cost":
      settings.infersToleranceFromCost = value.lowercased() == "true"
    case "title", "operating_currency", "documents", "render_commas", "plugin_processing_mode",
      "long_string_maxlines", "insert_pythonpath":
      break
    default: matter.notice(line, "Ignored the option “\(name)”.", file: file)
    }
  }

  private func tolerance(_ text: String, _ at: Int) throws(JournalFault) -> JournalNumber {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard parts.count <= 2, digits.utf8.count <= 18, let units = Int128(digits), units >= 0 else {
      throw fault(at, .amount, "“\(text.prefix(40))” isn't a number.", "Write it as 0.005.")
    }
    return JournalNumber(units: units, scale: parts.count == 2 ? parts[1].utf8.count : 0)
  }

  /// Schedules the files of an `include` directive to be read after this line.
  mutating func include(_ path: String, _ start: Int) throws(JournalFault) {
    guard let include = options.include else {
      throw fault(
        start, "Includes aren't available here: “\(path)”.", "Put everything into one file.")
    }
    guard openFiles.count <= Self.includeDepthMax else {
      throw fault(
        start, "Files include each other more than \(Self.includeDepthMax) levels deep.",
        "Make sure that no file includes itself.")
    }
    var files: [RawFile]
    do {
      files = try include(joinedPath(path, to: matter.files[file]))
    } catch {
      throw fault(start, error.message, error.remedy)
    }
    guard !files.isEmpty else {
      throw fault(start, "Couldn't find the file “\(path)”.", "Check the path.")
    }
    files.removeAll { openFiles.contains($0.name) }
    includeCount += files.count
    guard includeCount <= Self.includeCountMax else {
      throw fault(
        start, "More than \(Self.includeCountMax) files are included.",
        "Make sure that no file includes itself.")
    }
    pendingIncludes = files
  }
}
