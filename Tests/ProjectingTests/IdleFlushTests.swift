// Goal: when nothing has happened for a while the views are flushed and the mark that they hold unflushed
// commits is removed; it is there again before the next of them. So a copy made in quiet keeps its views.
// Method: the writer's thread is held where it begins to flush, and let go; that it is done is waited for.
// Copies are opened as if the system had been started anew. (That the views are really on the disk then, see
// FlushTests of the crash trials.)

import DaybookEngine
import DaybookJournal
import Foundation
import Synchronization
import Testing

@Suite struct IdleFlushTests {
  /// Holds the writer's thread before its idle flush, and notes whether the mark is there at commits.
  private final class Observer: Sendable {
    let gate = Gate("idle")
    let marksAtCommits = Mutex<[Bool]>([])
    private let hasCommitted = Mutex(false)
    private let path: String

    init(_ path: String) { self.path = path }

    func pass(_ name: String) {
      switch name {
      case "before journal commit":
        let isMarked = IdleFlushTests.isMarked(path)
        marksAtCommits.withLock { $0.append(isMarked) }
      case "after views commit": hasCommitted.withLock { $0 = true }
      // After the only commit so far, nobody takes WRITER but the idle flush.
      case "before WRITER" where hasCommitted.withLock({ $0 }): gate.pass("idle")
      default: break
      }
    }
  }

  private static func isMarked(_ path: String) -> Bool {
    guard let folder = try? StoreFolder.open(at: path), let current = try? folder.current() else {
      return false
    }
    return FileManager.default.fileExists(atPath: folder.viewsPath(current.views) + "/SESSION")
  }

  /// The ledger as it is now, opened after the system was started anew: whether it kept its views.
  private func keepsViews(copyOf path: String, _ scratch: Scratch) async throws -> Bool {
    try FileManager.default.copyItem(atPath: path, toPath: scratch.path)
    let before = try StoreFolder.open(at: scratch.path).current().views
    var options = EventStoreOptions()
    options.bootIdentity = "another boot"
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
    #expect(try store.total(1) == Sums(30, 2))
    #expect(try store.verify().isSound)
    try await store.close()
    return try StoreFolder.open(at: scratch.path).current().views == before
  }

  @Test func viewsAreFlushedWhenNothingHappens() async throws {
    let (scratch, earlier, later) = (Scratch(), Scratch(), Scratch())
    let observer = Observer(scratch.path)
    var options = EventStoreOptions()
    options.idleSeconds = 1
    options.trace = { observer.pass($0) }
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
    _ = try await store.record([Reading(group: 1, amount: 10), Reading(group: 1, amount: 20)])

    await observer.gate.arrival(at: "idle")
    #expect(Self.isMarked(scratch.path), "the views are not flushed yet")
    #expect(try await !keepsViews(copyOf: scratch.path, earlier))

    observer.gate.open("idle")
    let deadline = ContinuousClock.now + .seconds(120)
    while Self.isMarked(scratch.path), .now < deadline {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(!Self.isMarked(scratch.path), "the mark is there after two minutes")
    #expect(try await keepsViews(copyOf: scratch.path, later))

    _ = try await store.record([Reading(group: 1, amount: 5)])
    #expect(observer.marksAtCommits.withLock { $0 } == [true, true])
    try await store.close()
    #expect(!Self.isMarked(scratch.path))
  }

  /// The idle time ends while commits are on their way to the views: appends go on, and the flush comes later.
  @Test(.timeLimit(.minutes(3)))
  func anAppendDoesNotWaitForAFlushThatWaitsForTheViews() async throws {
    let scratch = Scratch()
    let gate = Gate("before projecting")
    var options = EventStoreOptions()
    options.idleSeconds = 1
    options.trace = { gate.pass($0) }
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
    for amount in 1...3 as ClosedRange<Int64> {
      _ = try await store.record([Reading(group: 1, amount: amount)])
      try await Task.sleep(for: .milliseconds(1_500))
    }
    #expect(Self.isMarked(scratch.path))
    gate.open("before projecting")
    while Self.isMarked(scratch.path) { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try store.total(1) == Sums(6, 3))
    try await store.close()
  }

  /// A mark that a killed writer left, with everything in the views, goes when the store is next closed, or idle,
  /// though nothing was written.
  ///
  /// Otherwise a later restart of the machine would cost a rebuild.
  @Test(arguments: [false, true]) func aMarkThatWasLeftBehindGoes(isClosed: Bool) async throws {
    let scratch = Scratch()
    var options = EventStoreOptions()
    options.idleSeconds = isClosed ? 600 : 1
    func open() async throws -> EventStore {
      try await EventStore.open(
        at: scratch.path, schema: toySchema, projections: [GroupTotals.self], options: options)
    }
    let first = try await open()
    _ = try await first.record([Reading(group: 1, amount: 10), Reading(group: 1, amount: 20)])
    try await first.close()
    let folder = try StoreFolder.open(at: scratch.path)
    let views = folder.viewsPath(try folder.current().views)
    try folder.withWriter { try folder.writeSession(views, holding: $0) }
    #expect(Self.isMarked(scratch.path))

    let second = try await open()
    let deadline = ContinuousClock.now + .seconds(60)
    while !isClosed, Self.isMarked(scratch.path), .now < deadline {
      try await Task.sleep(for: .milliseconds(10))
    }
    if isClosed { try await second.close() }
    #expect(!Self.isMarked(scratch.path))
    if !isClosed { try await second.close() }
  }

  /// A decision that is refused writes nothing, and leaves no mark.
  @Test func aRefusedDecisionLeavesNoMark() async throws {
    struct Refused: Error {}
    let scratch = Scratch()
    let store = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self])
    _ = try await store.record([Reading(group: 1, amount: 10)])
    try await store.close()
    let again = try await EventStore.open(
      at: scratch.path, schema: toySchema, projections: [GroupTotals.self])
    await #expect(throws: Refused.self) { try await again.append { _ in throw Refused() } }
    try await again.close()
    #expect(!Self.isMarked(scratch.path))
  }
}
