/// A fault in the structure of a data file; see ``FileJudgement/examine(path:)``.
package struct StructureFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The faulty page, if there is one.
  package let page: UInt64?
  /// The fault, as a predicate for the page or, without a page, as a clause of its own.
  package let reason: String

  init(_ page: UInt64?, _ reason: String) {
    self.page = page
    self.reason = reason
  }

  /// The page and its fault.
  package var description: String {
    page.map { "page \($0) \(reason)" } ?? reason
  }
}
