/// Goal: a process that is killed at any moment of an import that rebuilds the views, while others append,
/// leaves all of the import or nothing, loses nothing that it acknowledged, and lets the file be imported
/// again.
/// Method: an import is cut into stretches by the named points of its work. One import is left alone, which
/// tells how long each stretch is; then children that import and append are killed with SIGKILL at a random
/// time of each stretch, from its beginning on, so that the moments lie all over the import on machines of any
/// speed. Inspected is as in the trials of kills. DAYBOOK_CRASH_TRIALS sets how many (500 by default: 5 of
/// each stretch where a few hundred rows count as many, and one of three of them with as many as it takes).
import Daybook
import DaybookEngine
import DaybookPlatform
import DaybookRandom
import Foundation
import Synchronization
import Testing

@Suite(.serialized) struct ImportKillTrials {
  /// Where stretches begin; the views are rebuilt between the two commits' names and the flip.
  static let points = [
    Fuse.beginning, "before WRITER", "before journal commit", "after journal commit", "before flip",
    "after flip",
  ]

  @Test(arguments: points) func killed(point: String) async throws {
    try await run(point, trials: max(1, trialCount / 100), isFull: false)
  }

  @Test(arguments: [points[1], points[3], points[4]]) func killedWithManyRows(point: String)
    async throws
  {
    try await run(point, trials: 1, isFull: true)
  }

  private func run(_ point: String, trials: Int, isFull: Bool) async throws {
    let place = try Place()
    let path = place.ledger
    let lengths = try await lengths(path, isFull)
    let number = Self.points.firstIndex(of: point) ?? 0
    for trial in 0..<trials {
      let seed = UInt64(200_000 + (isFull ? 50_000 : 0) + trial * 100 + number)
      var random = SeededGenerator(seed: seed)
      let length = try #require(lengths[point], "the import has not passed \(point)")
      let delay = UInt32.random(in: 0...length, using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = path as String, point = point as String, seed = seed as UInt64,
          delay = delay as UInt32, isFull = isFull as Bool
        ] in
        try await BulkImporter(seed: seed, isFull: isFull).run(path, killed: delay, after: point)
      }
      try await inspect(path, seed: seed) { BulkImporter.adjust(&$0, isFull) }
    }
  }

  /// How many microseconds each stretch of an import takes, by its first point.
  private func lengths(_ path: String, _ isFull: Bool) async throws -> [String: UInt32] {
    let watch = StopWatch()
    let (ledger, _) = try await Child.open(path) { options in
      BulkImporter.adjust(&options, isFull)
      options.trace = { watch.note($0) }
    }
    var random = SeededGenerator(seed: 1)
    let file = try FileImport("alone", AckFile(of: path)).write(
      BulkImporter.rowCount(isFull), &random)
    watch.passed.withLock { $0 = [] }
    watch.note(Fuse.beginning)
    try await file.run(into: ledger)
    watch.note("end")
    try await ledger.close()
    let found = watch.passed.withLock { $0 }.filter { Self.points.contains($0.0) || $0.0 == "end" }
    var lengths: [String: UInt32] = [:]
    for (this, next) in zip(found, found.dropFirst()) where lengths[this.0] == nil {
      lengths[this.0] = UInt32((next.1 - this.1) / .microseconds(1))
    }
    return lengths
  }
}

/// Notes when points were passed.
private final class StopWatch: Sendable {
  let passed = Mutex<[(String, ContinuousClock.Instant)]>([])

  func note(_ name: String) { passed.withLock { $0.append((name, .now)) } }
}

/// Kills this process some time after a named point was passed, once it is lit.
final class Fuse: Sendable {
  /// The point before everything that an import does.
  static let beginning = "import"

  private let point: String
  private let microseconds: UInt32
  private let isLit = Mutex(false)

  init(_ point: String, _ microseconds: UInt32) {
    self.point = point
    self.microseconds = microseconds
  }

  func light() {
    isLit.withLock { $0 = true }
    pass(Self.beginning)
  }

  func pass(_ name: String) {
    guard name == point else { return }
    let burns = isLit.withLock { isLit in
      defer { isLit = false }
      return isLit
    }
    if burns { Child.killLater(microseconds: microseconds) }
  }
}

/// A child that appends from two tasks and imports files by a third, until it is killed.
struct BulkImporter {
  let seed: UInt64
  /// Whether files have as many rows as it takes to rebuild the views.
  let isFull: Bool

  static func rowCount(_ isFull: Bool) -> Int {
    isFull ? EventStoreOptions().bulkChangeCountMin : 400
  }

  /// Has an import of a few hundred rows rebuild the views, where that is not full.
  static func adjust(_ options: inout EventStoreOptions, _ isFull: Bool) {
    if isFull { return }
    options.bulkChangeCountMin = rowCount(false)
    options.bulkShare = 0
  }

  func run(_ path: String, killed microseconds: UInt32, after point: String) async throws {
    let fuse = Fuse(point, microseconds)
    let (ledger, account) = try await Child.open(path) { [isFull] options in
      Self.adjust(&options, isFull)
      options.trace = { fuse.pass($0) }
    }
    let acks = AckFile(of: path)
    async let appending: Void = Child.work(ledger, account, acks, seed: seed, tasks: 2)
    var random = SeededGenerator(seed: seed &+ 5)
    for number in 0..<1_000 {
      let file = try FileImport("bulk \(seed) \(number)", acks)
        .write(Self.rowCount(isFull), &random)
      fuse.light()
      try await file.run(into: ledger)
    }
    try await appending
  }
}
