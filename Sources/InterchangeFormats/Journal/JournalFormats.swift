import Bookkeeping

/// Journals of hledger.
///
/// Where hledger and ledger differ, its rules count: assertions are checked in the order of days, a
/// single mark in a number is the decimal one, tags are found anywhere in comments.
public enum HledgerFormat: FileFormat {
  /// `hledger`.
  public static let name = "hledger"
  /// What people call it.
  public static let title = "hledger"
  /// How names of its files end.
  public static let endings = [".journal", ".hledger", ".j"]

  /// Whether a file looks like a journal, and has nothing that only ledger has.
  public static func recognise(_ head: FileHead) -> Recognition {
    JournalRecognition.judge(head, .hledger)
  }

  /// Reads a journal.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    try JournalFormats.read(file, .hledger, options)
  }
}

/// Journals of ledger.
///
/// Where hledger and ledger differ, its rules count: assertions are checked in the order of lines, a comma
/// before three digits parts groups, tags stand at the beginning of comments.
public enum LedgerFormat: FileFormat {
  /// `ledger`.
  public static let name = "ledger"
  /// What people call it.
  public static let title = "ledger"
  /// How names of its files end.
  public static let endings = [".ledger", ".ldg", ".dat", ".lgr"]

  /// Whether a file looks like a journal, and has nothing that only hledger has.
  public static func recognise(_ head: FileHead) -> Recognition {
    JournalRecognition.judge(head, .ledger)
  }

  /// Reads a journal.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    try JournalFormats.read(file, .ledger, options)
  }
}

enum JournalFormats {
  static func read(
    _ file: RawFile, _ dialect: JournalDialect, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    var reader = JournalReader(dialect, options)
    do {
      try reader.read(file)
    } catch {
      var error = error
      if error.path == nil { error.path = file.name }
      throw error
    }
    var matter = reader.matter
    usePricesOnly(&matter)
    var resolver = JournalResolver(matter, dialect, options)
    resolver.resolve(&matter)
    return BooksMaker.make(&matter, resolver.currencies, resolver.kept, options)
  }

  /// A commodity that only prices are in may become that of an amount that is left out: then with all of
  /// its decimals.
  private static func usePricesOnly(_ matter: inout JournalMatter) {
    var digits: [Int: Int] = [:]
    for entry in matter.entries where entry.postings.contains(where: { $0.amount == nil }) {
      for weight in entry.postings.compactMap(\.weight) where weight.commodity >= 0 {
        guard !matter.commodities.all[weight.commodity].isUsed else { continue }
        let scale = min(weight.number.shortest.scale, JournalNumber.scaleMax)
        digits[weight.commodity] = max(digits[weight.commodity] ?? 0, scale)
      }
    }
    for (commodity, count) in digits { matter.commodities.use(commodity, digits: count) }
  }
}
