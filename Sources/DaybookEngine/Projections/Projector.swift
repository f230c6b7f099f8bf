internal import DaybookEntities
internal import DaybookJournal
internal import DaybookLMDB

/// The health and statistics of one projection.
public struct ProjectorStatistics: Hashable, Sendable {
  /// Whether the projection can be queried.
  public enum Health: Hashable, Sendable {
    /// The projection is current.
    case current
    /// The projection is being built.
    case building
    /// The projection failed and isn't updated until it is rebuilt.
    ///
    /// `reason` describes the failure, and `atSequence` is the last commit applied before it.
    case quarantined(atSequence: UInt64, reason: String)
  }

  /// Whether the projection can be queried.
  public var health = Health.building
  /// The last commit that the projection contains.
  public var checkpoint: Checkpoint?
  /// The number of changes received since the ledger was opened.
  ///
  /// For a derived projection, this is the number of batches that changed it.
  public var changeCount = 0
  /// The number of rows written since the ledger was opened.
  public var rowCount = 0
  /// The number of batches that wrote rows since the ledger was opened.
  public var batchCount = 0
}

/// A registered projection: its name, version, health and statistics.
///
/// Reading these values waits until the views contain every acknowledged commit, as reading the
/// ledger does, but never waits for a flush. The projection itself is updated in the projectors'
/// stage, in a transaction shared by all projections.
public actor Projector {
  /// The projection's name.
  public nonisolated let name: String
  /// The projection's version in this process.
  public nonisolated let version: UInt32
  private let published: Lock<ProjectorStatistics>
  private let catchUp: @Sendable () -> Void

  /// - Parameter catchUp: Waits until the views contain every acknowledged commit.
  init(
    name: String, version: UInt32, published: Lock<ProjectorStatistics>,
    catchUp: @escaping @Sendable () -> Void
  ) {
    self.name = name
    self.version = version
    self.published = published
    self.catchUp = catchUp
  }

  /// The projection's current health, checkpoint and counts.
  public var statistics: ProjectorStatistics {
    catchUp()
    return published.withLock { $0 }
  }

  /// Whether the projection can be queried.
  public var health: ProjectorStatistics.Health { statistics.health }

  /// The last commit that the projection contains.
  public var checkpoint: Checkpoint? { statistics.checkpoint }
}

/// The working part of a projector: collects the differences of a batch and writes them.
///
/// Not `Sendable`: it belongs to the current user of the ``ViewsWriter``.
final class ProjectorCore {
  let name: String
  let version: UInt32
  private let projection: any Projection
  /// Whether the projection reads State.
  let readsState: Bool
  /// The projection as a derived projection, or `nil` if it isn't derived from others.
  let derived: (any DerivedProjection)?
  private(set) var tables: ProjectionTables
  let published: Lock<ProjectorStatistics>
  /// The reason why the projection receives no changes, or `nil` if it isn't quarantined.
  private(set) var fault: String?
  /// Whether `fault` only says that the projection, or one of its sources, isn't built yet.
  private(set) var isAwaited = false
  /// Whether the fault hasn't been stored in the views yet.
  private var isFaultNew = false
  /// The last commit that was applied before the new fault occurred.
  private var lastSequence: UInt64 = 0
  private var changeCount = 0

  init(_ type: any Projection.Type) {
    name = type.name
    version = type.version
    projection = type.init()
    readsState = type.readsState
    derived = projection as? any DerivedProjection
    tables = ProjectionTables(for: type.tables)
    published = Lock(ProjectorStatistics())
  }

  /// Adopts the status that is stored in the views.
  func adopt(_ status: ProjectionStatus?) {
    discard()
    isFaultNew = false
    isAwaited = false
    switch status?.condition {
    case .current where status?.version == version:
      fault = nil
      published.withLock { $0.health = .current }
    case .quarantined:
      let reason = status?.reason ?? ""
      let since = status?.since ?? 0
      fault = reason
      published.withLock { $0.health = .quarantined(atSequence: since, reason: reason) }
    default:
      fault = "not built"
      isAwaited = true
      published.withLock { $0.health = .building }
    }
  }

