internal import Entities
internal import Journal
internal import LMDB

/// Finds out whether the views are what history gives, without making anything again: by fingerprints.
///
/// History gives the rows of State; where State holds these, it gives the rows of all projections. Of both
/// sides only fingerprints are kept, so nothing is sorted, merged or written, and any piece of the work can
/// be done by any thread at any time.
///
/// Unchecked `Sendable`: pieces are taken from the lists under a lock, and what each thread has found is
/// brought together when both have ended.
final class ViewsProof: @unchecked Sendable {
  private let journal: JournalStore
  private let clusterTags: ClusterTags
  private let folder: TemporaryFolder
  private let checkpoint: Checkpoint
  private let projections: [(entry: ViewsStore.Registered, handle: ProjectionHandle)]
  private let seed = FingerprintSeed()
  private let progress: @Sendable (Double) -> Void
  private let pieces: Lock<Pieces>
  private let results: Lock<Results>

  /// What the proof comes to.
  struct Results {
    /// What the chain was found to be, by stretches of it in their order.
    var chain: [Result<ChainReport, any Error>?]
    var seals: (any Error)?
    /// Why history could not be replayed.
    var replay: (any Error)?
    /// Whether a projection could not be told of an entity.
    var hasFault = false
    var found: Fingerprints
    var expected: Fingerprints
    /// How many rows of derived projections are as their sources give them, and whether any is not.
    var derivedRowCount = 0
    var derivedDiffers = false

    /// Whether all views are what history gives.
    var isEqual: Bool { !hasFault && !derivedDiffers && found.isEqual(to: expected) }

    /// How many rows were read, and of derived projections compared.
    var rowCount: Int { found.rowCount + derivedRowCount }

    /// How many commits the chain was computed of.
    ///
    /// - Throws: The first thing that is wrong with the chain.
    func commitCount(of journal: JournalStore) throws -> UInt64 {
      // A fault that was found stays one, also where another stretch could not be read.
      for case .failure(let fault)? in chain
      where (fault as? JournalError)?.isAboutWhatWasPurged != true {
        throw fault
      }
      do {
        return try chain.reduce(0) { try $0 + ($1?.get().commitCount ?? 0) }
      } catch let error as JournalError where error.isAboutWhatWasPurged {
        // What was to be read has been purged meanwhile: once more, as of one moment.
        return try journal.verifyChain().commitCount
      }
    }
  }

  private enum Piece {
    case replay
    case seals
    case chain(index: Int, after: UInt64, through: UInt64?)
    /// Work of the caller's.
    case other(@Sendable () throws -> Void)
    /// Entities, of which projections are told.
    case entities(from: TableKey?, to: TableKey?)
    case derived
    /// A table beside that of entities.
    case state(StatePart)
    case table(projection: Int, table: Int)

    /// About what part of the whole it is, in no unit.
    var weight: Double {
      switch self {
      case .replay: 24
      case .chain: 1
      case .other: 8
      case .entities: 0.5
      case .seals, .derived, .state, .table: 0.25
      }
    }
  }

  /// What is still to be done: of the journal, and of the views.
  private struct Pieces {
    var ofJournal: [Piece]
    var ofViews: [Piece]
    var doneWeight = 0.0
    var totalWeight: Double

    init(_ ofJournal: [Piece], _ ofViews: [Piece]) {
      // They are taken from the end.
      self.ofJournal = ofJournal.reversed()
      self.ofViews = ofViews.reversed()
      totalWeight = (ofJournal + ofViews).reduce(0) { $0 + $1.weight }
    }
  }

  /// - Parameters:
  ///   - views: The views of one commit.
  ///   - others: Further work that the threads share.
  init(
    _ views: SampledViews, in folder: TemporaryFolder,
    sharing others: [@Sendable () throws -> Void],
    progress: @escaping @Sendable (Double) -> Void
  ) throws {
    journal = views.open.journal
    clusterTags = ClusterTags(views.schema)
    checkpoint = views.checkpoint
    projections = try views.projections()
    self.folder = folder
    self.progress = progress
    let chain = try ViewsProof.stretches(
      after: journal.floor().sequence, through: checkpoint.sequence)
    // Where keys are damaged, all of State is one piece.
    let ranges = (try? views.entityRanges()) ?? [(nil, nil)]
    var ofViews = ranges.map { Piece.entities(from: $0, to: $1) }
    for (index, (entry, _)) in projections.enumerated() {
      ofViews += entry.type.tables.indices.map { .table(projection: index, table: $0) }
    }
    ofViews += [.state(.ids), .state(.overflow), .derived]
    pieces = Lock(Pieces([.replay, .seals] + others.map { .other($0) } + chain, ofViews))
    let empty = Fingerprints(projections.map(\.entry.type), seed)
    results = Lock(
      Results(chain: chain.map { _ in nil }, found: empty, expected: empty))
  }

