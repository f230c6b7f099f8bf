import DaybookBookkeeping

/// The file format of Beancount, versions 2 and 3.
public enum BeancountFormat: FileFormat {
  /// The identifier `beancount`.
  public static let name = "beancount"
  /// The display name.
  public static let title = "Beancount"
  /// The file extensions.
  public static let endings = [".beancount", ".bean"]

  private static let words: Set<String> = [
    "*", "!", "txn", "open", "close", "balance", "pad", "note", "price", "commodity", "event",
    "document", "custom", "query",
  ]

  /// Recognises files whose lines begin with a date and a Beancount keyword.
  public static func recognise(_ head: FileHead) -> Recognition {
    var count = 0
    var options = 0
    for line in head.text.utf8.split(separator: 0x0A).prefix(2_000) {
      let parts = line.split(maxSplits: 3, omittingEmptySubsequences: true) { $0 <= 0x20 }
      guard let first = parts.first, parts.count > 1 else { continue }
      let word = String(Substring(parts[1]))
      if first.count >= 8, first.allSatisfy({ $0 &- 0x30 <= 9 || $0 == 0x2D || $0 == 0x2F }),
        line.first == first.first, words.contains(word)
      {
        guard word == "*" || word == "!" else { return .certain }
        // Transactions are recognised by their quoted text.
        if parts.count > 2, parts[2].first == UInt8(ascii: "\"") { count += 1 }
      }
      if parts.count > 2, ["option", "plugin"].contains(String(Substring(first))),
        parts[1].first == UInt8(ascii: "\"")
      {
        options += 1
      }
    }
    return count > 0 ? .certain : options > 0 ? .possible : .no
  }

  /// Reads a Beancount file and the files that it includes.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    var reader = BeancountReader(options)
    do {
      try reader.read(file)
    } catch {
      var error = error
      if error.path == nil { error.path = file.name }
      throw error
    }
    var booking = BeancountBooking(reader)
    booking.book()
    var options = options
    for (root, name) in reader.settings.roots { options.roots[name.lowercased()] = root }
    return BooksMaker.make(&booking.matter, booking.currencies, booking.kept, options)
  }
}

extension BeancountReader {
  /// The settings of `option` directives.
  struct Settings {
    var roots: [BookRoot: String] = [:]
    var booking = BeancountBooking.Method.strict
    /// The tolerance of an amount, as a multiple of its last decimal.
    var toleranceMultiplier = JournalNumber(units: 5, scale: 1)
    /// The tolerances by commodity, for commodities whose amounts have no decimals; `*` applies to
    /// all.
    var tolerances: [String: JournalNumber] = [:]
    var infersToleranceFromCost = false
  }
}
