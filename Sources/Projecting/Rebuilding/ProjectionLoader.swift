internal import Dispatch
internal import Entities
internal import LMDB

/// Builds projections by sorting: each is told of every current entity once, and what it puts and adds is
/// sorted and appended.
///
/// The law (see ``Projection``) makes this the same as having applied every change. Those that are
/// derived from others come last, when the tables they read are complete.
///
/// Two threads do it. Where State is still to be filled, one of them fills it, while the other tells the
/// projections that do not read State, straight from the journal. Then both tell the others, each of a part
/// of State, range by range: so they end at about the same time, whatever the projections do.
struct ProjectionLoader: Sendable {
  let target: ViewsStore
  let entries: [ViewsStore.Registered]
  /// The commit that State holds.
  let sequence: UInt64
  /// What fills State, where it is empty yet.
  var filling: StateLoader?
  /// Hears how far it is.
  var tell: (@Sendable (RebuildProgress) -> Void)?
  /// Ends the work.
  var cancellation = Cancellation()
  /// How many rows of State a thread takes at a time.
  var rangeRowCount = StateRanges.rowCountMax

  func load() throws {
    let outcomes = try feed { try append($0) }
    try append(outcomes, isAhead: true)
    for entry in entries { try loadDerived(entry) }
  }

  /// Tells every projection that is not derived of every entity.
  ///
  /// - Parameter takeEarly: Gets, on a thread that would wait otherwise, what is ready long before the rest.
  /// - Returns: What came of the rest.
  func feed(
    takeEarly: @escaping @Sendable ([Outcome]) throws -> Void
  ) throws -> [Outcome] {
    let told = entries.indices.filter { !(entries[$0].projection is any DerivedProjection) }
    let apart = told.filter { filling != nil && !entries[$0].type.readsState }
    let shared = told.filter { !apart.contains($0) }
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

  /// Tells projections that do not read State of every entity, as the journal gives them.
  private func tellJournal(
    _ positions: [Int], _ source: StateLoader, _ check: @escaping () throws -> Void
  ) throws -> [Outcome] {
    var feed = ProjectionFeed(self, positions, state: NoState.instance)
    try source.forEachEntity { _ in
      try check()
    } _: {
      feed.tell($0, $1, $2, $3)
    }
    return try feed.finish()
  }

  /// Tells projections of the ranges of State that no other thread takes.
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

  /// Makes what projections have put and added their tables, and says how they are.
  ///
  /// - Parameter isAhead: Whether another thread merges what is to be appended next.
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

  /// What one projection made of all entities.
  struct Outcome {
    /// The projection's place among the entries.
    let position: Int
    /// The rows of its tables.
    var sorters: [TableSorter]
    /// Why the projection threw, if it did.
    var fault: String?
    /// Whether it is only to be waited for.
    var isAwaited = false

    /// What two threads made, each of a part of the entities.
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

  /// Tables whose rows go to sorters.
  func sortedTables(of entry: ViewsStore.Registered) -> ProjectionTables {
    ProjectionTables(
      buffers: entry.type.tables.map { definition in
        var buffer = TableBuffer(definition.kind)
        buffer.sorter = TableSorter(definition.kind, folder: target.path)
        return buffer
      })
  }

  /// The sorters of tables to which nothing more is added.
  ///
  /// - Throws: ``TableFault`` where a table cannot hold what it was given.
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

/// What a thread made.
///
/// Unchecked `Sendable`: one thread fills it, and it is read when that has ended.
final class OutcomeBox: @unchecked Sendable {
  var outcomes: [ProjectionLoader.Outcome] = []
}

/// Says when State is complete.
private final class Filled: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let ranges = Lock<StateRanges?>(nil)

  /// The ranges of State, or `nil` where it will not become complete; told again, it changes nothing.
  func tell(_ found: StateRanges?) {
    ranges.withLock { if $0 == nil { $0 = found } }
    semaphore.signal()
  }

  /// Waits until it has been told.
  func wait() -> StateRanges? {
    semaphore.wait()
    return ranges.withLock { $0 }
  }
}

/// The first error of two threads, which ends the other.
private final class FirstFailure: Sendable {
  private let error = Lock<(any Error)?>(nil)

  /// Throws what the other thread has failed with, if it has.
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
