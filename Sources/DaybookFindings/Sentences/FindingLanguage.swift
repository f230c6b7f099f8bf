/// A language for the text of findings.
public protocol FindingLanguage {
  /// The title of a finding, such as “Rent, 1 March 2026, 900.00”.
  func title(_ subject: FindingSubject) -> String

  /// The text of a finding: one or more sentences.
  func text(_ statement: FindingStatement, _ subject: FindingSubject) -> String
}
