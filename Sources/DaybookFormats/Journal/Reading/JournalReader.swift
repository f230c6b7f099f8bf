import DaybookBookkeeping

/// The program whose rules apply to a journal.
package enum JournalDialect: Sendable {
  case hledger
  case ledger
}

/// Parses journals of hledger and ledger into a `JournalMatter`, file by file and line by line.
struct JournalReader: LineReading {
  /// The line that indented lines belong to.
  enum Context {
    case none
    case transaction
    case account(Int)
    case commodity(Int)
    /// A directive or rule whose indented lines are ignored.
    case passedOver
  }

  /// A directive that an `end` line closes.
  enum Applied {
    case account(Int)
    case tag(String)
    case year(Int?)
    case other
  }

  let dialect: JournalDialect
  let options: ReadingOptions
  var matter = JournalMatter()

  // The file being read.
  var text: [UInt8] = []
  var file = 0
  var line = 0
  var lineStart = 0
  /// The offset after the last byte of the line.
  var end = 0

  // The state set by directives.
  var year: Int?
  var applied: [Applied] = []
  /// The prefixes of all accounts, with their colons.
  var prefixes: [[UInt8]] = []
  var aliases: [(old: [UInt8], new: [UInt8])] = []
  var defaultCommodity: Int?
  var decimalMark: UInt8?
  /// The account of a missing second posting (`bucket`).
  var bucket: Int?
  /// The accounts' names as written in the file.
  ///
  /// Cleared when an alias or prefix changes.
  var written = NameTable()
  var writtenAccounts: [Int] = []

  // The transaction being read.
  var context = Context.none
  var entry: JournalEntry?
  var isEntryBad = false
  var notes: [String] = []
  var noticed: Set<String> = []
  var includeDepth = 0
  var includeCount = 0
  /// The current file and the files that include it.
  var openFiles: [String] = []

  static let includeDepthMax = 32
  static let includeCountMax = 10_000

  init(_ dialect: JournalDialect, _ options: ReadingOptions) {
    self.dialect = dialect
    self.options = options
  }

  /// Reads a file and the files that it includes.
  mutating func read(_ raw: RawFile) throws(InterchangeError) {
    let bytes = try raw.text(options.encoding).bytes
    try ValidText.check(bytes, of: raw.name)
    matter.files.append(raw.name)
    openFiles.append(raw.name)
    defer { openFiles.removeLast() }
    text = bytes
    file = matter.files.count - 1
    line = 0
    var position = 0
    let step = max(text.count / 64, 65_536)
    var next = step
    while position < text.count {
      line += 1
      lineStart = position
      var stop = position
      while stop < text.count, text[stop] != 0x0A { stop += 1 }
      position = stop + 1
      if stop > lineStart, text[stop - 1] == 0x0D { stop -= 1 }
      end = stop
      do throws(JournalFault) {
        if let rest = try takeLine() { position = try comment(until: rest, from: position) }
      } catch {
        if case .transaction = context { isEntryBad = true }
        matter.note(error, file: file)
      }
      if !pendingIncludes.isEmpty { try takeIncludes() }
      if position >= next, file == 0 {
        next = position + step
        options.progress?(Double(min(position, text.count)) / Double(max(text.count, 1)))
      }
    }
    endEntry()
  }

  /// The files that the current line includes.
  var pendingIncludes: [RawFile] = []

  private mutating func takeIncludes() throws(InterchangeError) {
    let files = pendingIncludes
    pendingIncludes = []
    let outer = (text, file, line)
    let (outerApplied, outerPrefixes) = (applied, prefixes)
    let settings = (decimalMark, aliases, year, defaultCommodity)
    for raw in files {
      includeDepth += 1
      try read(raw)
      includeDepth -= 1
    }
    (text, file, line) = outer
    // In hledger, the settings of an included file end with that file. In ledger, only those of
    // “apply” do.
    (applied, prefixes) = (outerApplied, outerPrefixes)
    if dialect == .hledger {
      (decimalMark, aliases, year, defaultCommodity) = settings
    }
    forgetWritten()
  }

  /// Parses a line.
  ///
  /// If it begins a block, returns the lines that end the block.
  private mutating func takeLine() throws(JournalFault) -> [String]? {
    guard lineStart < end else {
      endEntry()
      return nil
    }
    let first = text[lineStart]
    if first == 0x20 || first == 0x09 {
      try takeIndented()
      return nil
    }
    endEntry()
    switch first {
    case 0x30...0x39:
      context = .transaction
      try beginEntry()
    case UInt8(ascii: ";"), UInt8(ascii: "#"), UInt8(ascii: "*"), UInt8(ascii: "%"),
      UInt8(ascii: "|"):
      break
    case UInt8(ascii: "~"), UInt8(ascii: "="):
      context = .passedOver
      let what = first == UInt8(ascii: "~") ? "Periodic rules (~)" : "Automated rules (=)"
      matter.notice(line, "\(what) are skipped: “\(rest(lineStart))”.", file: file)
    default:
      return try takeDirective()
    }
    return nil
  }

  private mutating func takeIndented() throws(JournalFault) {
    var at = lineStart
    skipBlanks(&at)
    guard at < end else {
      endEntry()
      return
    }
    switch context {
    case .transaction:
      if text[at] == UInt8(ascii: ";") { takeComment(at + 1) } else { try takePosting(at) }
    case .account(let number): try takeAccountLine(number, at)
    case .commodity(let number): try takeCommodityLine(number, at)
    case .passedOver: break
    case .none:
      guard text[at] != UInt8(ascii: ";") else { return }
      throw JournalFault(
        line, at - lineStart + 1, .refused, "This indented line doesn't belong to a transaction.",
        "Start transactions with their date, without indentation.")
    }
  }

  /// Skips lines until one of the given lines.
  ///
  /// Returns the offset of the line after it.
  private mutating func comment(until words: [String], from start: Int) throws(JournalFault) -> Int
  {
    var position = start
    let begin = line
    while position < text.count {
      line += 1
      lineStart = position
      var stop = position
      while stop < text.count, text[stop] != 0x0A { stop += 1 }
      position = stop + 1
      end = stop
      if words.contains(rest(lineStart)) { return position }
    }
    // In hledger, an unclosed comment extends to the end of the file.
    if words.first == "end comment" { return position }
    throw JournalFault(
      begin, 1, .refused, "This block isn't closed.",
      "Close it with a line “\(words.first ?? "end")”.")
  }

  /// Ends the current transaction and records it if it is valid.
  mutating func endEntry() {
    context = .none
    guard var done = entry else { return }
    entry = nil
    guard !isEntryBad else {
      isEntryBad = false
      return
    }
    finish(&done)
    matter.entries.append(done)
  }

  private mutating func finish(_ done: inout JournalEntry) {
    if done.postings.count == 1, let bucket, done.postings[0].amount != nil {
      done.postings.append(JournalPosting(line: done.line, column: 1, account: bucket))
    }
    for case .tag(let tag) in applied { JournalComments.add(tag, to: &done.tags) }
    done.note = notes.joined(separator: "\n")
    notes = []
  }

  mutating func noticeOnce(_ key: String, _ message: @autoclosure () -> String) {
    if noticed.insert(key).inserted { matter.notice(line, message(), file: file) }
  }

  mutating func forgetWritten() {
    written = NameTable()
    writtenAccounts = []
  }
}
