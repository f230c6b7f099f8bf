/// Goal: a file that imports Daybook beside SwiftUI, Foundation, SwiftData, Charts or Observation finds no name to be
/// ambiguous. Method: the names that Daybook makes public are read from its sources, and compared with lists of
/// those frameworks' types in FrameworkNames. The stand-ins declare these lists, and AppFiles names what is
/// Daybook's beside them, so that a clash does not compile either.
import Foundation
import Testing

@Suite struct PublicNameTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The field's own words; the articles say how to name them beside the other.
  private static let known: Set = ["Transaction", "Category"]

  private static func sources(_ folder: String) -> [URL] {
    let base = root.appendingPathComponent(folder)
    let found = FileManager.default.enumerator(atPath: base.path)
    return (found?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }.sorted()
      .map { base.appendingPathComponent($0) }
  }

  /// What stands public at the outermost level of a file, as its keyword and name.
  private static func declarations(in text: String) -> [(keyword: String, name: String)] {
    let keywords: Set = [
      "struct", "class", "enum", "actor", "protocol", "typealias", "func", "let", "var",
    ]
    return text.components(separatedBy: "\n").compactMap { line in
      let words = line.split { $0 == " " || $0 == "(" || $0 == "<" || $0 == ":" || $0 == "," }
        .map(String.init)
      guard line.first == "p" || line.first == "@", words.contains("public"),
        !words.contains("import"), let index = words.firstIndex(where: keywords.contains),
        index + 1 < words.count
      else { return nil }
      return (words[index], words[index + 1])
    }
  }

  private static func publicDeclarations() throws -> [(keyword: String, name: String)] {
    var all: [(keyword: String, name: String)] = []
    for folder in ["Sources/DaybookEntities", "Sources/DaybookBookkeeping", "Sources/Daybook"] {
      for file in sources(folder) {
        all += declarations(in: try String(contentsOf: file, encoding: .utf8))
      }
    }
    let exports = try String(
      contentsOf: root.appendingPathComponent("Sources/Daybook/Ledger/Exports.swift"),
      encoding: .utf8)
    for line in exports.components(separatedBy: "\n") where line.hasPrefix("@_exported") {
      let words = line.split(separator: " ").map(String.init)
      guard let last = words.last else { continue }
      if words.count == 5 {
        all.append((words[3], String(last.drop { $0 != "." }.dropFirst())))
      } else {
        // A whole module: only of those whose sources are read here.
        #expect(
          ["DaybookBookkeeping", "DaybookEntities"].contains(last),
          "\(last) is re-exported as a whole")
      }
    }
    return all
  }

  @Test(arguments: [
    "SwiftUI", "Foundation", "SwiftData", "Charts", "Observation", "ObjectiveC", "Swift",
  ])
  func noNameIsAnothers(_ framework: String) throws {
    let list = Self.root
      .appendingPathComponent("Tests/DocumentationTests/FrameworkNames/\(framework).txt")
    let taken = Set(
      try String(contentsOf: list, encoding: .utf8).split { $0 == " " || $0 == "\n" }.map(
        String.init))
    let names = Set(try Self.publicDeclarations().map(\.name))
    #expect(names.count > 150, "found \(names.count) names only: does this test still see them?")
    #expect(taken.count >= 5)
    let shared = names.intersection(taken).subtracting(Self.known)
    #expect(shared.isEmpty, "\(framework) has \(shared.sorted()), too")
  }

  @Test func everyNameIsInAnAppsFile() throws {
    let file = try String(
      contentsOf: Self.root.appendingPathComponent(
        "Tests/DocumentationTests/AppFiles/AppNames.swift"), encoding: .utf8)
    let lines = Set(file.components(separatedBy: "\n"))
    for name in try Self.publicDeclarations().map(\.name) where !Self.known.contains(name) {
      #expect(
        lines.contains("  typealias The\(name) = \(name)"), "AppFiles/AppNames.swift lacks \(name)")
    }
  }

  @Test(arguments: ["SwiftUI", "Charts", "SwiftData"])
  func standInsDeclareTheLists(_ framework: String) throws {
    let list = Self.root
      .appendingPathComponent("Tests/DocumentationTests/FrameworkNames/\(framework).txt")
    let names = Set(
      try String(contentsOf: list, encoding: .utf8).split(whereSeparator: \.isWhitespace)
        .map(String.init))
    var (own, made): (Set<String>, Set<String>) = ([], [])
    for file in Self.sources("Tests/StandIns/\(framework)") {
      let text = try String(contentsOf: file, encoding: .utf8)
      let found = Self.declarations(in: text.replacingOccurrences(of: ";", with: "\n")).map(\.name)
      if file.lastPathComponent == "Names.swift" { made = Set(found) } else { own.formUnion(found) }
    }
    #expect(made == names.subtracting(own), "run Tools/scripts/stand-in-names")
  }

  /// Not in the modules either that are imported by themselves.
  @Test func noFunctionIsFree() throws {
    var count = 0
    for file in ["Sources", "Projections"].flatMap(Self.sources) {
      let declared = Self.declarations(in: try String(contentsOf: file, encoding: .utf8))
      count += declared.count
      let free = declared.filter { ["func", "let", "var"].contains($0.keyword) }
      #expect(free.isEmpty, "\(file.lastPathComponent): \(free)")
    }
    #expect(count > 300, "found \(count) declarations only: does this test still see them?")
  }

  /// The test would notice: what it reads a clash from is read as one.
  @Test func declarationsAreSeen() {
    let found = Self.declarations(
      in: """
        public struct View {
          public var inner = 1
        }
        @frozen public enum Table<Row> {}
        public func free() {}
        package struct Hidden {}
        """)
    #expect(found.map(\.name) == ["View", "Table", "free"])
    #expect(found.map(\.keyword) == ["struct", "enum", "func"])
  }
}
