/// A fault in the structure of a data file; see ``FileJudgement/examine(path:)``.
package struct StructureFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The faulty page, if there is one.
  package let page: UInt64?
  /// The fault, worded to follow the page's name, or as a full clause if there is no page.
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
