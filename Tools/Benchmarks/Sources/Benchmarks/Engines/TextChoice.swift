/// Whether an engine has a text index, which finds rows by parts of words.
protocol TextChoice: Sendable {
  static var indexesTexts: Bool { get }
}

enum WithTexts: TextChoice {
  static let indexesTexts = true
}

enum WithoutTexts: TextChoice {
  static let indexesTexts = false
}
