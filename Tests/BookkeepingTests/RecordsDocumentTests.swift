// Goal: Docs/Records.md lists every property of every kind, with its tag, and says truly which are personal and which every
// record has. Method: its tables are read as text and compared with the tables of properties.

import DaybookBookkeeping
import DaybookEntities
import Foundation
import Testing

@Suite struct RecordsDocumentTests {
  /// One row of a table.
  private struct Row: Hashable, CustomStringConvertible {
    var tag: Int
    var name: String
    var isPersonal: Bool
    var isRequired: Bool

    var description: String {
      "\(tag) \(name)\(isPersonal ? ", personal" : "")\(isRequired ? ", always there" : "")"
    }
  }

  private static let text: String = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    return (try? String(contentsOfFile: file + "/../../Docs/Records.md", encoding: .utf8)) ?? ""
  }()

  /// The rows of the table under a title.
  private func rows(under title: String) -> [Row] {
    Self.text.components(separatedBy: "\n").drop { $0 != "## \(title)" }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }
      .compactMap { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 4, let tag = Int(cells[0]) else { return nil }
        return Row(
          tag: tag, name: cells[1].trimmingCharacters(in: ["`"]),
          isPersonal: cells[2].contains("personal"), isRequired: cells[3] == "always there")
      }
  }

  @Test(arguments: KindDescription.all.map(\.name)) func everyPropertyIsListed(kind: String) throws
  {
    let known = try #require(KindDescription.all.first { $0.name == kind })
    let title = "\(kind.prefix(1).uppercased())\(kind.dropFirst()) (\(known.kind.rawValue))"
    let properties = known.properties.map {
      Row(
        tag: Int($0.tag), name: $0.name, isPersonal: $0.traits.isPersonal,
        isRequired: $0.isRequired)
    }
    #expect(rows(under: title) == properties, "the table under “## \(title)”")
  }
}
