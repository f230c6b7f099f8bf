internal import DaybookEntities
internal import DaybookLMDB
internal import Dispatch

/// Builds projections by sorting.
///
/// Each projection receives every current entity once, and the rows that it puts and adds are
/// sorted and appended to its tables. According to the law (see ``Projection``), the result is the
/// same as after applying every change. Derived projections are built last, once the tables of
/// their sources are complete.
///
/// Two threads do the work. If State is still empty, one of them fills it, while the other reads
/// the entities from the journal and feeds them to the projections that don't read State. After
/// that, both threads feed the other projections. Each thread takes one range of State after
/// another, so both finish at about the same time.
struct ProjectionLoader: Sendable {
  let target: ViewsStore
  let entries: [ViewsStore.Registered]
  /// The last commit in State.
  let sequence: UInt64
  /// The loader that fills State, or `nil` if State is complete.
  var filling: StateLoader?
  /// Called with the progress.
  var tell: (@Sendable (RebuildProgress) -> Void)?
  /// The cancellation to check during the work.
  var cancellation = Cancellation()
  /// The number of rows of State in each range that a thread takes.
  var rangeRowCount = StateRanges.rowCountMax

  func load() throws {
    let outcomes = try feed { try append($0) }
    try append(outcomes, isAhead: true)
    for entry in entries { try loadDerived(entry) }
  }

  /// Feeds every entity to every projection that isn't derived.
  ///
  /// - Parameter takeEarly: Receives the outcomes of the projections fed from the journal, on a
  ///   thread that would otherwise be idle.
  /// - Returns: The outcomes of the other projections.
  func feed(
    takeEarly: @escaping @Sendable ([Outcome]) throws -> Void
  ) throws -> [Outcome] {
    let fed = entries.indices.filter { !(entries[$0].projection is any DerivedProjection) }
    let apart = fed.filter { filling != nil && !entries[$0].type.readsState }
    let shared = fed.filter { !apart.contains($0) }
    let filled = Filled()
    let failure = FirstFailure()
    let halves = [OutcomeBox(), OutcomeBox()]
    let check: @Sendable () throws -> Void = {
      try cancellation.check()
      try failure.check()
    }
    try runInParallel([
      {
        defer { filled.tell(nil) }
        try failure.noting {
          if var filling {
            let tell = filling.progress
            filling.progress = {
              try check()
              try tell($0)
            }
            try filling.load()
          }
          let ranges = try StateRanges(target, rowCountMax: rangeRowCount)
          let meter = PhaseProgress(.projections, unitCount: Double(ranges.rowCount), tell)
          filled.tell(ranges)
          halves[0].outcomes = try tellState(shared, ranges) {
            try check()
            meter.at($0)
          }
        }
      },
      {
        try failure.noting {
          if !apart.isEmpty, let filling {
            let early = try tellJournal(apart, filling, check)
            try check()
            try takeEarly(early)
          }
          guard let ranges = filled.wait() else { return }
          halves[1].outcomes = try tellState(shared, ranges) { _ in try check() }
        }
      },
    ])
    PhaseProgress(.projections, tell).at(1)
    return try zip(halves[0].outcomes, halves[1].outcomes).map { try $0.merged(with: $1) }
  }

  /// Feeds every entity in the journal to the projections that don't read State.
  private func tellJournal(
    _ positions: [Int], _ source: StateLoader, _ check: @escaping () throws -> Void
  ) throws -> [Outcome] {
    var feed = ProjectionFeed(self, positions, state: UnavailableState.instance)
    try source.forEachEntity { _ in
      try check()
    } _: {
      feed.tell($0, $1, $2, $3)
    }
    return try feed.finish()
  }

  /// Feeds the entities in ranges of State to projections; each range is taken by only one thread.
  private func tellState(
    _ positions: [Int], _ ranges: StateRanges, _ report: (Double) throws -> Void
  ) throws -> [Outcome] {
    if positions.isEmpty { return [] }
    var feed = ProjectionFeed(self, positions, state: SettledState(target))
    let transaction = try target.environment.beginRead()
    let view = transaction.view
    try ranges.forEachRow(in: view, report) { key, value in
      var reader = ByteReader(key)
      let kind = EntityKind(rawValue: try reader.u8())
      let number = try StateTable.position(inRowKey: key).number
      let (id, record) = try target.state.withRecord(value, kind, number, in: view) {
        ($0, Record(bytes: $1.copied()))
      }
      feed.tell(kind, id, number, record)
    }
    return try feed.finish()
  }

