// Where the files that others wrote are, and what reckon's expected output says.

import DaybookBookkeeping
import DaybookInterchange
import Foundation

enum OutsideFiles {
  /// The package's root.
  static var root: String {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.path
  }

  /// The folder of outside data, or `nil` where it is absent.
  static var data: String? {
    let path = root + "/../shared/data"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  static var hasData: Bool { data != nil }

  /// Days and hundredths of the bank account in a ledger file, sorted.
  static func ledgerRows(_ path: String) throws -> [String] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var rows: [String] = []
    var day = ""
    for line in text.split(separator: "\n") {
      if line.first?.isNumber == true {
        day = String(line.prefix(10))
      } else if let tab = line.dropFirst().firstIndex(of: "\t") {
        let amount = line[tab...].filter { $0.isNumber || $0 == "-" }
        if !amount.isEmpty { rows.append("\(day) \(Int(amount) ?? 0)") }
      }
    }
    return rows.sorted()
  }

  static func rows(_ file: MappedFile) -> [String] {
    file.rows.map { "\($0.day) \($0.amount.minorUnits)" }.sorted()
  }
}
