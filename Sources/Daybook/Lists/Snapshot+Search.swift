internal import DaybookEngine
import DaybookProjections

/// The conditions of a filter on a row's texts, status and amounts.
struct WantedRows {
  /// The term to find in any text of the row.
  var text: SearchTerm?
  /// The amounts that a row can have instead of containing the text.
  var textAmounts: [AmountRange] = []
  /// The categories whose names contain the text.
  var categories: [Category] = []
  /// The term to find in the payee.
  var payee: SearchTerm?
  /// Whether the whole payee must match.
  var isWholePayee = false
  /// The tags that the row must have.
  var tags: [SearchTerm] = []
  /// The status that the row must have.
  var status: Status?
  /// The amounts, at least one of which the row must have; empty for any amount.
  var amounts: [AmountRange] = []

  /// Whether there are no conditions, so that every row matches.
  var matchesEverything: Bool {
    text == nil && payee == nil && tags.isEmpty && status == nil && amounts.isEmpty
  }

  /// The terms of the payee and the tags, to look up in the index.
  ///
  /// Together with ``indexedText``, these terms find every wanted row except those of
  /// ``otherCategories``.
  var indexed: [SearchTerm] { ((payee.map { [$0] } ?? []) + tags).filter { !$0.isEmpty } }

  /// The text to look up in the index, or `nil` if it is only checked by ``test``.
  ///
  /// If the text is also in a category's name, the index doesn't find that category's rows by the
  /// text. If there is also a payee or a tag to look up, the text is therefore not looked up.
  var indexedText: SearchTerm? { indexed.isEmpty || categories.isEmpty ? text : nil }

  /// The categories that may have wanted rows which the index doesn't find.
  var otherCategories: [Category] {
    payee == nil && tags.allSatisfy(\.isEmpty) ? categories : []
  }

  /// A predicate that returns whether a packed transaction is wanted.
  var test: (RawSpan) throws -> Bool {
    var folding = SearchFolding()
    let ids = Set(categories.map(\.id.rawValue))
    return { record in
      if status != nil || !amounts.isEmpty, try !accepts(TransactionFigures(record)) {
        return false
      }
      if let payee, try !payee.matches(payeeOf: record, whole: isWholePayee, with: &folding) {
        return false
      }
      for tag in tags where try !tag.isTag(of: record, with: &folding) { return false }
      guard let text else { return true }
      if try text.matches(transaction: record, with: &folding) { return true }
      if try !textAmounts.isEmpty && hasAmount(in: textAmounts, TransactionFigures(record)) {
        return true
      }
      return try !ids.isEmpty && hasCategory(of: ids, record)
    }
  }

  private func accepts(_ figures: borrowing TransactionFigures) throws -> Bool {
    if let status, figures.status != status { return false }
    return try amounts.isEmpty || hasAmount(in: amounts, figures)
  }

  private func hasAmount(
    in ranges: [AmountRange], _ figures: borrowing TransactionFigures
  ) throws -> Bool {
    var cursor = PostingCursor(figures.postings)
    while try cursor.advance() {
      let code = cursor.code
      // Postings to built-in accounts only mirror the postings to other accounts and categories.
      if code == .opening || code == .exchange || code == .outside { continue }
      let (units, currency) = (cursor.units, cursor.currency)
      if ranges.contains(where: { $0.contains(units, currency) }) { return true }
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
  /// Returns the conditions of a filter on a row's texts, status and amounts, or `nil` if there are
  /// none.
  func wantedRows(_ filter: TransactionFilter) throws -> WantedRows? {
    var wanted = WantedRows(isWholePayee: filter.matchesWholePayee)
    wanted.text = try Snapshot.term(filter.text, "the text")
    if let text = wanted.text {
      wanted.textAmounts = filter.textAmounts
      var folding = SearchFolding()
      wanted.categories = try chartOfAccounts().tree.list.filter {
        folding.fold($0.name)
        return text.matches(folding)
      }
    }
    wanted.payee = try Snapshot.term(filter.payee, "the payee")
    try Snapshot.check(filter.tags.count, Limits.tagCountMax, "The number of tags")
    for tag in filter.tags { wanted.tags.append(try Snapshot.whole(tag, "a tag")) }
    wanted.status = filter.status
    wanted.amounts = filter.amounts
    return wanted.matchesEverything ? nil : wanted
  }

  /// Returns the search term for a text, or `nil` if the text contains nothing to search for.
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

  /// Returns the rows that the index finds for the conditions.
  ///
  /// Returns `nil` if there is nothing to look up or the index is unavailable. The caller then
  /// reads the rows one by one, with the same result.
  func candidates(for wanted: WantedRows) throws -> (any CandidateRows)? {
    let (terms, text) = (wanted.indexed, wanted.indexedText)
    if terms.isEmpty, text == nil, wanted.status == nil, wanted.amounts.isEmpty { return nil }
    func sought(_ ranges: [AmountRange]) -> [SoughtAmounts] {
      ranges.map { SoughtAmounts($0.units, decimals: $0.decimals) }
    }
    do {
      return try Search.candidates(
        for: terms, text: text, orAmounts: sought(wanted.textAmounts), status: wanted.status,
        amounts: sought(wanted.amounts), in: view)
    } catch let error as ProjectingError where error.isAboutOneProjection {
      return nil
    }
  }
}

extension ProjectingError {
  /// Whether one projection is unavailable, while others can still be read.
  fileprivate var isAboutOneProjection: Bool {
    switch code {
    case .notRegistered, .quarantined, .behind, .newerVersion, .notReady: true
    default: false
    }
  }
}
