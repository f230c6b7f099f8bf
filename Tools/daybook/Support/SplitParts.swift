import ArgumentParser
import Daybook

/// Reads the parts of a split: `Food=12.50`, `Household=7.30`.
enum SplitParts {
  /// Refuses what has no amount.
  static func validate(_ texts: [String]) throws {
    for text in texts where !text.contains("=") {
      throw ValidationError("“\(text)” is no part: write it as Food=12.50.")
    }
  }

  /// The parts; amounts without a code are in the currency given.
  static func read(
    _ texts: [String], in standard: Currency?, _ snapshot: borrowing Snapshot
  ) throws -> [Draft.Part] {
    var parts: [Draft.Part] = []
    for text in texts {
      let mark = text.lastIndex(of: "=") ?? text.endIndex
      let money = try Amounts.money(String(text[mark...].dropFirst()), in: standard, snapshot)
      let found = try Lookup.category(String(text[..<mark]), in: snapshot)
      parts.append(Draft.Part(money, found.id))
    }
    return parts
  }
}
