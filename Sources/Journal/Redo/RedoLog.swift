import Entities
import LMDB

/// When a journal's commits are made durable by its redo log.
package struct RedoPolicy: Hashable, Sendable {
  /// So many small commits in a row come first; 0 begins at once.
  package var patienceCommitCount = 8
  /// So many commits are recorded before the data file is flushed again.
  ///
  /// Pages that they free cannot be used again before that.
  package var recordCountMax = 128
  /// Bytes of one record: of all commits of one flush.
  package var recordByteCountMax = 1 << 16
  /// Bytes of all records.
  package var byteCountMax = 1 << 20

  /// What every ledger does.
  package static let standard = RedoPolicy()

  package init() {}
}

/// Makes small commits durable with one flush of one place, where LMDB alone takes two of scattered ones.
///
/// A commit goes into the data file without a flush, and what it put there into the file REDO, which is flushed.
/// Everybody reads the data file as ever. Only if the machine stopped since, which its boot identity tells, the
/// data file is not believed: it is put back to the commit that was flushed last, whose pages nobody has touched
/// (`Environment.holdNewest`), and what was recorded is put into it again (`StoreFolder.recoverJournal`).
///
/// The log is open while the data file may hold commits that were not flushed. Then only the process that opened
/// it commits so; any other, and everything that is no small commit, flushes the data file and closes it first.
/// `WRITER` is held by whoever calls.
final class RedoLog: Sendable {
  private let environment: Environment
  private let policy: RedoPolicy
  private let bootIdentity: String?
  /// Whether commits of the environment are flushed at all.
  private let isUsed: Bool
  private let state = Lock(State())

  private struct State: Sendable {
    var file: RedoFile?
    /// The slots of the headers as they were last seen or written.
    var seen: [[UInt8]] = []
    var epoch: UInt64 = 0
    /// What the records follow; `nil` while the log is closed, or another's.
    var base: RedoBase?
    var end = 0
    var recordCount = 0
    /// How many small commits have come in a row.
    var smallCount = 0
  }

  init(_ environment: Environment, policy: RedoPolicy, bootIdentity: String?) {
    self.environment = environment
    self.policy = policy
    self.bootIdentity = bootIdentity
    isUsed = environment.options.durability == .durable && !environment.options.readOnly
  }

  /// Whether the data file may hold commits of this process that only the log makes durable.
  var isOpen: Bool { state.withLock { $0.base != nil } }

  /// A record for the commits of one transaction.
  func record(after previous: UInt64) -> RedoRecord {
    RedoRecord(after: previous, byteCountMax: isUsed ? policy.recordByteCountMax : 0)
  }

  /// Before a write transaction begins: flushes what another process has left unflushed.
  func prepare() throws {
    try changeState { state in try lookUp(&state) }
  }

  /// Flushes the data file and closes the log, whoever has opened it.
  func settle() throws {
    try changeState { state in
      try lookUp(&state)
      if state.base != nil { try close(&state) }
    }
  }

  /// Commits a transaction durably.
  ///
  /// - Parameters:
  ///   - record: What was put.
  ///   - old: The newest commit before it.
  ///   - new: The newest commit of it.
  /// - Throws: `LMDBError` or `JournalError` where nothing was recorded; ``UnknownOutcome`` where that
  ///   cannot be told.
  func commit(
    _ transaction: consuming WriteTransaction, _ record: consuming RedoRecord,
    from old: Head, to new: Head
  ) throws {
    // Nobody else is here meanwhile; a transaction that is consumed can't be lent to a closure.
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
      // The data file alone will do, if it can be flushed.
      do { try close(&state) } catch { throw UnknownOutcome(cause: error) }
    }
  }

  /// It is not known whether a commit would survive a power failure.
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

  /// Looks whether others have written to the log, and closes it where they left it open.
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
    environment.letGo()
    if newest?.base != nil { try close(&state) }
  }

  /// Flushes the data file, and says that it was.
  private func close(_ state: inout State, isFlushed: Bool = false) throws {
    state.base = nil
    state.smallCount = 0
    do {
      if !isFlushed { try environment.flush() }
    } catch {
      // It stays open, and whoever writes next has to try again.
      state.seen = []
      throw error
    }
    try write(RedoHeader(epoch: state.epoch + 1, base: nil), &state)
    environment.letGo()
  }

  /// Opens the log at the newest commit, which was flushed.
  ///
  /// - Returns: Whether it is open; not where there is no room for the file, or no place among the readers.
  private func begin(_ state: inout State, at head: Head) throws -> Bool {
    state.base = nil
    let pages: MetaPages
    do {
      try makeFile(&state)
      try environment.holdNewest()
      pages = try environment.metaPages()
    } catch {
      environment.letGo()
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

  /// Writes a record behind the others, and flushes it; `false` where there is no room for it.
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

  /// Writes a header, and flushes it.
  private func write(_ header: RedoHeader, _ state: inout State) throws {
    guard let file = state.file else { return }
    let bytes = header.bytes
    state.epoch = header.epoch
    // What is in the file is not known until it is done: where that fails, it is looked up.
    var slots = state.seen
    state.seen = []
    try file.write(bytes, at: header.offset)
    environment.options.disk?.delayFlush()
    try file.flush()
    guard !slots.isEmpty else { return }
    slots[Int(header.epoch & 1)] = bytes
    state.seen = slots
  }

  /// What stands for the operating system's run in a header.
  static func bootDigest(_ identity: String?) throws(JournalError) -> Hash256 {
    var known = identity
    if known == nil { known = try StoreFolder.bootIdentity() }
    return Hash256(hashing: Array((known ?? "").utf8))
  }
}