  /// Fills the tables of projections with their sorted rows, and writes their statuses.
  ///
  /// - Parameter isAhead: Whether another thread merges the next rows while the previous ones are
  ///   appended.
  func append(_ outcomes: [Outcome], isAhead: Bool = false) throws {
    let appender = try BulkAppender(target.environment, isAhead: isAhead)
    for outcome in outcomes { try append(outcome, with: appender) }
    try appender.finish()
  }

  private func append(_ outcome: Outcome, with appender: BulkAppender) throws {
    let entry = entries[outcome.position]
    var fault = outcome.fault
    for index in entry.type.tables.indices {
      let database = entry.handle[index].database
      try appender.write { try $0.clear(database) }
      if fault != nil { continue }
      do {
        try appender.append(outcome.sorters[index], to: database)
      } catch let tooMuch as TableFault {
        fault = "\(tooMuch.of(table: index))"
      }
    }
    let condition: ProjectionStatus.Condition =
      fault == nil ? .current : outcome.isAwaited ? .behind : .quarantined
    let status = ProjectionStatus(
      version: entry.version, condition: condition, since: sequence, reason: fault ?? "")
    try appender.write { try $0.put(entry.statusKey, status.bytes, in: target.meta) }
  }

  /// The outcome of feeding all entities to one projection.
  struct Outcome {
    /// The projection's index among the entries.
    let position: Int
    /// The sorted rows of its tables.
    var sorters: [TableSorter]
    /// The reason why the projection failed, or `nil` if it succeeded.
    var fault: String?
    /// Whether the only reason is that a source isn't built yet.
    var isAwaited = false

    /// Combines the outcomes of two threads, each of which fed some of the entities to the
    /// projection.
    fileprivate func merged(with other: Outcome) throws -> Outcome {
      var merged = self
      merged.fault = fault ?? other.fault
      if merged.fault != nil { return merged }
      for (table, (mine, others)) in zip(sorters, other.sorters).enumerated() {
        do {
          try mine.take(over: others)
        } catch let tooMuch as TableFault {
          merged.fault = "\(tooMuch.of(table: table))"
          return merged
        }
      }
      return merged
    }
  }

  /// Creates tables that pass their rows on to sorters.
  func sortedTables(of entry: ViewsStore.Registered) -> ProjectionTables {
    ProjectionTables(
      buffers: entry.type.tables.map { definition in
        var buffer = TableBuffer(definition.kind)
        buffer.sorter = TableSorter(definition.kind, folder: target.path)
        return buffer
      })
  }

  /// Finishes filling the sorters of some tables, and returns the sorters.
  ///
  /// - Throws: ``TableFault`` if a table can't store a row.
  func finishedSorters(of tables: inout ProjectionTables) throws -> [TableSorter] {
    var sorters: [TableSorter] = []
    for index in tables.buffers.indices {
      guard let sorter = tables.buffers[index].sorter else { continue }
      do {
        if !sorter.kind.isPut { try sorter.absorb(&tables.buffers[index]) }
        if let broken = tables.buffers[index].fault { throw broken }
        try sorter.finishFilling()
      } catch let tooMuch as TableFault {
        throw tooMuch.of(table: index)
      }
      sorters.append(sorter)
    }
    return sorters
  }
}

/// The outcomes of one thread.
///
/// Unchecked `Sendable`: only that thread writes to it, and others read it only after the thread
/// has ended.
final class OutcomeBox: @unchecked Sendable {
  var outcomes: [ProjectionLoader.Outcome] = []
}

/// Signals that State has been filled.
private final class Filled: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let ranges = Lock<StateRanges?>(nil)

  /// Signals the ranges of State, or `nil` if it couldn't be filled; only the first call has an
  /// effect.
  func tell(_ found: StateRanges?) {
    ranges.withLock { if $0 == nil { $0 = found } }
    semaphore.signal()
  }

  /// Waits for the signal, and returns the ranges.
  func wait() -> StateRanges? {
    semaphore.wait()
    return ranges.withLock { $0 }
  }
}

/// The first error of two threads.
///
/// Each thread checks it, and stops if the other one has failed.
private final class FirstFailure: Sendable {
  private let error = Lock<(any Error)?>(nil)

  /// Throws the error of either thread, if there is one.
  func check() throws {
    if let error = error.withLock({ $0 }) { throw error }
  }

  func noting(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      self.error.withLock { if $0 == nil { $0 = error } }
      throw error
    }
  }
}
