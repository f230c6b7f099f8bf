import DaybookBookkeeping

@testable import DaybookFormats

/// Reads a text as journals are read, and says what became of it in short lines.
struct ReadJournal {
  let contents: FileContents

  init(
    _ text: String, _ format: any FileFormat.Type = HledgerFormat.self,
    _ change: (inout ReadingOptions) -> Void = { _ in }
  ) throws {
    var options = ReadingOptions()
    change(&options)
    contents = try format.read(RawFile(Array(text.utf8), name: "books/main.journal"), options)
  }

  var books: Books { contents.books ?? Books() }

  /// Every posting as "2026-01-31 Bank 12.50 EUR".
  var postings: [String] {
    books.transactions.flatMap { transaction in
      transaction.postings.map { "\(transaction.day) \(Self.name($0.place)) \($0.amount)" }
    }
  }

  var bad: [String] { contents.badLines.map { "\($0.line):\($0.column ?? 0) \($0.reason)" } }
  var notices: [String] { contents.notices.map(\.description) }
  var accounts: [String] { books.accounts.map { "\($0.name) \($0.kind) \($0.currency)" } }

  static func name(_ place: BookPosting.Place) -> String {
    switch place {
    case .account(let name): name
    case .category(let path, let kind): "\(kind)/\(path)"
    case .exchange: "exchange"
    case .opening: "opening"
    case .outside: "outside"
    }
  }
}
