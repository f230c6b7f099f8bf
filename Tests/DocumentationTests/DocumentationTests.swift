/// Goal: the documentation keeps what it promises: every public function that throws says what, the way in
/// stays short, and no link between documents leads nowhere. Method: sources and documents are read as text.
import Foundation
import Testing

@Suite struct DocumentationTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The files below some folders whose names end in an extension.
  private static func files(_ ext: String, below folders: [String]) -> [URL] {
    folders.flatMap { folder -> [URL] in
      let found = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
      return (found?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".\(ext)") }.sorted()
        .map { root.appendingPathComponent(folder).appendingPathComponent($0) }
    }
  }

  /// What is documented where it is required: by the language's coding, and by `LedgerEntity`.
  private static let inherited = [
    "func encode(to encoder:", "init(from decoder:", "func visit<", "func refuse(",
  ]

  @Test func whatThrowsSaysWhat() throws {
    var count = 0
    for file in Self.files("swift", below: ["Sources/Daybook", "Sources/DaybookBookkeeping"]) {
      let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
      for (index, line) in lines.enumerated() where Self.isPublicFunction(line) {
        guard Self.throwsErrors(lines[index...]),
          !Self.inherited.contains(where: line.contains)
        else { continue }
        count += 1
        let above = lines[..<index].reversed().map { $0.trimmingCharacters(in: .whitespaces) }
          .drop { $0.hasPrefix("@") }.prefix { $0.hasPrefix("///") }
        #expect(
          above.contains { $0.hasPrefix("/// - Throws: ") },
          "\(file.lastPathComponent):\(index + 1) does not say what it throws")
      }
    }
    #expect(count > 100, "found \(count) functions only: does this test still see them?")
  }

  private static func isPublicFunction(_ line: String) -> Bool {
    let words = line.split(separator: " ").map(String.init)
    guard let start = words.firstIndex(of: "public"),
      words[..<start].allSatisfy({ $0.first == "@" })
    else { return false }
    return words[(start + 1)...].contains { word in
      word == "func" || word == "var" || word.hasPrefix("init") || word.hasPrefix("subscript")
    }
  }

  /// Whether a declaration, which begins with the first line, says `throws` outside of its parameters.
  private static func throwsErrors(_ lines: ArraySlice<String>) -> Bool {
    // Up to what belongs to the next declaration.
    let rest = lines.dropFirst().prefix { line in
      let text = line.trimmingCharacters(in: .whitespaces)
      return !text.isEmpty && !text.hasPrefix("///") && !text.hasPrefix("public ")
    }
    let all = ([lines[lines.startIndex]] + rest.prefix(20)).joined(separator: " ")
    var depth = 0
    var outside = ""
    for character in all {
      if character == "(" { depth += 1 }
      if depth == 0, character == "{" { break }
      if depth == 0 { outside.append(character) }
      if character == ")" { depth -= 1 }
    }
    // A property says it inside of its braces.
    let isProperty = outside.contains(" var ") || outside.contains(" subscript")
    return outside.contains(" throws") || (isProperty && all.contains("get throws"))
  }

  @Test func theWayInStaysShort() throws {
    let url = Self.root.appendingPathComponent("Docs/Architecture.md")
    let words = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isWhitespace)
    #expect(words.count <= 2_000, "put what was measured and tried into Docs/Notes")
  }

  @Test func linksBetweenDocumentsLeadSomewhere() throws {
    let documents =
      Self.files("md", below: ["Docs"])
      + ["README.md", "CHANGELOG.md"].map { Self.root.appendingPathComponent($0) }
    var count = 0
    for document in documents {
      let text = try String(contentsOf: document, encoding: .utf8)
      for match in text.matches(of: /\]\((?<path>[^)#:\s]+)(#[^)]*)?\)/) {
        count += 1
        let target = document.deletingLastPathComponent()
          .appendingPathComponent(String(match.output.path))
        #expect(
          FileManager.default.fileExists(atPath: target.path),
          "\(document.lastPathComponent) links to \(match.output.path), which is not there")
      }
    }
    #expect(count > 20)
  }
}
