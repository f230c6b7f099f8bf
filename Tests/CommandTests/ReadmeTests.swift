// Goal: the commands that the README shows work. Method: they are read from it and run as written.
import Foundation
import Testing

@Suite struct ReadmeTests {
  private static let readme: String? = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try? String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
  }()

  /// The README's blocks of code in a language.
  private func blocks(_ language: String) throws -> [String] {
    let text = try #require(Self.readme)
    return text.components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }

  @Test func theCommandsRun() throws {
    let desk = try Desk()
    let marks = ["daybook init", "daybook recurring", "daybook budget add"]
    let lines = try marks.flatMap { mark in
      let block = try #require(try blocks("").first { $0.contains(mark) })
      return block.split(separator: "\n").filter { $0.hasPrefix("daybook ") }
    }
    #expect(lines.count >= 15)
    for line in lines {
      let run = try desk.run(String(line.dropFirst("daybook ".count)))
      #expect(run.status == 0, "\(line): \(run.errors)")
    }
  }
}
