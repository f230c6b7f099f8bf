package import Bookkeeping
package import Projecting
package import ProjectionSupport

extension Search {
  /// The rows whose texts may hold all of some terms, which have a status, and may have one of some amounts; or
  /// `nil` where there is nothing to look for.
  ///
  /// - Parameters:
  ///   - terms: what is looked for in texts; none for any.
  ///   - status: the status; `nil` for any.
  ///   - amounts: what there has to be a posting of; none for any.
  /// - Throws: `ProjectingError` where the projection does not answer.
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
