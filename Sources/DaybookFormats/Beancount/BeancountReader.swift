import DaybookBookkeeping

/// Parses Beancount files, directive by directive.
struct BeancountReader: LineReading {
  let options: ReadingOptions
  var matter = JournalMatter()
  var settings = Settings()
  var entries: [BeancountEntry] = []
  /// The booking methods of accounts.
  var methods: [Int: BeancountBooking.Method] = [:]

  // The file being read.
  var text: [UInt8] = []
  var file = 0
  var line = 0
  var lineStart = 0
  var end = 0
  /// The offset of the next line.
  var position = 0

  // The tags and metadata set by `pushtag` and `pushmeta`.
  var tags: [String] = []
  var metadata: [(key: String, value: String)] = []

  // The directive that indented lines belong to.
  var context = Context.none
  var entry: JournalEntry?
  var lots: [BeancountLot?] = []
  var notes: [String] = []
  var isEntryBad = false
  var noticed: Set<String> = []
  var openFiles: [String] = []
  var pendingIncludes: [RawFile] = []
  var includeCount = 0

  enum Context {
    case none
    case transaction
    case account(Int)
    case commodity(Int)
    /// A directive whose metadata is discarded.
    case other
  }

  static let includeDepthMax = 32
  static let includeCountMax = 10_000

  init(_ options: ReadingOptions) { self.options = options }

  /// Reads a file and the files that it includes.
  mutating func read(_ raw: RawFile) throws(InterchangeError) {
    let bytes = try raw.text(options.encoding).bytes
    try ValidText.check(bytes, of: raw.name)
    matter.files.append(raw.name)
    openFiles.append(raw.name)
    defer { openFiles.removeLast() }
    (text, file, line, position) = (bytes, matter.files.count - 1, 0, 0)
    let step = max(text.count / 64, 65_536)
    var next = step
    while nextLine() {
      do throws(JournalFault) {
        try takeLine()
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

  private mutating func takeIncludes() throws(InterchangeError) {
    let files = pendingIncludes
    pendingIncludes = []
    let outer = (text, file, line, position, tags, metadata)
    // Pushed tags and metadata apply neither to included files nor to later files.
    for raw in files {
      (tags, metadata) = ([], [])
      try read(raw)
    }
    (text, file, line, position, tags, metadata) = outer
  }

  /// Moves to the next line.
  ///
  /// Returns `false` at the end of the text.
  mutating func nextLine() -> Bool {
    guard position < text.count else { return false }
    line += 1
    lineStart = position
    var stop = position
    while stop < text.count, text[stop] != 0x0A { stop += 1 }
    position = stop + 1
    if stop > lineStart, text[stop - 1] == 0x0D { stop -= 1 }
    end = stop
    return true
  }

  private mutating func takeLine() throws(JournalFault) {
    var at = lineStart
    skipBlanks(&at)
    guard at < end else {
      // A blank line doesn't end a transaction.
      return
    }
    if at > lineStart {
      if text[at] == UInt8(ascii: ";") { return }
      return try takeIndented(at)
    }
    endEntry()
    let first = text[at]
    if first &- 0x30 <= 9 { return try takeDated() }
    guard first | 0x20 >= UInt8(ascii: "a"), first | 0x20 <= UInt8(ascii: "z") else {
      // Ignore Org mode headlines, comments and similar lines.
      return
    }
    try takeUndated()
  }

  private mutating func takeUndated() throws(JournalFault) {
    var at = lineStart
    let word = word(&at)
    skipBlanks(&at)
    context = .other
    switch word {
    case "option": try takeOption(&at)
    case "plugin":
      noticeOnce("plugin", "Plugins aren't run, so the entries they would add are missing.")
    case "include": try include(try quoted(&at), lineStart)
    case "pushtag":
      let tag = try tag(&at)
      guard tags.count < Limits.tagCountMax else {
        throw fault(lineStart, .tooLong, "Too many tags are pushed.", "Pop some of them.")
      }
      tags.append(tag)
    case "poptag":
      let tag = try tag(&at)
      tags.removeAll { $0 == tag }
    case "pushmeta":
      if let (key, value) = try metadata(&at), metadata.count < 64 { metadata.append((key, value)) }
    case "popmeta":
      let key = rest(at).prefix { $0 != ":" }
      metadata.removeAll { $0.key == key }
    default:
      throw fault(
        lineStart, "“\(word.prefix(40))” doesn't start a directive.",
        "Start directives with their date, and comments with “;”.")
    }
  }

  /// Parses a word, which ends at the next blank.
  func word(_ at: inout Int) -> String {
    let start = at
    while at < end, text[at] > 0x20 { at += 1 }
    return String(decoding: text[start..<at], as: UTF8.self)
  }

  /// Parses a quoted string, which may span several lines.
  mutating func quoted(_ at: inout Int) throws(JournalFault) -> String {
    skipBlanks(&at)
    let open = (line, at < end ? at : end)
    guard at < end, text[at] == UInt8(ascii: "\"") else {
      throw fault(at, "A text in quotes is missing here.", "Write it as \"text\".")
    }
    at += 1
    var bytes: [UInt8] = []
    let missing = fault(open.1, "These quotes aren't closed.", "Close them with \".")
    while true {
      guard at < text.count else { throw missing }
      if at >= end {
        guard nextLine() else { throw missing }
        bytes.append(0x0A)
        at = lineStart
        continue
      }
      let byte = text[at]
      at += 1
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\"), at < end {
        switch text[at] {
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "r"), UInt8(ascii: "f"), UInt8(ascii: "b"): bytes.append(0x20)
        default: bytes.append(text[at])
        }
        at += 1
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func noticeOnce(_ key: String, _ message: @autoclosure () -> String) {
    if noticed.insert(key).inserted { matter.notice(line, message(), file: file) }
  }

  /// Ends the current transaction and records it if it is valid.
  mutating func endEntry() {
    context = .none
    guard var done = entry else { return }
    entry = nil
    defer {
      lots = []
      notes = []
      isEntryBad = false
    }
    if isEntryBad { return }
    for (key, value) in metadata { label(key, value, &done) }
    done.note = notes.joined(separator: "\n")
    guard done.note.utf8.count <= Limits.noteByteCountMax else {
      matter.note(
        JournalFault(
          done.line, 1, .tooLong, "The notes of this transaction are too long.",
          "Shorten them to at most \(Limits.noteByteCountMax) bytes."), file: file)
      return
    }
    entries.append(
      BeancountEntry(day: done.day, rank: 0, content: .transaction(done, lots)))
  }
}
