package import DaybookBookkeeping
package import DaybookEngine

extension Search {
  /// Returns the rows that may contain all terms, have a status, and have one of several amounts.
  ///
  /// The result is a superset of the matching rows, so the caller must test them. It is `nil` if
  /// there is no condition.
  ///
  /// - Parameters:
  ///   - terms: The terms to find in texts; empty for no condition.
  ///   - text: Another term to find in texts.
  ///   - textAmounts: The amounts that a row can have instead of containing `text`.
  ///   - status: The status, or `nil` for any status.
  ///   - amounts: The amounts, of which a row must have at least one in a posting; empty for no
  ///     condition.
  /// - Throws: `ProjectingError` if the projection is unavailable.
  package static func candidates(
    for terms: [SearchTerm], text: SearchTerm? = nil, orAmounts textAmounts: [SoughtAmounts] = [],
    status: Status? = nil, amounts: [SoughtAmounts] = [], in view: borrowing View
  ) throws -> (any CandidateRows)? {
    let handle = try view.tables(of: Search.self)
    var figures: [[Range<UInt32>]] = []
    if !amounts.isEmpty { figures.append(amounts.compactMap(\.codes)) }
    if let status {
      let code = FigureCode.status(status)
      figures.append([code..<code + 1])
    }
    // A row contains all grams of the text or has one of the amounts if, for each gram, it has the
    // gram or one of the amounts.
    let either = Candidates.conditions(for: [text?.scalars ?? []]).map {
      $0 + textAmounts.compactMap(\.codes)
    }
    return Candidates(
      Candidates.conditions(for: terms.map(\.scalars)) + either + figures, handle)
  }
}
