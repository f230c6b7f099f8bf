import Foundation

/// Gives every engine the same events and compares their answers, also after a rebuild.
struct Agreement {
  var entrants: [any Entrant]
  var scratch: String

  private static let size = 10_000

  func check() async throws {
    var expected: (name: String, answers: Answers)?
    for entrant in entrants {
      let folder = scratch + "/check"
      try? FileManager.default.removeItem(atPath: folder)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let contender = entrant.contender(folder: folder, size: Self.size)
      try await contender.open()
      _ = try await contender.grow(Self.size - 200, batch: 250)
      _ = try await contender.grow(200, batch: 1)
      let grown = try contender.answers()
      if let expected {
        try compare(grown, entrant.name, with: expected.answers, expected.name)
      }
      // Engines with a text index are compared with the first such engine.
      if expected == nil || expected?.answers.found == nil { expected = (entrant.name, grown) }
      try await contender.close()
      try await contender.open()
      try compare(contender.answers(), "\(entrant.name), reopened", with: grown, entrant.name)
      _ = try await contender.rebuild()
      try compare(contender.answers(), "\(entrant.name), rebuilt", with: grown, entrant.name)
      _ = try await contender.grow(100, batch: 10)
      try await contender.close()
      print("\(entrant.name): agrees")
    }
  }

  private func compare(
    _ answers: Answers, _ name: String, with expected: Answers, _ other: String
  ) throws {
    try compare(answers.pages.flatMap(\.self), expected.pages.flatMap(\.self), "rows", name, other)
    try compare(answers.balances, expected.balances, "balances", name, other)
    try compare(answers.months, expected.months, "months", name, other)
    try compare(
      answers.breakdowns.flatMap(\.self), expected.breakdowns.flatMap(\.self), "categories", name,
      other)
    guard answers.pages == expected.pages else {
      throw BenchmarkError("\(name) and \(other) page differently")
    }
    guard let found = answers.found, let expectedFound = expected.found else { return }
    try compare(
      found.flatMap(\.self), expectedFound.flatMap(\.self), "rows found", name, other)
    guard found == expectedFound else {
      throw BenchmarkError("\(name) and \(other) find differently")
    }
  }

  private func compare<T: Equatable>(
    _ answers: [T], _ expected: [T], _ what: String, _ name: String, _ other: String
  ) throws {
    guard !expected.isEmpty else { throw BenchmarkError("\(other) has no \(what)") }
    if let index = zip(answers, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      throw BenchmarkError(
        """
        \(name) and \(other) differ in \(what) at \(index):
        \(answers[index])
        \(expected[index])
        """)
    }
    guard answers.count == expected.count else {
      throw BenchmarkError(
        "\(name) has \(answers.count) \(what), \(other) \(expected.count)")
    }
  }
}
