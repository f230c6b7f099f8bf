internal import Projecting
import ProjectionSupport
import Search

/// What a filter asks of a row's texts, status and amounts.
struct WantedRows {
  /// What is looked for in all texts.
  var text: SearchTerm?
  /// The categories whose names hold the text.
  var categories: [Category] = []
  /// What is looked for in the payee.
  var payee: SearchTerm?
  /// Whether the payee has to be it.
  var isWholePayee = false
  /// The tags that have to be there.
  var tags: [SearchTerm] = []
  /// The status.
  var status: Status?
  /// The amounts, of which there has to be one; none for all.
  var amounts: [AmountRange] = []

  /// Whether every row is wanted.
  var areAll: Bool {
    text == nil && payee == nil && tags.isEmpty && status == nil && amounts.isEmpty
  }

  /// What texts the index is asked for: all that it can tell of a wanted row, but for those of
  /// ``otherCategories``.
  ///
  /// A text may be in a category's name, and the index then tells nothing of the row; where it knows
  /// the payee or tags, the text is left to the test.
  var indexed: [SearchTerm] {
    let terms = ((payee.map { [$0] } ?? []) + tags).filter { !$0.isEmpty }
    guard let text, terms.isEmpty || categories.isEmpty else { return terms }
    return terms + [text]
  }

  /// Categories whose rows may be wanted though the index does not find them.
  var otherCategories: [Category] {
    payee == nil && tags.allSatisfy(\.isEmpty) ? categories : []
  }

  /// Whether a packed transaction is wanted.
  var test: (RawSpan) throws -> Bool {
    var folding = SearchFolding()
    let ids = Set(categories.map(\.id.rawValue))
    return { record in
      if status != nil || !amounts.isEmpty, try !accepts(TransactionFigures(record)) {
        return false
      }
      if let payee, try !payee.isIn(payeeOf: record, whole: isWholePayee, with: &folding) {
        return false
      }
      for tag in tags where try !tag.isTag(of: record, with: &folding) { return false }
      guard let text else { return true }
      if try text.isIn(transaction: record, with: &folding) { return true }
      return try !ids.isEmpty && hasCategory(of: ids, record)
    }
  }

  private func accepts(_ figures: borrowing TransactionFigures) throws -> Bool {
    if let status, figures.status != status { return false }
    if amounts.isEmpty { return true }
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      let code = cursor.code
      // What is built in only mirrors what is on accounts and categories.
      if code == .opening || code == .exchange || code == .outside { continue }
      let (units, currency) = (cursor.units, cursor.currency)
      if amounts.contains(where: { $0.contains(units, currency) }) { return true }
    }
    return false
  }

  private func hasCategory(of ids: Set<EntityID>, _ record: RawSpan) throws -> Bool {
    let figures = try TransactionFigures(record)
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      if cursor.code.isCategory, ids.contains(cursor.id) { return true }
    }
    return false
  }
}

extension Snapshot {
  /// What a filter asks of a row's texts, status and amounts, or `nil` where it asks for nothing.
  func wantedRows(_ filter: TransactionFilter) throws -> WantedRows? {
    var wanted = WantedRows(isWholePayee: filter.matchesWholePayee)
    wanted.text = try Snapshot.term(filter.text, "the text")
    if let text = wanted.text {
      var folding = SearchFolding()
      wanted.categories = try chartOfAccounts().tree.list.filter {
        folding.fold($0.name)
        return text.isIn(folding)
      }
    }
    wanted.payee = try Snapshot.term(filter.payee, "the payee")
    try Snapshot.check(filter.tags.count, Limits.tagCountMax, "The number of tags")
    for tag in filter.tags { wanted.tags.append(try Snapshot.whole(tag, "a tag")) }
    wanted.status = filter.status
    wanted.amounts = filter.amounts
    return wanted.areAll ? nil : wanted
  }

  /// What a text asks for, or `nil` where it asks for nothing.
  private static func term(_ text: String?, _ what: String) throws -> SearchTerm? {
    guard let text, !text.isEmpty else { return nil }
    let term = try whole(text, what)
    return term.isEmpty ? nil : term
  }

  private static func whole(_ text: String, _ what: String) throws -> SearchTerm {
    try check(
      text.utf8.count, LedgerLimits.searchTextByteCountMax, "The byte count of \(what)")
    return SearchTerm(text)
  }

  /// The rows that the index finds for what is wanted; `nil` where it is not to be asked or does not answer:
  /// rows are then read one after the other, which finds the same.
  func candidates(for wanted: WantedRows) throws -> (any CandidateRows)? {
    let terms = wanted.indexed
    if terms.isEmpty, wanted.status == nil, wanted.amounts.isEmpty { return nil }
    let amounts = wanted.amounts.map { SoughtAmounts($0.units, decimals: $0.decimals) }
    do {
      return try Search.candidates(
        for: terms, status: wanted.status, amounts: amounts, in: view)
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
