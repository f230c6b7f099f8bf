import DaybookEntities
import DaybookLMDB

/// Determines when the redo log is used to make a journal's commits durable.
package struct RedoPolicy: Hashable, Sendable {
  /// The number of consecutive small commits after which the redo log is used; 0 uses it
  /// immediately.
  package var patienceCommitCount = 8
  /// The maximum number of records before the data file is flushed again.
  ///
  /// Pages freed by these commits can't be reused until then.
  package var recordCountMax = 128
  /// The maximum number of bytes of a record, which covers all commits of one flush.
  package var recordByteCountMax = 1 << 16
  /// The maximum number of bytes of all records together, of which each is stored twice.
  package var byteCountMax = 1 << 20

  /// The policy of every ledger.
  package static let standard = RedoPolicy()

  package init() {}
}

/// Makes small commits durable by flushing a single place on the disk.
///
/// LMDB alone needs two flushes of scattered pages. With the redo log, a commit is written to the
/// data file without a flush, and the changed rows are written to the file REDO, which is flushed.
/// Readers use the data file as usual.
///
/// If the machine stops, the boot identity changes, and the data file is no longer trusted. It is
/// then restored to the last flushed commit, whose pages have not been reused
/// (`Environment.holdNewest`), and the recorded rows are written again
/// (`StoreFolder.recoverJournal`).
///
/// The log is open while the data file may contain unflushed commits. During that time, only the
/// process that opened the log commits through it. Before any other process commits, and before a
/// commit that isn't small, the data file is flushed and the log is closed. The caller holds
/// `WRITER`.
final class RedoLog: Sendable {
  private let environment: Environment
  private let policy: RedoPolicy
  private let bootIdentity: String?
  /// Whether the environment flushes its commits at all.
  private let isUsed: Bool
  private let state = Lock(State())

  private struct State: Sendable {
    var file: RedoFile?
    /// The header slots as they were last read or written.
    var seen: [[UInt8]] = []
    var epoch: UInt64 = 0
    /// The commit before the records, or `nil` if the log is closed or open in another process.
    var base: RedoBase?
    var end = 0
    var recordCount = 0
    /// The number of consecutive small commits.
    var smallCount = 0
  }

  init(_ environment: Environment, policy: RedoPolicy, bootIdentity: String?) {
    self.environment = environment
    self.policy = policy
    self.bootIdentity = bootIdentity
    isUsed = environment.options.durability == .durable && !environment.options.readOnly
  }

  /// Whether the data file may contain commits of this process that are durable only through the
  /// log.
  var isOpen: Bool { state.withLock { $0.base != nil } }

  /// Creates a record for the commits of one transaction.
  func record(after previous: UInt64) -> RedoRecord {
    RedoRecord(after: previous, byteCountMax: isUsed ? policy.recordByteCountMax : 0)
  }

  /// Flushes any commits that another process left unflushed; must be called before a write
  /// transaction begins.
  func prepare() throws {
    try changeState { state in try lookUp(&state) }
  }

  /// Flushes the data file and closes the log, no matter which process opened it.
  func settle() throws {
    try changeState { state in
      try lookUp(&state)
      if state.base != nil { try close(&state) }
    }
  }

  /// Commits a transaction durably.
  ///
  /// - Parameters:
  ///   - record: The rows that the transaction put.
  ///   - old: The newest commit before the transaction.
  ///   - new: The newest commit of the transaction.
  /// - Throws: `LMDBError` or `JournalError` if nothing was recorded; ``UnknownOutcome`` if it
  ///   isn't known whether anything was recorded.
  func commit(
    _ transaction: consuming WriteTransaction, _ record: consuming RedoRecord,
    from old: Head, to new: Head
  ) throws {
    // The state is copied because a consumed transaction can't be passed to a closure. No other
    // thread changes the state in the meantime, because the caller holds `WRITER`.
    var state = state.withLock { $0 }
    defer { self.state.withLock { $0 = state } }
    let isSmall = !record.isTooLarge
    if state.base == nil {
      state.smallCount = isSmall ? state.smallCount + 1 : 0
      guard state.smallCount > policy.patienceCommitCount, try begin(&state, at: old) else {
        return try transaction.commit()
      }
    }
    try transaction.commit(flushing: false)
    do {
      if isSmall, try append(record, &state) { return }
      try environment.flush()
      if isSmall, try begin(&state, at: new) { return }
      try close(&state, isFlushed: true)
    } catch {
      // The commit is durable once the data file is flushed.
      do { try close(&state) } catch { throw UnknownOutcome(cause: error) }
    }
  }