  /// The chain in parts; the last of them goes to the newest commit there is then.
  private static func stretches(after floor: UInt64, through head: UInt64) -> [Piece] {
    let count = head - min(floor, head)
    let length = max(count / stretchCountMax, stretchCommitCountMin)
    var begins = Array(stride(from: floor, to: floor + count, by: Int(length)))
    if begins.isEmpty { begins = [floor] }
    return begins.enumerated().map { index, begin in
      .chain(
        index: index, after: begin, through: index + 1 < begins.count ? begins[index + 1] : nil)
    }
  }

  private static let stretchCountMax: UInt64 = 32
  private static let stretchCommitCountMin: UInt64 = 1_024

  /// Does the work, on a thread for each of the views and at least two.
  ///
  /// - Parameter views: The views as of the commit that the proof is of.
  func run(_ views: [SampledViews]) throws -> Results {
    let workers = (0..<max(views.count, 2)).map {
      ProofWorker(views: $0 < views.count ? views[$0] : nil, projections, seed)
    }
    try runInParallel(
      workers.enumerated().map { index, worker in
        {
          while let piece = self.next(forViews: index == 0, worker.views != nil) {
            try self.work(piece, worker)
            self.finish(piece)
          }
        }
      })
    return results.withLock { results in
      for worker in workers {
        results.hasFault = results.hasFault || worker.hasFault
        results.expected += worker.expected
        results.found += worker.found
      }
      return results
    }
  }

  /// Takes a piece: of the views first, or of the journal first; of the views only where it can be read.
  private func next(forViews: Bool, _ hasViews: Bool) -> Piece? {
    pieces.withLock { pieces in
      if forViews, let piece = pieces.ofViews.popLast() { return piece }
      if let piece = pieces.ofJournal.popLast() { return piece }
      return hasViews ? pieces.ofViews.popLast() : nil
    }
  }

  private func finish(_ piece: Piece) {
    progress(
      pieces.withLock { pieces in
        pieces.doneWeight += piece.weight
        return pieces.doneWeight / pieces.totalWeight
      })
  }

  private func work(_ piece: Piece, _ worker: ProofWorker) throws {
    switch piece {
    case .replay:
      do { try replay(worker) } catch { results.withLock { $0.replay = error } }
    case .seals:
      do { try journal.verifySeals() } catch { results.withLock { $0.seals = error } }
    case .chain(let index, let after, let through):
      let found = Result { try journal.verifyChain(after: after, through: through) }
      results.withLock { $0.chain[index] = found }
    case .other(let work): try work()
    case .entities(let from, let to): try worker.tell(from: from, to: to)
    case .derived:
      guard let views = worker.views else { return }
      let check = try DerivedCheck(views, Deadline(seconds: nil)).run()
      results.withLock {
        $0.derivedRowCount = Int(check.coverage?.checked ?? 0)
        $0.derivedDiffers = !check.differences.isEmpty
      }
    case .state(let part): try worker.read(part)
    case .table(let projection, let table): try worker.read(projection, table)
    }
  }

  /// Has the rows of State from history.
  private func replay(_ worker: ProofWorker) throws {
    try journal.withReading { reading in
      guard try reading.floor.sequence <= checkpoint.sequence else { throw Overtaken() }
      try StateReplay(folder: folder.path, through: checkpoint.sequence, progress: { _ in })
        .forEachEntity(reading) { kind, id, number, record in
          let position = StatePosition(
            cluster: try StateTable.cluster(of: record, tag: clusterTags[kind]), number: number)
          let key = StateTable.rowKey(kind, position)
          if record.bytes.count <= StateTable.inlineByteCountMax {
            worker.given.rows.put(key, id, record.bytes.span.bytes)
          } else {
            worker.given.rows.put(key, StateTable.rowValue(id, record).span.bytes)
          }
          StateTable.idValue(position).withBytes {
            worker.given.ids.put(StateTable.idKey(kind, id), $0)
          }
          StateTable.forEachPart(of: record, kind, number) { worker.given.overflow.put($0, $1) }
        }
    }
  }
}

/// What the tables of views come to.
struct Fingerprints: Sendable {
  var rows: TableFingerprint
  var ids: TableFingerprint
  var overflow: TableFingerprint
  /// Those of each projection's tables.
  var projections: [[TableFingerprint]]

  init(_ types: [any Projection.Type], _ seed: FingerprintSeed) {
    rows = TableFingerprint(.rows, seed)
    ids = rows
    overflow = rows
    projections = types.map { $0.tables.map { TableFingerprint($0.kind, seed) } }
  }

  static func += (left: inout Fingerprints, right: Fingerprints) {
    left.rows += right.rows
    left.ids += right.ids
    left.overflow += right.overflow
    for index in left.projections.indices {
      for table in left.projections[index].indices {
        left.projections[index][table] += right.projections[index][table]
      }
    }
  }

  func isEqual(to other: Fingerprints) -> Bool {
    rows.isEqual(to: other.rows) && ids.isEqual(to: other.ids)
      && overflow.isEqual(to: other.overflow)
      && zip(projections.joined(), other.projections.joined()).allSatisfy { $0.isEqual(to: $1) }
  }

  /// How many rows were read.
  var rowCount: Int {
    rows.rowCount + ids.rowCount + overflow.rowCount
      + projections.joined().reduce(0) { $0 + $1.rowCount }
  }
}
