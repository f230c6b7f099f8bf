import DaybookBookkeeping

extension JournalReader {
  /// Parses the first line of a transaction: date, second date, status, code, title and comment.
  mutating func beginEntry() throws(JournalFault) {
    notes = []
    isEntryBad = true
    var at = lineStart
    var new = JournalEntry(line: line, file: file, day: try day(&at))
    entry = new
    if at < end, text[at] == UInt8(ascii: "=") {
      at += 1
      let second = try day(&at, usual: new.day.year)
      if second != new.day { new.valueDay = second }
    }
    guard at >= end || text[at] <= 0x20 || text[at] == UInt8(ascii: ";") else {
      throw fault(
        at, .date, "The date isn't followed by a space.",
        "Write the date as 2026-01-31, followed by a space.")
    }
    skipBlanks(&at)
    takeStatus(&at, &new.status)
    if at < end, text[at] == UInt8(ascii: "("), let close = firstIndex(UInt8(ascii: ")"), at) {
      new.code = JournalComments.plain(text, trim(at + 1, close))
      at = close + 1
      skipBlanks(&at)
    }
    let stop = titleEnd(at)
    try title(at, stop, &new)
    isEntryBad = false
    entry = new
    if stop < end { takeComment(stop + 1) }
  }

  private func takeStatus(_ at: inout Int, _ status: inout Status) {
    guard at < end, text[at] == UInt8(ascii: "*") || text[at] == UInt8(ascii: "!") else { return }
    status = text[at] == UInt8(ascii: "!") ? .pending : .cleared
    at += 1
    skipBlanks(&at)
  }

  /// Returns the start of the comment.
  ///
  /// In hledger, any semicolon starts a comment. In ledger, the semicolon must come first or follow
  /// a tab or two spaces.
  private func titleEnd(_ start: Int) -> Int {
    var at = start
    while at < end {
      if text[at] == UInt8(ascii: ";") {
        if dialect == .hledger || at == start || text[at - 1] == 0x09 { return at }
        if at - start >= 2, text[at - 1] == 0x20, text[at - 2] <= 0x20 { return at }
      }
      at += 1
    }
    return end
  }

  private func title(_ from: Int, _ to: Int, _ entry: inout JournalEntry) throws(JournalFault) {
    let range = trim(from, to)
    if let bar = text[range].firstIndex(of: UInt8(ascii: "|")) {
      entry.payee = JournalComments.plain(text, trim(range.lowerBound, bar))
      entry.description = JournalComments.plain(text, trim(bar + 1, range.upperBound))
    } else {
      entry.payee = JournalComments.plain(text, range)
      if entry.payee.utf8.count > Limits.payeeByteCountMax {
        (entry.payee, entry.description) = ("", entry.payee)
      }
    }
    guard entry.payee.utf8.count <= Limits.payeeByteCountMax,
      entry.description.utf8.count <= Limits.descriptionByteCountMax,
      entry.code.utf8.count <= Limits.referenceByteCountMax
    else {
      throw fault(
        from, .tooLong, "The text of this transaction is too long.",
        "Shorten it, or move some of it to a comment.")
    }
  }

  /// Parses a comment and adds it to the last posting, or to the transaction if it has no postings
  /// yet.
  mutating func takeComment(_ start: Int) {
    guard var current = entry else { return }
    let range = trim(start, end)
    guard !range.isEmpty else { return }
    var (labels, isWhole) = JournalComments.labels(text, range, dialect)
    for label in labels where !JournalComments.add(label, to: &current.tags) { isWhole = false }
    if !isWhole {
      let note = JournalComments.plain(text, range)
      if let last = current.postings.indices.last {
        let old = current.postings[last].note
        let new = old.isEmpty ? note : old + "\n" + note
        if new.utf8.count <= Limits.postingNoteByteCountMax {
          current.postings[last].note = new
        } else {
          notes.append(note)
        }
        noticeDates(range)
      } else {
        notes.append(note)
      }
    }
    if notes.reduce(0, { $0 + $1.utf8.count + 1 }) > Limits.noteByteCountMax, !isEntryBad {
      isEntryBad = true
      matter.note(
        fault(
          start, .tooLong, "The comments of this transaction are too long.",
          "Shorten them to at most \(Limits.noteByteCountMax) bytes."), file: file)
    }
    entry = current
  }

