/// Goal: CSV files that a process imports while it may be killed, for the trials beside this file.
/// Method: each file makes a category and tells each row by its description, so that what came of it can
/// be counted; it stays next to the ledger and is imported again. The acknowledgements have a line `<NAME`
/// before an import, `>NAME` once it was acknowledged, and `!NAME` when it was inspected.
import Daybook
import DaybookInterchange
import DaybookRandom
import Foundation
import Testing

struct FileImport {
  let name: String
  let acks: AckFile

  init(_ name: String, _ acks: AckFile) {
    self.name = name
    self.acks = acks
  }

  private var path: String {
    acks.path + ".\(name.replacingOccurrences(of: " ", with: "-")).csv"
  }

  private static let mapping = """
    {"date": {"column": "day"}, "amount": {"column": "amount"}, "currency": "EUR",
     "account": "Cash", "category": ["{category}"], "description": "{text}"}
    """

  var category: String { "import \(name)" }

  func rowText(_ row: Int) -> String { "import \(name) row \(row)" }

  /// Makes the file.
  func write(_ rowCount: Int, _ random: inout SeededGenerator) throws -> FileImport {
    var text = "day,amount,category,text\n"
    for row in 0..<rowCount {
      guard let day = Child.day(&random) else { preconditionFailure("a day of 2026") }
      let units = Int.random(in: 1...999, using: &random)
      text += "\(day),-\(units).50,\(category),\(rowText(row))\n"
    }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return self
  }

  /// How many rows the file has.
  func rowCount() throws -> Int {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count - 1
  }

  /// Imports the file, and notes so before and after.
  func run(into ledger: Ledger) async throws {
    acks.note(["<\(name)"])
    try await land(in: ledger)
    acks.note([">\(name)"])
  }

  /// Imports the file.
  @discardableResult
  func land(in ledger: Ledger) async throws -> ImportSummary {
    try await CSVImporter().run(
      CSVFile(path: path), mapping: ImportMapping(json: Data(Self.mapping.utf8)), into: ledger)
  }
}

extension AckFile {
  /// The imports that were begun and not inspected yet, and whether each was acknowledged.
  func imports() -> [(import: FileImport, isAcknowledged: Bool)] {
    let lines = Set(self.lines())
    return lines.filter { $0.hasPrefix("<") && !lines.contains("!\($0.dropFirst())") }.sorted().map
    {
      (FileImport(String($0.dropFirst()), self), lines.contains(">\($0.dropFirst())"))
    }
  }
}

/// What must hold of imports after a kill: of each there is all or nothing, and all if it was
/// acknowledged; importing the same file again leaves every row there exactly once.
///
/// - Parameter texts: The descriptions of all rows of the ledger.
func inspectImports(
  _ ledger: Ledger, _ acks: AckFile, _ texts: [String], seed: UInt64
) async throws {
  let begun = acks.imports()
  guard !begun.isEmpty else { return }
  var counts: [String: Int] = [:]
  for text in texts where text.hasPrefix("import ") { counts[text, default: 0] += 1 }
  let names = try ledger.read { try $0.categories().map(\.name) }
  for (file, isAcknowledged) in begun {
    let told = "seed \(seed), import \(file.name)"
    let rowCount = try file.rowCount()
    let found = (0..<rowCount).reduce(0) { $0 + counts[file.rowText($1), default: 0] }
    #expect(found == rowCount || found == 0, "\(told): \(found) of \(rowCount) rows")
    #expect(found == rowCount || !isAcknowledged, "\(told): \(found) rows, though acknowledged")
    #expect(
      names.count { $0 == file.category } == (found == 0 ? 0 : 1),
      "\(told): the category is not there as the rows are")
    let again = try await file.land(in: ledger)
    #expect(again.imported == rowCount - found, "\(told)")
    #expect(again.duplicates == found, "\(told)")
    acks.note(["!\(file.name)"])
  }
  var seen: [String: Int] = [:]
  try ledger.read { snapshot throws in
    for row in try snapshot.transactions(limit: 100_000) { seen[row.description, default: 0] += 1 }
  }
  for (file, _) in begun {
    let rows = try (0..<file.rowCount()).map { seen[file.rowText($0), default: 0] }
    #expect(rows.allSatisfy { $0 == 1 }, "seed \(seed), import \(file.name): not once each")
  }
  let report = try await ledger.verify()
  #expect(report.findings.isEmpty, "seed \(seed): \(report.findings)")
}
