internal import Entities
internal import Journal
internal import LMDB

/// What history gives, to be compared with the views.
struct HistoricViews {
  /// Where State was filled, and, unless `fed`, the projections.
  let store: ViewsStore
  /// The sorted rows of projections, which are never written; those of derived ones are not among them.
  let fed: [ProjectionLoader.Outcome]?

  /// The tables of the projections that have not failed.
  fileprivate func projections() throws
    -> [(entry: ViewsStore.Registered, sources: [Comparison.Table.Source])]
  {
    if let fed {
      return fed.filter { $0.fault == nil }.map { outcome in
        (store.registered[outcome.position], outcome.sorters.map { .sorter($0) })
      }
    }
    return try store.environment.read { transaction in
      // What a newer program keeps, or what has just been set aside, cannot be compared.
      try store.registered.filter {
        try store.currentHandle(of: $0, in: transaction.view) != nil
      }.map { entry in
        let tables = entry.type.tables.indices
        return (entry, tables.map { .database(entry.handle[$0].database, in: store.environment) })
      }
    }
  }
}

extension EventStore {
  /// Compares views with what history gives for the same commit.
  ///
  /// - Parameters:
  ///   - views: The views, for a thread each.
  ///   - progress: Called with the share that is compared, 0 to 1; what it throws ends the work.
  func compare(
    _ views: [SampledViews], _ historic: HistoricViews, _ report: inout VerificationReport,
    progress: @escaping @Sendable (Double) throws -> Void
  ) throws {
    guard let first = views.first else { return }
    let (live, rebuilt) = (first.store, historic.store)
    var tables = StatePart.allCases.map { part in
      Comparison.Table(
        name: part.name, live: part.database(of: live.state),
        source: .database(part.database(of: rebuilt.state), in: rebuilt.environment),
        place: { part.place(of: $0) })
    }
    let answering = try first.answering()
    for outcome in historic.fed ?? [] {
      guard let fault = outcome.fault else { continue }
      report.findings.append(.cannotBeBuilt(rebuilt.registered[outcome.position].name, fault))
    }
    for (entry, sources) in try historic.projections() {
      guard let handle = answering.first(where: { $0.entry.name == entry.name })?.handle else {
        report.findings.append(.doesNotAnswer(entry.name))
        continue
      }
      tables += sources.enumerated().map { table, source in
        Comparison.Table(
          name: "\(entry.name).\(entry.type.tables[table].name)", live: handle[table].database,
          kind: entry.type.tables[table].kind, source: source,
          place: { key in
            guard key.byteCount <= TableKey.byteCountMax else { return .nowhere }
            if entry.isDerived { return .derived }
            return .row(of: entry, table: table, key: TableKey(bytes: key))
          })
      }
    }
    for entry in live.registered
    where !rebuilt.registered.contains(where: { $0.name == entry.name }) {
      report.findings.append(.doesNotAnswer(entry.name))
    }
    let (rowCount, differences) = try Comparison(tables, progress: progress).run(views)
    report.rowCount = rowCount
    first.differences = differences
    if historic.fed != nil {
      // What is derived from tables that have been compared is had from them anew.
      let check = try DerivedCheck(first, Deadline(seconds: nil)).run()
      first.differences += check.differences
      report.rowCount += Int(check.coverage?.checked ?? 0)
    }
    report.findings += explain(first.differences, in: first.open.journal, through: first.sequence)
  }
}

extension VerificationReport.Finding {
  static func doesNotAnswer(_ projection: String) -> Self {
    Self(message: "The projection “\(projection)” does not answer: rebuild.", sequence: nil)
  }

  static func cannotBeBuilt(_ projection: String, _ reason: String) -> Self {
    Self(
      message:
        "The projection “\(projection)” answers, but cannot be built from history: \(reason).",
      sequence: nil)
  }
}

func hexadecimal(_ span: RawSpan) -> String {
  let text = hexText(span.extracting(first: 40).copied())
  return span.byteCount > 40 ? text + "…" : text
}
