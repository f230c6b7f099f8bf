import DaybookRandom

extension SeededGenerator {
  mutating func isTrue(oneOf count: Int) -> Bool { below(count) == 0 }

  /// A text of some words, without blanks at its ends or doubled ones inside.
  mutating func text(_ words: [String], max count: Int) -> String {
    (0..<below(count + 1)).map { _ in pick(words) }.joined(separator: " ")
  }
}
