package import Bookkeeping
package import Projecting
package import ProjectionSupport

extension Search {
  /// The rows that may contain all terms, have a status and have one of some amounts.
  ///
  /// Returns `nil` if there is no condition.
  ///
  /// - Parameters:
  ///   - terms: The terms to find in texts; empty for no condition.
  ///   - status: The status, or `nil` for any.
  ///   - amounts: The amounts, of which a posting must have one; empty for no condition.
  /// - Throws: `ProjectingError` if the projection is unavailable.
  package static func candidates(
    for terms: [SearchTerm], status: Status? = nil, amounts: [SoughtAmounts] = [],
    in view: borrowing View
  ) throws -> (any CandidateRows)? {
    let handle = try view.tables(of: Search.self)
    var figures: [[Range<UInt32>]] = []
    if !amounts.isEmpty { figures.append(amounts.compactMap(\.codes)) }
    if let status {
      let code = FigureCode.status(status)
      figures.append([code..<code + 1])
    }
    return Candidates(terms.map(\.scalars), figures, handle)
  }
}
