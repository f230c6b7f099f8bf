// Goal: one import equals many: statements of one account give the same ledger, however they are cut into statements
// and files, overlap or are repeated, in any order. Method: seeded rows with equal, reused and missing references are
// cut at random between days; the ledger has each row as often as the account has.
import Daybook
import DaybookRandom
import Testing

@testable import DaybookFormats
@testable import DaybookInterchange

@Suite struct OverlappingStatementTests {
  private static let account = StatementAccount(iban: "DE89370400440532013000", currency: eur)
  private static let first = day("2026-03-02")

  /// The rows of an account, in order; equal rows occur within a day.
  private static func rows(_ random: inout SeededGenerator, format: String) -> [StatementRow] {
    var rows: [StatementRow] = []
    for index in 0..<40 {
      if let last = rows.last, random.below(5) == 0 {
        // The same again: the bank repeats the reference, or gives none.
        var row = last
        row.line = index + 1
        rows.append(row)
        continue
      }
      var row = StatementRow(
        line: index + 1, day: first.adding(days: index / 4),
        amount: Money(Int64(random.below(3)) * 500 - 1_250, eur),
        description: "Order \(random.below(3))", payee: "Shop \(random.below(2))")
      row.reference = format.isEmpty ? "" : "\(format):"
      // References are reused on other days.
      if !format.isEmpty, random.below(3) > 0 { row.reference += "\(random.below(9))" }
      rows.append(row)
    }
    return rows
  }

  /// Cuts rows into overlapping statements of whole days, which together contain all rows.
  private static func statements(
    _ rows: [StatementRow], _ random: inout SeededGenerator
  ) -> [Statement] {
    var spans: [ClosedRange<Int>] = []
    var next = 0
    while next < 10 {
      let end = min(9, next + random.below(4))
      spans.append(max(0, next - random.below(3))...min(9, end + random.below(3)))
      next = end + 1
    }
    for index in stride(from: spans.count - 1, to: 0, by: -1) {
      spans.swapAt(index, random.below(index + 1))
    }
    if random.below(2) == 0 { spans.append(spans[0]) }
    return spans.map { span in
      var statement = Statement(line: 1, account: account)
      let days = first.adding(days: span.lowerBound)...first.adding(days: span.upperBound)
      statement.rows = rows.filter { days.contains($0.day) }
      return statement
    }
  }

  private static func words(_ rows: [Transaction]) -> [String] {
    rows.map { row in
      "\(row.day) \(row.amount?.minorUnits ?? 0) \(row.payee) \(row.description) "
        + (row.importIdentity?.reference ?? "")
    }.sorted()
  }

  @Test(arguments: ["ofx", "camt", "mt940", "qif", ""])
  func howeverStatementsAreCutTheLedgerIsTheSame(format: String) async throws {
    for seed in 1...12 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let rows = Self.rows(&random, format: format)
      var whole = Statement(line: 1, account: Self.account)
      whole.rows = rows
      var answers: [[String]] = []
      for isWhole in [true, false] {
        let ledger = try await Ledger.inMemory()
        var statements = isWhole ? [whole] : Self.statements(rows, &random)
        var importer = StatementImporter()
        importer.accounts.choose("Giro", for: "DE89370400440532013000")
        while !statements.isEmpty {
          var file = FileContents()
          let count = min(statements.count, 1 + random.below(3))
          file.statements = Array(statements.prefix(count))
          statements.removeFirst(count)
          try await importer.run(file, into: ledger)
          // Some files are imported again at once.
          if random.below(4) == 0 {
            let again = try await importer.run(file, into: ledger)
            #expect(again.imported == 0, "seed \(seed)")
          }
        }
        answers.append(Self.words(try ledger.read { try $0.transactions(limit: 100) }))
        try await ledger.close()
      }
      #expect(answers[0].count == rows.count, "seed \(seed)")
      #expect(answers[1] == answers[0], "seed \(seed)")
    }
  }
}
