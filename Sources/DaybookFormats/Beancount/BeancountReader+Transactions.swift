import DaybookBookkeeping

extension BeancountReader {
  /// Parses the rest of the first line of a transaction: payee, description, tags and links.
  mutating func beginEntry(_ day: Day, _ flag: String, _ start: Int) throws(JournalFault) {
    var at = start
    var new = JournalEntry(line: line, file: file, day: day)
    new.status = flag == "!" ? .pending : .cleared
    context = .transaction
    isEntryBad = true
    entry = new
    var texts: [String] = []
    while at < end, text[at] == UInt8(ascii: "\"") {
      guard texts.count < 2 else {
        throw fault(
          at, "A transaction can have at most two texts.", "Write a payee and a description.")
      }
      let raw = try quoted(&at)
      let bytes = Array(raw.utf8)
      texts.append(JournalComments.plain(bytes, 0..<bytes.count))
      skipBlanks(&at)
      // Older files separate the two texts with a bar.
      if at < end, text[at] == UInt8(ascii: "|") {
        at += 1
        skipBlanks(&at)
      }
    }
    new.description = texts.last ?? ""
    new.payee = texts.count > 1 ? texts[0] : ""
    guard new.payee.utf8.count <= Limits.payeeByteCountMax,
      new.description.utf8.count <= Limits.descriptionByteCountMax
    else {
      throw fault(
        start, .tooLong, "The text of this transaction is too long.",
        "Shorten it, or move some of it to metadata.")
    }
    entry = new
    for tag in tags { label(tag) }
    try takeLabels(&at)
    try finishLine(at)
    isEntryBad = false
  }

  private mutating func takeLabels(_ at: inout Int) throws(JournalFault) {
    skipBlanks(&at)
    while at < end, text[at] == UInt8(ascii: "#") || text[at] == UInt8(ascii: "^") {
      let word = word(&at)
      // A link keeps its caret to distinguish it from a tag.
      label(word.hasPrefix("#") ? String(word.dropFirst()) : word)
      skipBlanks(&at)
    }
  }

  private mutating func label(_ label: String) {
    guard entry != nil, var tags = entry?.tags else { return }
    if !JournalComments.add(label, to: &tags), !label.isEmpty { notes.append(label) }
    entry?.tags = tags
  }

  /// Adds metadata to a transaction as a tag, or as a line of the note if it is too long for a tag.
  ///
  /// Daybook's exports use the keys `code`, `valueday`, `note`, `label1`, `label2` and so on.
  mutating func label(_ key: String, _ value: String, _ entry: inout JournalEntry) {
    if key == "code", value.utf8.count <= Limits.referenceByteCountMax {
      entry.code = value
      return
    }
    if key == "valueday", let day = Day(value) {
      entry.valueDay = day
      return
    }
    if key == "note" {
      notes.append(value)
      return
    }
    if key.hasPrefix("label"), Int(key.dropFirst(5)) != nil, !value.isEmpty {
      if !JournalComments.add(value, to: &entry.tags) { notes.append(value) }
      return
    }
    let label = value.isEmpty ? key : "\(key):\(value)"
    if !JournalComments.add(label, to: &entry.tags) { notes.append("\(key): \(value)") }
  }

  /// Parses an indented line, which is a posting, metadata, or additional tags.
  mutating func takeIndented(_ start: Int) throws(JournalFault) {
    var at = start
    switch context {
    case .none, .other:
      // Metadata of other directives is discarded.
      if try metadata(&at) == nil, case .none = context {
        throw fault(
          start, "This indented line doesn't belong to a directive.",
          "Start directives with their date, without indentation.")
      }
    case .account(let account):
      if let (key, value) = try metadata(&at) {
        matter.accounts.note(account, "\(key): \(value)")
      }
    case .commodity(let commodity):
      if let (key, value) = try metadata(&at), key == "name", !value.isEmpty,
        value.utf8.count <= Limits.nameByteCountMax
      {
        matter.commodities.update(commodity) { $0.title = value }
      }
    case .transaction:
      if let (key, value) = try metadata(&at) {
        try takeMetadata(key, value, start)
      } else if text[at] == UInt8(ascii: "#") && at + 1 < end && text[at + 1] > 0x20
        || text[at] == UInt8(ascii: "^")
      {
        try takeLabels(&at)
        try finishLine(at)
      } else {
        try takePosting(at)
      }
    }
  }

  private mutating func takeMetadata(
    _ key: String, _ value: String, _ start: Int
  ) throws(JournalFault) {
    guard var current = entry else { return }
    if let last = current.postings.indices.last {
      let line = key == "note" ? value : "\(key): \(value)"
      let old = current.postings[last].note
      let new = old.isEmpty ? line : old + "\n" + line
      if new.utf8.count <= Limits.postingNoteByteCountMax {
        current.postings[last].note = new
      } else {
        notes.append(line)
      }
    } else {
      label(key, value, &current)
    }
    entry = current
  }