  /// Collects the difference of one change, and quarantines the projection if it throws.
  @inline(__always)
  func apply(_ change: borrowing ProjectedChange, reading state: any StateReading) {
    guard fault == nil else { return }
    changeCount += 1
    do {
      try projection.apply(
        change, reading: readsState ? state : UnavailableState.instance, to: &tables)
      if let fault = tables.fault { throw fault }
    } catch {
      fault = "\(error)"
      isFaultNew = true
    }
  }

  /// Whether the projection was quarantined in the current batch.
  var isNewlySetAside: Bool { isFaultNew && !isAwaited }

  /// Collects the differences of a batch if the projection is derived from others.
  ///
  /// - Parameter check: Throws if a source is missing.
  func settle(_ reading: any SettledReading, check: () throws -> Void) {
    guard fault == nil, let derived else { return }
    do {
      try check()
      try derived.settle(reading, to: &tables)
      if let fault = tables.fault { throw fault }
      if tables.buffers.contains(where: { !$0.isEmpty }) { changeCount += 1 }
    } catch {
      fault = "\(error)"
      isAwaited = (error as? SourceMissing)?.isAwaited ?? false
      isFaultNew = true
    }
  }

  /// Discards the collected differences.
  func discard() {
    tables.removeAll()
    changeCount = 0
  }

  /// Restores the state as of the last committed batch.
  ///
  /// Discards the collected differences and any fault that has occurred since that batch.
  func rollBack() {
    discard()
    guard isFaultNew else { return }
    fault = nil
    isAwaited = false
    isFaultNew = false
  }

  /// Writes the collected differences, or the reason for a new fault.
  ///
  /// The differences are kept until ``discard()``, because derived projections read them.
  ///
  /// - Returns: The changed tables, or the changed status.
  func write(
    _ entry: ViewsStore.Registered, previous: Checkpoint, to batch: ViewsBatch
  ) throws -> [ChangeTag] {
    guard fault == nil else { return try writeFault(entry, previous: previous, to: batch) }
    var rowCount = 0
    var changed: [ChangeTag] = []
    for index in tables.buffers.indices where !tables.buffers[index].isEmpty {
      rowCount += tables.buffers[index].count
      let table = entry.handle[index]
      do {
        if try tables.buffers[index].write(to: table.database, of: batch) {
          changed.append(table.tag)
        }
      } catch let tooMuch as TableFault {
        // The rows that have been written are never read, because a quarantined projection is
        // rebuilt before it is queried.
        fault = "\(tooMuch.of(table: index))"
        isFaultNew = true
        return try writeFault(entry, previous: previous, to: batch)
      }
    }
    let changes = changeCount
    changeCount = 0
    guard changes > 0 else { return changed }
    published.withLock {
      $0.changeCount += changes
      $0.rowCount += rowCount
      $0.batchCount += 1
    }
    return changed
  }

  /// Writes the reason why the projection was quarantined, unless the views contain it already.
  private func writeFault(
    _ entry: ViewsStore.Registered, previous: Checkpoint, to batch: ViewsBatch
  ) throws -> [ChangeTag] {
    discard()
    guard isFaultNew, let fault else { return [] }
    let status = ProjectionStatus(
      version: version, condition: isAwaited ? .behind : .quarantined, since: previous.sequence,
      reason: isAwaited ? "" : fault)
    try batch.withTransaction { try $0.put(entry.statusKey, status.bytes, in: batch.store.meta) }
    lastSequence = previous.sequence
    return [.statuses]
  }

  /// Publishes the checkpoint or a new fault, after the batch has been committed.
  func publish(_ checkpoint: Checkpoint) {
    guard let fault else { return published.withLock { $0.checkpoint = checkpoint } }
    guard isFaultNew else { return }
    isFaultNew = false
    let health: ProjectorStatistics.Health =
      isAwaited ? .building : .quarantined(atSequence: lastSequence, reason: fault)
    published.withLock { $0.health = health }
  }
}
