public import Entities
import SyncWire

/// Moves a log from one store to another, while its devices push and pull.
///
/// It may be killed after any step and run again, and may run twice at a time: what was done is kept by the two stores. Copied
/// first is what there is while devices go on; then the source takes nothing more, and the rest is copied. The source is
/// closed before the target opens, so no device is served by both.
public struct LogMover: Sendable {
  /// What was done last.
  public enum Progress: Hashable, Sendable {
    /// Entries were copied, up to this position of a log that ends there, or chunks.
    case copied(entry: UInt64, of: UInt64, chunk: Int, ofChunks: Int)
    /// The target knows of the move.
    case prepared
    /// The source takes nothing more.
    case frozen
    /// The target has everything.
    case complete
    /// The source gave it up: from here on the move can only be finished.
    case closed
    /// The target serves it.
    case opened
  }

  private let ledger: EntityID
  private let source: any RelayStore
  private let target: any RelayStore
  private let address: String
  private let report: @Sendable (Progress) async throws -> Void

  /// How many bytes of entries travel at once.
  private static let sliceByteCount = 1 << 20
  /// How many rows are deleted at once.
  private static let eraseRowCount = 256

  /// A move.
  ///
  /// - Parameters:
  ///   - address: What devices that ask the source are told; empty where they reach the target as they reached the source.
  ///   - report: Told what was done; what it throws ends the move where it is.
  public init(
    _ ledger: EntityID, from source: any RelayStore, to target: any RelayStore,
    address: String = "",
    report: @escaping @Sendable (Progress) async throws -> Void = { _ in }
  ) {
    self.ledger = ledger
    self.source = source
    self.target = target
    self.address = address
    self.report = report
  }

  /// Moves the log, or goes on where an earlier run ended.
  ///
  /// - Throws: ``MoveFault``, or what a store throws; it can be run again.
  public func run() async throws {
    guard let here = try await source.moveState(of: ledger) else { throw MoveFault.notHere }
    let there = try await target.moveState(of: ledger)
    switch here.phase {
    case .open:
      if let there, there.phase == .open {
        guard there.number > here.number, there.ticket != 0, try await targetGoesOn() else {
          throw MoveFault.alreadyThere
        }
        // The source was restored from a backup of before it moved: devices that ask here would be led astray.
        try await source.take(.freeze, of: there.number, of: ledger)
        return try await close(there.number, ticket: there.ticket)
      }
      let move = here.number + 1
      _ = try await copied(move)
      try await source.take(.freeze, of: move, of: ledger)
      try await report(.frozen)
      try await finish(move)
    case .frozen: try await finish(here.number)
    case .moved:
      guard let there, there.number == here.number, there.ticket == here.ticket, here.ticket != 0
      else { throw MoveFault.elsewhere(address: here.address) }
      try await close(here.number, ticket: here.ticket)
    case .arriving, .complete: throw MoveFault.notHere
    }
  }

  /// Takes back a move that did not come to its end: the source serves all again.
  ///
  /// - Throws: ``MoveFault/elsewhere(address:)`` where it came so far that it can only be finished.
  public func takeBack() async throws {
    guard let here = try await source.moveState(of: ledger) else { throw MoveFault.notHere }
    guard here.phase == .frozen || here.phase == .open else {
      throw MoveFault.elsewhere(address: here.address)
    }
    let there = try await target.moveState(of: ledger)
    let arrived = there.flatMap { $0.phase == .arriving || $0.phase == .complete ? $0 : nil }
    // An open source was not frozen for what arrived, and now never will be.
    let move = here.phase == .frozen ? here.number : max(here.number, arrived?.number ?? 0)
    try await source.take(.thaw, of: move, of: ledger)
    guard let arrived, arrived.number <= move else { return }
    try await target.take(.drop(arrived.phase), of: arrived.number, of: ledger)
    try await eraseAll(in: target)
  }