  /// Reports that dates of individual postings are ignored.
  private mutating func noticeDates(_ range: Range<Int>) {
    let isBracket =
      text[range.lowerBound] == UInt8(ascii: "[")
      && range.contains(range.lowerBound + 1)
      && (text[range.lowerBound + 1] &- 0x30 <= 9 || text[range.lowerBound + 1] == 0x3D)
    let isTag = text[range].starts(with: Array("date:".utf8))
    if isBracket || isTag {
      matter.notice(
        line, "Ignored the date of a posting; the transaction's date is used.", file: file)
    }
  }

  /// Parses a posting that begins at `start`.
  mutating func takePosting(_ start: Int) throws(JournalFault) {
    guard entry != nil else { return }
    var at = start
    var status = Status.cleared
    takeStatus(&at, &status)
    var stop = at
    while stop < end {
      if text[stop] == 0x09 || (text[stop] == 0x20 && stop + 1 < end && text[stop + 1] <= 0x20) {
        break
      }
      stop += 1
    }
    var name = trim(at, stop)
    var posting = JournalPosting(line: line, column: at - lineStart + 1, account: 0)
    if name.count >= 2 {
      switch (text[name.lowerBound], text[name.upperBound - 1]) {
      case (UInt8(ascii: "("), UInt8(ascii: ")")): posting.sort = .unbalanced
      case (UInt8(ascii: "["), UInt8(ascii: "]")): posting.sort = .balanced
      case (UInt8(ascii: "<"), UInt8(ascii: ">")) where dialect == .ledger: break
      default: name = name.lowerBound..<name.upperBound
      }
      if posting.sort != .real || text[name.lowerBound] == UInt8(ascii: "<") {
        name = trim(name.lowerBound + 1, name.upperBound - 1)
      }
    }
    posting.account = try account(name)
    at = stop
    try takeAmounts(&at, &posting)
    if status == .pending { entry?.status = .pending }
    entry?.postings.append(posting)
    if at < end { takeComment(at + 1) }
  }

  /// Parses the amount, price and assertion of a posting, up to a comment.
  private mutating func takeAmounts(
    _ at: inout Int, _ posting: inout JournalPosting
  ) throws(JournalFault) {
    skipBlanks(&at)
    if at < end, text[at] != UInt8(ascii: ";"), text[at] != UInt8(ascii: "=") {
      let start = at
      let amount = try amount(&at)
      posting.amount = amount
      try takePrice(&at, &posting, amount, start)
    }
    skipBlanks(&at)
    if at < end, text[at] == UInt8(ascii: "=") {
      posting.assertion = try assertion(&at)
      skipBlanks(&at)
    }
    guard at >= end || text[at] == UInt8(ascii: ";") else {
      throw fault(
        at, .amount, "Unexpected “\(rest(at))” after an amount.",
        "Put two spaces between account and amount, and “;” before a comment.")
    }
  }

  private mutating func assertion(_ at: inout Int) throws(JournalFault) -> JournalAssertion {
    let start = at
    at += 1
    var isTotal = false
    var isInclusive = false
    if at < end, text[at] == UInt8(ascii: "=") {
      isTotal = true
      at += 1
    }
    if at < end, text[at] == UInt8(ascii: "*") {
      isInclusive = true
      at += 1
    }
    skipBlanks(&at)
    let amount = try amount(&at)
    // A cost after the asserted balance doesn't affect it.
    var ignored = JournalPosting(line: line, column: 1, account: 0)
    try takePrice(&at, &ignored, amount, start)
    return JournalAssertion(
      column: fault(start, "", "").column ?? 1, amount: amount, isTotal: isTotal,
      isInclusive: isInclusive)
  }
}
