internal import DaybookEntities
internal import DaybookLMDB

/// Compares a table of the views with the same table rebuilt from the journal, row by row.
///
/// Two cursors move in parallel, so the comparison doesn't hold rows in memory.
struct Comparison {
  /// The name of the table.
  let name: String
  /// The table of the live views.
  let live: Database
  /// The rebuilt table.
  let rebuilt: Database
  var kind = TableKind.rows
  /// Returns the place to search history for, given the key of a differing row.
  let place: (RawSpan) -> RowDifference.Place

  /// Returns the first difference, or `nil` if the tables are equal.
  ///
  /// - Parameter rowCount: Increased by the number of equal rows.
  func firstDifference(
    _ liveView: TransactionView, _ rebuiltView: TransactionView, _ rowCount: inout Int
  ) throws -> RowDifference? {
    var found = try liveView.cursor(in: live)
    var expected = try rebuiltView.cursor(in: rebuilt)
    while let right = try expected.next() {
      guard let left = try found.next() else { return missing(right.key, right.value) }
      let order = left.key.compared(to: right.key)
      if order < 0 { return unexpected(left.key, left.value) }
      if order > 0 { return missing(right.key, right.value) }
      if left.value.compared(to: right.value) != 0 {
        return RowDifference(
          table: name,
          what:
            "the row with key \(hexadecimal(right.key)) has \(hexadecimal(left.value)), but "
            + "history gives \(hexadecimal(right.value))",
          place: place(right.key, left.value, right.value))
      }
      rowCount += 1
    }
    guard let left = try found.next() else { return nil }
    return unexpected(left.key, left.value)
  }

  private func missing(_ key: RawSpan, _ value: RawSpan) -> RowDifference {
    RowDifference(
      table: name, what: "the row with key \(hexadecimal(key)) is missing",
      place: place(key, RawSpan(), value))
  }

  private func unexpected(_ key: RawSpan, _ value: RawSpan) -> RowDifference {
    RowDifference(
      table: name, what: "the row with key \(hexadecimal(key)) should not be there",
      place: place(key, value, RawSpan()))
  }

  /// Returns the place to search history for, given two differing rows.
  ///
  /// For rows of positions, it is the first position that only one of the rows contains.
  private func place(
    _ key: RawSpan, _ found: RawSpan, _ expected: RawSpan
  ) -> RowDifference.Place {
    guard kind == .places else { return place(key) }
    func places(_ value: RawSpan) -> Set<TableKey> {
      var places: Set<TableKey> = []
      _ = try? PlacePiece.forEachPlace(inRow: key, value) { places.insert($0) }
      return places
    }
    let (left, right) = (places(found), places(expected))
    let first = left.symmetricDifference(right).min() ?? left.min()
    return first.map { $0.withBytes { place($0) } } ?? place(key)
  }
}

extension EventStore {
  /// Compares views with views rebuilt from the journal as of the same commit.
  ///
  /// Reports the first difference of each table.
  ///
  /// - Parameter progress: Called with the completed fraction, from 0 to 1; if it throws, the work
  ///   ends with that error.
  func compare(
    _ view: borrowing View, with rebuilt: ViewsStore, _ report: inout VerificationReport,
    progress: (Double) throws -> Void
  ) throws {
    let live = view.open.views
    let liveView = view.transaction.view
    let fresh = try rebuilt.environment.beginRead()
    let freshView = fresh.view
    var tables = StatePart.allCases.map { part in
      Comparison(
        name: part.name, live: part.database(of: live.state),
        rebuilt: part.database(of: rebuilt.state), place: { part.place(of: $0) })
    }
    for entry in live.registered {
      guard let handle = try live.currentHandle(of: entry, in: liveView) else {
        report.findings.append(.doesNotAnswer(entry.name))
        continue
      }
      guard let built = rebuilt.registered.first(where: { $0.name == entry.name }) else { continue }
      guard let expected = try rebuilt.currentHandle(of: built, in: freshView) else {
        let status = try rebuilt.status(of: built, in: freshView)
        report.findings.append(.cannotBeBuilt(entry.name, status?.reason ?? ""))
        continue
      }
      tables += entry.type.tables.enumerated().map { index, definition in
        Comparison(
          name: "\(entry.name).\(definition.name)", live: handle[index].database,
          rebuilt: expected[index].database, kind: definition.kind,
          place: { key in
            guard key.byteCount <= TableKey.byteCountMax else { return .nowhere }
            if entry.isDerived { return .derived }
            return .row(of: entry, table: index, key: TableKey(bytes: key))
          })
      }
    }
    var differences: [RowDifference] = []
    for (index, table) in tables.enumerated() {
      try progress(Double(index) / Double(tables.count))
      if let difference = try table.firstDifference(liveView, freshView, &report.rowCount) {
        differences.append(difference)
      }
    }
    report.findings += explain(
      differences, in: view.open.journal, through: view.checkpoint.sequence)
  }
}

extension VerificationReport.Finding {
  static func doesNotAnswer(_ projection: String) -> Self {
    Self(
      message: "The projection “\(projection)” can't be queried: rebuild the views.", sequence: nil)
  }

  static func cannotBeBuilt(_ projection: String, _ reason: String) -> Self {
    Self(
      message:
        "The projection “\(projection)” can be queried, but not built from history: \(reason).",
      sequence: nil)
  }
}

func hexadecimal(_ span: RawSpan) -> String {
  let text = hexText(span.extracting(first: 40).copied())
  return span.byteCount > 40 ? text + "…" : text
}
