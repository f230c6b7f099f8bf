import ProjectionSupport
import Search

/// What a text filter asks for.
struct WantedText {
  let term: SearchTerm
  /// The categories whose names hold the term.
  let categories: [Category]
  private let ids: Set<EntityID>

  init(_ term: SearchTerm, categories: [Category]) {
    self.term = term
    self.categories = categories
    ids = Set(categories.map(\.id.rawValue))
  }

  /// Whether a packed transaction holds the term.
  var test: (RawSpan) throws -> Bool {
    var folding = SearchFolding()
    return { record in
      if try term.isIn(transaction: record, with: &folding) { return true }
      if ids.isEmpty { return false }
      let figures = try TransactionFigures(record)
      var cursor = PostingCursor(figures.postings)
      while try cursor.advance() {
        if cursor.code.isCategory, ids.contains(cursor.id) { return true }
      }
      return false
    }
  }
}

extension Snapshot {
  /// What a filter's text asks for, or `nil` where it asks for nothing.
  func wantedText(_ text: String?) throws -> WantedText? {
    guard let text, !text.isEmpty else { return nil }
    try Snapshot.check(
      text.utf8.count, LedgerLimits.searchTextByteCountMax, "The byte count of the text")
    let term = SearchTerm(text)
    if term.isEmpty { return nil }
    var folding = SearchFolding()
    let categories = try directory().tree.list.filter {
      folding.fold($0.name)
      return term.isIn(folding)
    }
    return WantedText(term, categories: categories)
  }

  /// The rows that the index finds for a term; `nil` where the index does not answer: rows are then
  /// read one after the other, which finds the same.
  func candidates(for term: SearchTerm) throws -> (any CandidateRows)? {
    do {
      return try Search.candidates(for: term, in: view)
    } catch let error as ProjectingError where error.isAboutOneProjection {
      return nil
    }
  }
}

extension ProjectingError {
  /// Whether a projection does not answer, while others may.
  fileprivate var isAboutOneProjection: Bool {
    switch code {
    case .notRegistered, .quarantined, .behind, .newerVersion, .notReady: true
    default: false
    }
  }
}
