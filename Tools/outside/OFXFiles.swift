import Daybook
import DaybookInterchange
import Foundation

/// Compares the OFX files of ofxparse's tests with what ofxparse reads.
///
/// The figures are those of ofxparse 0.21. Each case with an intentional difference states the
/// reason.
struct OFXFiles {
  /// The expected contents of an account.
  struct Expected {
    var number: String
    var currency: String?
    var rows: Int
    var sum: String
    var closing: String?
    var days: [String] = []
    var references: [String] = []
  }

  enum Outcome {
    case read([Expected])
    /// The file is rejected with this text in the message.
    case refused(String)
    /// Rows on these lines are rejected; the others are read.
    case badLines([Int], [Expected])
  }

  struct Case {
    var file: String
    var outcome: Outcome
    /// Why the result differs from that of ofxparse.
    var exception: String?
  }

  let places: Places

  /// The sorted names of all files in the folder.
  func files() throws -> [String] {
    let root = try places.outside("ofx")
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".ofx") }.sorted()
  }

  func check(_ file: String) throws -> String {
    guard let test = Self.cases.first(where: { $0.file == file }) else {
      throw Wrong("there is no expectation for it")
    }
    let raw = try RawFile(path: places.outside("ofx/" + file))
    try expect("recognised", OFX.recognise(FileHead(raw)), .certain)
    let why = test.exception.map { "; \($0)" } ?? ""
    switch test.outcome {
    case .refused(let words):
      do {
        _ = try OFX.read(raw, ReadingOptions())
      } catch {
        guard error.message.contains(words) else { throw Wrong("refused otherwise: \(error)") }
        return "refused: \(error.message.prefix(90))\(why)"
      }
      throw Wrong("it is read")
    case .read(let accounts): return try compare(raw, accounts, []) + why
    case .badLines(let lines, let accounts): return try compare(raw, accounts, lines) + why
    }
  }

  private func compare(_ raw: RawFile, _ accounts: [Expected], _ bad: [Int]) throws -> String {
    let contents = try OFX.read(raw, ReadingOptions())
    try expect("lines of bad rows", contents.badLines.map(\.line), bad)
    try expect("statements", contents.statements.map(\.account.number), accounts.map(\.number))
    var figures: [String] = []
    for (statement, account) in zip(contents.statements, accounts) {
      let rows = statement.rows
      let digits = statement.account.currency?.digits ?? 0
      let sum = rows.reduce(0) { $0 + Int128($1.amount.minorUnits) }
      let name = account.number
      try expect("currency of \(name)", statement.account.currency?.code, account.currency)
      try expect("rows of \(name)", rows.count, account.rows)
      try expect("sum of \(name)", BankFigures.text(sum, digits), account.sum)
      try expect("closing balance of \(name)", statement.closing?.amount.text, account.closing)
      if !account.days.isEmpty {
        try expect("days of \(name)", rows.map { "\($0.day)" }, account.days)
      }
      if !account.references.isEmpty {
        try expect(
          "references of \(name)", rows.map(\.reference), account.references.map { "ofx:" + $0 })
      }
      figures.append("\(rows.count) rows of \(account.sum)")
    }
    if !bad.isEmpty { figures.append("bad lines \(bad)") }
    return figures.isEmpty ? "no accounts" : figures.joined(separator: ", ")
  }
}

/// Formats amounts.
enum BankFigures {
  static func text(_ units: Int128, _ digits: Int) -> String {
    let sign = units < 0 ? "-" : ""
    let figures = String(units.magnitude)
    let padded = String(repeating: "0", count: max(digits + 1 - figures.count, 0)) + figures
    guard digits > 0 else { return sign + padded }
    return "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
  }
}
