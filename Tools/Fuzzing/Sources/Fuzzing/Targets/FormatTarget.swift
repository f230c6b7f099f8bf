import DaybookBookkeeping
import DaybookInterchange

extension FuzzTarget {
  /// A file format: the reader must not trap, and the contents must be consistent.
  static func format(_ format: any FileFormat.Type) -> FuzzTarget {
    FuzzTarget(
      name: format.name,
      seeds: { files in
        let tests = files.tests.filter {
          format.recognise(FileHead(RawFile($0, name: "input"))) > .no
        }
        return tests + samples(of: format) + files.files(in: files.data, endings: format.endings)
      },
      words: { files in files.words(of: "Interchange/Formats/\(folder(of: format))") },
      run: { bytes in
        let file = RawFile(bytes, name: "input" + (format.endings.first ?? ""))
        _ = FileFormats.candidates(file)
        _ = format.recognise(FileHead(file))
        var options = ReadingOptions()
        options.currency = Currency.iso("EUR")
        options.include = { _ in [] }
        guard let contents = try? format.read(file, options) else { return }
        check(contents)
      })
  }

  private static func samples(of format: any FileFormat.Type) -> [[UInt8]] {
    guard format == GnuCash.self else { return [] }
    var book = GnuCashBook.usual
    book.share("ACME", "NASDAQ", "Acme", fraction: 10_000)
    book.account(
      9, "Shares", "STOCK", in: GnuCashBook.commodity("ACME", "NASDAQ"), fraction: 10_000, below: 2)
    book.transaction(
      20, "2026-01-31", "Groceries", slots: ["notes": "weekly"],
      GnuCashBook.split(3, "-1250/100", memo: "card", state: "y"), GnuCashBook.split(6, "1250/100"))
    book.transaction(
      21, "2026-02-01", "Acme", GnuCashBook.split(3, "-10000/100"),
      GnuCashBook.split(9, "10000/100", "25000/10000", action: "Buy"))
    return [Array(book.text.utf8)]
  }

  private static func folder(of format: any FileFormat.Type) -> String {
    format == HledgerFormat.self || format == LedgerFormat.self
      ? "Journal" : format == BeancountFormat.self ? "Beancount" : "\(format)"
  }

  /// Checks that the contents are consistent.
  static func check(_ contents: FileContents) {
    require(
      contents.badLines.count == min(contents.badLineCount, FileContents.badLineCountMax),
      "bad lines are kept and counted")
    for notice in contents.notices { require(notice.line > 0, "\(notice) has its line") }
    for line in contents.badLines { require(line.line > 0, "\(line) has its line") }
    for statement in contents.statements {
      _ = statement.difference
      for row in statement.rows { check(row) }
    }
    if let books = contents.books { check(books) }
  }

  private static func check(_ row: StatementRow) {
    require(row.line > 0 && row.day.isInRange, "a row has its line and a day: \(row)")
    guard !row.parts.isEmpty else { return }
    let sum = row.parts.reduce(Int128(0)) { $0 + Int128($1.amount.minorUnits) }
    require(sum == Int128(row.amount.minorUnits), "parts make the row's amount: \(row)")
  }

  private static func check(_ books: Books) {
    let accounts = Dictionary(
      books.accounts.map { ($0.name, $0.currency) }, uniquingKeysWith: { first, _ in first })
    require(accounts.count == books.accounts.count, "names of accounts are unique")
    for transaction in books.transactions {
      require(transaction.line > 0 && transaction.day.isInRange, "has a line and a day")
      var sums: [Currency: Int128] = [:]
      for posting in transaction.postings {
        sums[posting.amount.currency, default: 0] += Int128(posting.amount.minorUnits)
        guard case .account(let name) = posting.place else { continue }
        require(
          accounts[name] == posting.amount.currency,
          "\(name) is an account in \(posting.amount.currency)")
      }
      require(sums.values.allSatisfy { $0 == 0 }, "postings sum to zero: \(transaction)")
    }
    for assertion in books.assertions {
      require(accounts[assertion.account] != nil, "\(assertion.account) is an account")
    }
  }
}
