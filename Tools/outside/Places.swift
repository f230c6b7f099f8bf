import Daybook
import DaybookInterchange
import Foundation

/// The locations of the outside data and the project's mappings.
struct Places {
  /// The root of the package.
  let root: String
  /// The folder of the outside data.
  let data: String
  /// The folder for the ledgers of this run.
  let scratch: String

  init() throws {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    root = url.path
    data = url.deletingLastPathComponent().appendingPathComponent("shared/data").path
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("daybook-outside-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    scratch = folder.path
  }

  /// The path of a file in the outside data.
  ///
  /// - Throws: ``Skipped`` if the file is missing.
  func outside(_ path: String) throws -> String {
    let whole = data + "/" + path
    guard FileManager.default.fileExists(atPath: whole) else {
      throw Skipped(reason: "../shared/data/\(path) is absent")
    }
    return whole
  }

  func mappingPath(_ name: String) -> String {
    root + "/Tests/OutsideData/mappings/" + name + ".json"
  }

  func mapping(_ name: String) throws -> ImportMapping {
    try ImportMapping(path: mappingPath(name))
  }

  /// Creates a ledger on disk and imports a file into it.
  func ledger(
    _ name: String, importing path: String, mapping: String
  ) async throws -> (ledger: Ledger, summary: ImportSummary) {
    let ledger = try await Ledger.open(at: scratch + "/" + name + ".daybook")
    let mapping = try self.mapping(mapping)
    let file = try CSVFile(path: path, encoding: mapping.encoding)
    let summary = try await CSVImporter().run(file, mapping: mapping, into: ledger)
    return (ledger, summary)
  }

  /// The object in a JSON file.
  func json(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: outside(path)))
    guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      throw Wrong("\(path) is not a JSON object")
    }
    return object
  }

  func clean() {
    // A failure only leaves files in the temporary folder.
    try? FileManager.default.removeItem(atPath: scratch)
  }
}

/// A day after all days of the data.
let today = Day(year: 2030, month: 1, day: 1) ?? Day(rawValue: 0)

/// A number in a JSON object.
func number(_ value: Any?) -> Int128? { (value as? NSNumber).map { Int128($0.int64Value) } }
