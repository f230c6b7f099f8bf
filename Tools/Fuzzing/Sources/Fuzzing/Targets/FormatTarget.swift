import Bookkeeping
import Interchange

extension FuzzTarget {
  /// A format: its files are recognised and read or refused, and what is read holds together.
  static func format(_ format: any FileFormat.Type) -> FuzzTarget {
    FuzzTarget(
      name: format.name,
      seeds: { files in files.files(in: files.data, endings: format.endings) },
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

  private static func check(_ contents: FileContents) {
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