  /// Deletes what the source keeps of a log that has moved.
  ///
  /// - Returns: How many rows were deleted.
  /// - Throws: ``MoveFault/stillHere`` unless it has moved.
  public static func erase(_ ledger: EntityID, in store: any RelayStore) async throws -> Int {
    var count = 0
    while true {
      let slice = try await store.erase(ledger, rowCountMax: eraseRowCount)
      if slice == 0 { return count }
      count += slice
    }
  }

  // MARK: Steps

  private func finish(_ move: UInt64) async throws {
    let ticket = try await copied(move)
    try await target.complete(ledger, as: source.record(of: ledger), ticket: ticket)
    try await report(.complete)
    try await close(move, ticket: ticket)
  }

  private func close(_ move: UInt64, ticket: UInt64) async throws {
    try await source.take(.close(ticket: ticket, address: address), of: move, of: ledger)
    try await report(.closed)
    try await target.take(.open(ticket: ticket), of: move, of: ledger)
    try await report(.opened)
  }

  /// Copies what the source has and the target lacks; what the target calls the move.
  private func copied(_ move: UInt64) async throws -> UInt64 {
    while true {
      let ticket = try await prepared(move)
      do {
        try await copy(ticket)
        return ticket
      } catch let refusal as RelayRefusal where refusal.code == .trimmed {
        // The source let go of what was to be copied next: the target begins anew, after that.
      }
    }
  }

  private func prepared(_ move: UInt64) async throws -> UInt64 {
    let trimmed = try await source.record(of: ledger).trimmed
    if let there = try await target.moveState(of: ledger) {
      guard there.phase != .open, there.phase != .frozen else { throw MoveFault.alreadyThere }
      guard there.number <= move else { throw MoveFault.olderThanThere }
      if there.phase != .moved {
        let end = try await target.record(of: ledger).end
        if there.number == move, end.position >= trimmed.position { return there.ticket }
        // Of a move that is over; or of this one, and not complete, or it would be lost.
        guard there.number < move || there.phase == .arriving else {
          throw MoveFault.overtaken(there)
        }
        try await target.take(.drop(there.phase), of: there.number, of: ledger)
      }
      try await eraseAll(in: target)
    }
    let ticket = try await target.prepare(ledger, move: move, from: trimmed)
    try await report(.prepared)
    return ticket
  }

  private func copy(_ ticket: UInt64) async throws {
    let there = try await target.record(of: ledger)
    var position = there.end.position
    // Devices that write all the time are not waited for.
    let end = try await source.record(of: ledger).end.position
    while position < end {
      let page = try await source.pull(
        from: ledger, after: position, byteCountMax: Self.sliceByteCount)
      try await target.place(page.entries, of: ledger, ticket: ticket)
      position += UInt64(page.entries.count)
      try await report(.copied(entry: position, of: page.head, chunk: 0, ofChunks: 0))
    }
    let known = Set(there.chunks)
    let wanted = try await source.record(of: ledger).chunks
    for (index, digest) in wanted.enumerated() where !known.contains(digest) {
      do {
        let chunk = try await source.chunk(digest, of: ledger)
        try await target.place(chunk, of: ledger, ticket: ticket)
      } catch let refusal as RelayRefusal where refusal.code == .notFound {
        // A newer snapshot came meanwhile. What is lacking in the end, completing finds.
        continue
      }
      try await report(
        .copied(entry: position, of: position, chunk: index + 1, ofChunks: wanted.count))
    }
  }

  /// Whether the target's log continues the one that the source has.
  private func targetGoesOn() async throws -> Bool {
    let end = try await source.record(of: ledger).end
    let there = try await target.record(of: ledger)
    if end.position > there.end.position { return false }
    if end.position <= there.trimmed.position {
      return end.position < there.trimmed.position || end.link == there.trimmed.link
    }
    let page = try await target.pull(from: ledger, after: end.position - 1, byteCountMax: 1)
    return page.link == end.link
  }

  private func eraseAll(in store: any RelayStore) async throws {
    while try await store.erase(ledger, rowCountMax: Self.eraseRowCount) > 0 {}
  }
}