  /// Thrown if it isn't known whether a commit would survive a power failure.
  struct UnknownOutcome: Error {
    let cause: any Error
  }

  private func changeState(_ body: (inout State) throws -> Void) throws {
    guard isUsed else { return }
    var state = state.withLock { $0 }
    defer { self.state.withLock { $0 = state } }
    try body(&state)
  }

  static func slots(_ file: RedoFile) throws(JournalError) -> [[UInt8]] {
    [
      try file.read(RedoHeader.byteCount, at: 0),
      try file.read(RedoHeader.byteCount, at: RedoFile.slotByteCount),
    ]
  }

  /// Checks whether other processes have written to the log; closes the log if one left it open.
  private func lookUp(_ state: inout State) throws {
    if state.file == nil { state.file = try RedoFile.open(in: environment.path) }
    guard let file = state.file else { return }
    let slots = try RedoLog.slots(file)
    if slots == state.seen { return }
    let newest = RedoHeader.newest(slots)
    state.base = nil
    state.smallCount = 0
    state.epoch = newest?.epoch ?? 0
    state.seen = slots
    environment.releaseHeldCommit()
    if newest?.base != nil { try close(&state) }
  }

  /// Flushes the data file and records the flush in a header.
  private func close(_ state: inout State, isFlushed: Bool = false) throws {
    state.base = nil
    state.smallCount = 0
    do {
      if !isFlushed { try environment.flush() }
    } catch {
      // The log stays open, and the next writer must try again.
      state.seen = []
      throw error
    }
    try write(RedoHeader(epoch: state.epoch + 1, base: nil), &state)
    environment.releaseHeldCommit()
  }

  /// Opens the log at the newest commit, which has been flushed.
  ///
  /// - Returns: Whether the log is open. It stays closed if there is no space for the file or no
  ///   free reader slot.
  private func begin(_ state: inout State, at head: Head) throws -> Bool {
    state.base = nil
    let pages: MetaPages
    do {
      try makeFile(&state)
      try environment.holdNewest()
      pages = try environment.metaPages()
    } catch {
      environment.releaseHeldCommit()
      state.smallCount = 0
      return false
    }
    let base = RedoBase(
      boot: try RedoLog.bootDigest(bootIdentity), file: environment.fileIdentity,
      sequence: head.sequence, link: head.link, pages: pages)
    try write(RedoHeader(epoch: state.epoch + 1, base: base), &state)
    state.base = base
    state.end = RedoFile.recordsStart
    state.recordCount = 0
    return true
  }

  private func makeFile(_ state: inout State) throws {
    if let file = state.file, try file.recordsByteCount() >= policy.byteCountMax { return }
    let file = try RedoFile.make(in: environment.path, byteCount: policy.byteCountMax)
    state.file = file
    state.seen = try RedoLog.slots(file)
  }

  /// Appends a record and flushes it; returns `false` if the file has no space for it.
  private func append(_ record: consuming RedoRecord, _ state: inout State) throws -> Bool {
    guard let file = state.file, let base = state.base, state.recordCount < policy.recordCountMax
    else { return false }
    let bytes = record.framed(mark: base.mark(epoch: state.epoch), at: state.end)
    guard state.end + bytes.count <= RedoFile.recordsStart + policy.byteCountMax else {
      return false
    }
    try file.write(bytes, at: state.end)
    environment.options.disk?.delayFlush()
    try file.flush()
    state.end += bytes.count
    state.recordCount += 1
    return true
  }

  /// Writes a header and flushes it.
  private func write(_ header: RedoHeader, _ state: inout State) throws {
    guard let file = state.file else { return }
    let bytes = header.bytes
    state.epoch = header.epoch
    // Until the write succeeds, the contents of the file are unknown. If it fails, the slots must
    // be read again.
    var slots = state.seen
    state.seen = []
    try file.write(bytes, at: header.offset)
    environment.options.disk?.delayFlush()
    try file.flush()
    guard !slots.isEmpty else { return }
    slots[Int(header.epoch & 1)] = bytes
    state.seen = slots
  }

  /// Returns the digest of the boot identity, which is stored in a header.
  static func bootDigest(_ identity: String?) throws(JournalError) -> Hash256 {
    var known = identity
    if known == nil { known = try StoreFolder.bootIdentity() }
    return Hash256(hashing: Array((known ?? "").utf8))
  }
}
