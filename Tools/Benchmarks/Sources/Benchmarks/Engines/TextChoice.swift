/// Whether an engine keeps an index of texts, through which it finds the rows that have a part of a word.
protocol TextChoice: Sendable {
  static var indexesTexts: Bool { get }
}

enum WithTexts: TextChoice {
  static let indexesTexts = true
}

enum WithoutTexts: TextChoice {
  static let indexesTexts = false
}
