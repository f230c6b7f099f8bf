/// What is wrong with the structure of a data file: see ``FileJudgement/examine(path:)``.
package struct StructureFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The page on which it shows, where there is one.
  package let page: UInt64?
  /// What is wrong, as the rest of a sentence.
  package let reason: String

  init(_ page: UInt64?, _ reason: String) {
    self.page = page
    self.reason = reason
  }

  /// The page and what is wrong with it.
  package var description: String {
    page.map { "page \($0) \(reason)" } ?? reason
  }
}
