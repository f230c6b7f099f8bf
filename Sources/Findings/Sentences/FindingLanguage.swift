/// A language in which findings are told.
public protocol FindingLanguage {
  /// What a finding is about, as a heading: “Rent, 1 March 2026, 900.00”.
  func title(_ subject: FindingSubject) -> String

  /// What a finding says: one or a few sentences.
  func text(_ statement: FindingStatement, _ subject: FindingSubject) -> String
}
