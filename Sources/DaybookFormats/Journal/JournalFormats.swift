import DaybookBookkeeping

/// The journal format of hledger.
///
/// Where hledger and ledger differ, the rules of hledger apply. Assertions are checked in date
/// order, a single mark in a number is the decimal mark, and tags may be anywhere in a comment.
public enum HledgerFormat: FileFormat {
  /// The identifier `hledger`.
  public static let name = "hledger"
  /// The display name.
  public static let title = "hledger"
  /// The file extensions.
  public static let endings = [".journal", ".hledger", ".j"]

  /// Recognises journals.
  ///
  /// Features that only ledger supports lower the certainty.
  public static func recognise(_ head: FileHead) -> Recognition {
    JournalRecognition.judge(head, .hledger)
  }

  /// Reads a journal and the files that it includes.
  public static func read(
    _ file: RawFile, _ options: ReadingOptions
  ) throws(InterchangeError) -> FileContents {
    try JournalFormats.read(file, .hledger, options)
  }
}

/// The journal format of ledger.
///
/// Where hledger and ledger differ, the rules of ledger apply. Assertions are checked in file
/// order, a comma followed by three digits separates groups, and tags are at the beginning of a
/// comment.
public enum LedgerFormat: FileFormat {
  /// The identifier `ledger`.
  public static let name = "ledger"
  /// The display name.
  public static let title = "ledger"
  /// The file extensions.
  public static let endings = [".ledger", ".ldg", ".dat", ".lgr"]

  /// Recognises journals.
  ///
  /// Features that only hledger supports lower the certainty.
  public static func recognise(_ head: FileHead) -> Recognition {
    JournalRecognition.judge(head, .ledger)
  }

  /// Reads a journal and the files that it includes.
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

  /// Marks commodities that occur only in prices as used, with all of their decimals, because an
  /// inferred amount may be in such a commodity.
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
