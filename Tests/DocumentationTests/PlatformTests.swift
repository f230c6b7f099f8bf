/// Goal: the package builds for the oldest systems that Package.swift names, although it is built here on
/// Linux, whose library is always the newest. Method: sources are read as text, and looked through for what
/// Swift's library has on Apple's systems from version 26 on only, by the attributes of its interface
/// (Swift.swiftinterface of Swift 6.3).
import Foundation
import Testing

@Suite struct PlatformTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// What is there from version 26 on, as it would stand in a line.
  private static let late = [
    #"\bInlineArray\b"#, #"\[[0-9A-Za-z]+ of "#, #"\bUTF8Span\b"#, #"\butf8Span\b"#,
    #"\butf8\.span\b"#, #"\.mutableSpan\b"#, #"\bObservations\b"#, #"\.immediate(Detached)?\b"#,
    #"\baddImmediateTask"#, #"\bTask\(name:"#, #"\bTask\.name\b"#, #"addTask\(name:"#,
    #"\bwithTaskPriorityEscalationHandler\b"#, #"\bescalatePriority\b"#,
    #"\bisIsolatingCurrentContext\b"#, #"\bimport Subprocess\b"#,
  ]

  /// Arrays have `span` on older systems where a file sees ours, which these modules hand on.
  private static let givesSpans =
    #"(?m)^(\S+ )*import (DaybookSpans|DaybookEntities|DaybookLMDB|Daybook)$"#

  private static func sources() throws -> [(path: String, code: String)] {
    try ["Sources", "Projections", "Tools/daybook", "Tools/outside", "Docs/Examples", "Tests"]
      .flatMap { folder -> [(path: String, code: String)] in
        let base = root.appendingPathComponent(folder)
        let found = FileManager.default.enumerator(atPath: base.path)?.allObjects as? [String]
        return try (found ?? []).filter { $0.hasSuffix(".swift") }.sorted().map { path in
          let text = try String(contentsOf: base.appendingPathComponent(path), encoding: .utf8)
          return (folder + "/" + path, code(of: text))
        }
      }
  }

  /// A text without its comments.
  private static func code(of text: String) -> String {
    text.components(separatedBy: "\n")
      .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }.joined(separator: "\n")
  }

  private static func lateNames(in code: String) -> [String] {
    late.filter { code.range(of: $0, options: .regularExpression) != nil }
  }

  private static func lacksSpans(_ code: String, at path: String) -> Bool {
    let givers = ["Sources/DaybookSpans/", "Sources/DaybookEntities/", "Sources/DaybookLMDB/"]
    // Calendars have a span, too, and a key's words are no array.
    let use = #"(?<!calendar|self|words)\.span\b(?!\()"#
    return code.range(of: use, options: .regularExpression) != nil
      && code.range(of: givesSpans, options: .regularExpression) == nil
      && !givers.contains(where: path.hasPrefix)
  }

  @Test func nothingIsLaterThanThePlatforms() throws {
    let files = try Self.sources()
    #expect(files.count > 900, "found \(files.count) files only: does this test still see them?")
    // This file has the names, and programs that are to be rejected are compiled by themselves.
    let apart = ["DocumentationTests/PlatformTests.swift", "LMDBTests/RejectedPrograms"]
    for file in files where !apart.contains(where: file.path.contains) {
      let names = Self.lateNames(in: file.code)
      #expect(names.isEmpty, "\(file.path) has what is there from version 26 on only: \(names)")
      #expect(
        !Self.lacksSpans(file.code, at: file.path),
        "\(file.path) takes the span of an array: import DaybookEntities or DaybookLMDB for it")
    }
  }

  @Test func whatIsForbiddenIsSeen() {
    let lines = [
      "let words: InlineArray<4, UInt64>", "let words: [4 of UInt64]", "let span = text.utf8Span",
      "_ = try UTF8Span(validating: bytes.span)", "var span = words.mutableSpan",
      "for await value in Observations({ model.count }) {}", "Task.immediate {}",
      "Task(name: \"work\") {}", "text.utf8.span",
    ]
    for line in lines { #expect(!Self.lateNames(in: Self.code(of: line)).isEmpty, "\(line)") }
    #expect(Self.lateNames(in: Self.code(of: "/// As an InlineArray is.\nlet a = [of: 4]")).isEmpty)
    let use = "import Testing\nread(bytes.span.bytes)"
    #expect(Self.lacksSpans(use, at: "Sources/DaybookJournal/A.swift"))
    #expect(
      !Self.lacksSpans(
        "internal import DaybookEntities\n" + use, at: "Sources/DaybookJournal/A.swift"))
  }

  @Test func theReadmeNamesThePlatforms() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }
    let package = try text("Package.swift")
    let match = try #require(package.firstMatch(of: /\.macOS\(\.v(\d+)\), \.iOS\(\.v(\d+)\)/))
    let readme = try text("README.md")
    #expect(readme.contains("macOS \(match.1)") && readme.contains("iOS \(match.2)"))
  }
}