  private mutating func takePosting(_ start: Int) throws(JournalFault) {
    var at = start
    // A posting may have a flag before its account.
    if at + 1 < end, text[at + 1] <= 0x20 {
      if text[at] == UInt8(ascii: "!") { entry?.status = .pending }
      at += 1
      skipBlanks(&at)
    }
    let column = fault(at, "", "").column ?? 1
    let account = try account(&at)
    var posting = JournalPosting(line: line, column: column, account: account)
    var lot: BeancountLot?
    let amountStart = at
    if let number = try number(&at) {
      skipBlanks(&at)
      guard let commodity = commodity(&at) else {
        throw fault(
          at, .currency, "A commodity is missing here.", "Write it after the number: 10.00 EUR.")
      }
      try use(commodity, number, amountStart)
      posting.amount = JournalAmount(number: number, commodity: commodity)
      skipBlanks(&at)
      if at < end, text[at] == UInt8(ascii: "{") { lot = try self.lot(&at) }
      skipBlanks(&at)
      try price(&at, &posting)
    } else {
      skipBlanks(&at)
      // If the posting has only a commodity, the number is inferred.
      if let commodity = commodity(&at) {
        posting.weight = JournalAmount(number: .zero, commodity: commodity)
      }
    }
    try finishLine(at)
    entry?.postings.append(posting)
    lots.append(lot)
  }

  private mutating func price(_ at: inout Int, _ posting: inout JournalPosting) throws(JournalFault)
  {
    guard at < end, text[at] == UInt8(ascii: "@"), let amount = posting.amount else { return }
    let start = at
    at += 1
    let isTotal = at < end && text[at] == UInt8(ascii: "@")
    if isTotal { at += 1 }
    skipBlanks(&at)
    guard try hasNumber(at) else {
      throw fault(
        start, .amount, "The price is missing here.", "Write the price.")
    }
    let price = try self.amount(&at, isUse: false)
    let total = amount.number.isNegative ? price.number.negated : price.number
    let worth = isTotal ? total : amount.number.multiplied(by: price.number)
    guard let worth else {
      throw fault(
        start, .amount, "The product of amount and price is too large.",
        "Write the total price with @@.")
    }
    posting.weight = JournalAmount(number: worth, commodity: price.commodity)
  }

  private func hasNumber(_ start: Int) throws(JournalFault) -> Bool {
    var at = start
    return try number(&at) != nil
  }

  /// Parses a cost: `{10.00 USD, 2026-01-31, "label"}`, `{{100.00 USD}}`, `{10.00 # 5.00 USD}` or
  /// `{}`.
  private mutating func lot(_ at: inout Int) throws(JournalFault) -> BeancountLot {
    let start = at
    var lot = BeancountLot(column: fault(at, "", "").column ?? 1)
    at += 1
    let isTotal = at < end && text[at] == UInt8(ascii: "{")
    if isTotal { at += 1 }
    while true {
      skipBlanks(&at)
      guard at < end else {
        throw fault(start, .amount, "The cost of a lot isn't closed.", "Close it with “}”.")
      }
      if text[at] == UInt8(ascii: "}") {
        at += 1
        guard isTotal else { break }
        guard at < end, text[at] == UInt8(ascii: "}") else {
          throw fault(start, .amount, "The cost of a lot isn't closed.", "Close it with “}}”.")
        }
        at += 1
        break
      }
      if text[at] == UInt8(ascii: ",") {
        at += 1
      } else if text[at] == UInt8(ascii: "*") {
        lot.isMerged = true
        at += 1
      } else if text[at] == UInt8(ascii: "\"") {
        lot.label = try quoted(&at)
      } else if let day = try day(&at) {
        lot.day = day
      } else {
        try cost(&at, &lot, isTotal)
      }
    }
    return lot
  }

  private mutating func cost(
    _ at: inout Int, _ lot: inout BeancountLot, _ isTotal: Bool
  ) throws(JournalFault) {
    let start = at
    if let number = try number(&at) {
      if isTotal { lot.total = number } else { lot.perUnit = number }
    }
    skipBlanks(&at)
    if at < end, text[at] == UInt8(ascii: "#") {
      at += 1
      lot.total = try number(&at)
      skipBlanks(&at)
    }
    lot.commodity = commodity(&at)
    guard at > start else {
      throw fault(
        at, .amount, "“\(rest(at).prefix(40))” isn't a cost.",
        "Write {10.00 USD}, optionally with a date and a label.")
    }
  }
}
