internal import Entities
internal import Journal
internal import LMDB

/// What is known about a projection of a ledger at some moment.
public struct ProjectorStatistics: Hashable, Sendable {
  /// Whether the projection answers, and if not, why.
  public enum Health: Hashable, Sendable {
    /// It is current.
    case current
    /// It is being built.
    case building
    /// It threw at a commit, for this reason, and stands aside until it is rebuilt.
    case quarantined(atSequence: UInt64, reason: String)
  }

  /// Whether the projection answers.
  public var health = Health.building
  /// The last commit that it has seen.
  public var checkpoint: Checkpoint?
  /// How many changes it was given since the ledger was opened; of a derived one, how many batches
  /// concerned it.
  public var changeCount = 0
  /// How many rows it wrote since the ledger was opened.
  public var rowCount = 0
  /// How many batches it wrote since the ledger was opened.
  public var batchCount = 0
}

/// The face of one registered projection: who it is, how it is, what it has done.
///
/// Its work is done by a core in the projectors' stage, inside the transaction that all projections
/// share; the core publishes what this actor tells. Asking waits, as reading does, for what the caller was told
/// is recorded, and never for a flush.
public actor Projector {
  /// The projection's name.
  public nonisolated let name: String
  /// The projection's version in this process.
  public nonisolated let version: UInt32
  private let published: Lock<ProjectorStatistics>
  private let catchUp: @Sendable () -> Void

  /// - Parameter catchUp: Waits for what callers were told of.
  init(
    name: String, version: UInt32, published: Lock<ProjectorStatistics>,
    catchUp: @escaping @Sendable () -> Void
  ) {
    self.name = name
    self.version = version
    self.published = published
    self.catchUp = catchUp
  }

  /// What the projection has done so far, and how it is.
  public var statistics: ProjectorStatistics {
    catchUp()
    return published.withLock { $0 }
  }

  /// Whether the projection answers, and if not, why.
  public var health: ProjectorStatistics.Health { statistics.health }

  /// The last commit that the projection has seen.
  public var checkpoint: Checkpoint? { statistics.checkpoint }
}

/// The working half of a projector: gathers the differences of a batch and writes them.
///
/// Not `Sendable`: it belongs to whoever has the ``ViewsWriter``.
final class ProjectorCore {
  let name: String
  let version: UInt32
  private let projection: any Projection
  /// Whether it asks State of anything.
  let readsState: Bool
  /// The same, where it is derived from others.
  let derived: (any DerivedProjection)?
  private(set) var tables: ProjectionTables
  let published: Lock<ProjectorStatistics>
  /// Why the projection is not fed, where it isn't.
  private(set) var fault: String?
  /// Whether it is not fed only until it has been built.
  private(set) var isAwaited = false
  /// Whether the views do not yet say that it is set aside.
  private var isFaultNew = false
  /// The last commit that the projection has seen, where it is newly set aside.
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

  /// Takes over the condition that the views remember.
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

  /// Gathers the difference of one change; a projection that throws is set aside.
  @inline(__always)
  func apply(_ change: borrowing ProjectedChange, reading state: any StateReading) {
    guard fault == nil else { return }
    changeCount += 1
    do {
      try projection.apply(change, reading: readsState ? state : NoState.instance, to: &tables)
      if let fault = tables.fault { throw fault }
    } catch {
      fault = "\(error)"
      isFaultNew = true
    }
  }

  /// Whether it was set aside by the batch that is under way.
  var isNewlySetAside: Bool { isFaultNew && !isAwaited }

  /// Gathers what a batch comes to, where the projection is derived from others.
  ///
  /// - Parameter check: throws where a source is missing.
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

  /// Drops what was gathered.
  func discard() {
    tables.removeAll()
    changeCount = 0
  }

  /// Goes back to where the last batch that was committed has left it: what a batch that was not had it
  /// gather, and what made it throw, never happened.
  func rollBack() {
    discard()
    guard isFaultNew else { return }
    fault = nil
    isAwaited = false
    isFaultNew = false
  }

  /// Writes what was gathered, or the reason why the projection was set aside.
  ///
  /// What was gathered stays until ``discard()``, for those that are derived from it.
  ///
  /// - Returns: what readers find changed.
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
        // What was written of it so far is not read any more: it is built anew first.
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

  /// Writes the reason why the projection was set aside, where the views don't say so yet.
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

  /// Tells what has become of the projection, once the batch is committed.
  func publish(_ checkpoint: Checkpoint) {
    guard let fault else { return published.withLock { $0.checkpoint = checkpoint } }
    guard isFaultNew else { return }
    isFaultNew = false
    let health: ProjectorStatistics.Health =
      isAwaited ? .building : .quarantined(atSequence: lastSequence, reason: fault)
    published.withLock { $0.health = health }
  }
}
