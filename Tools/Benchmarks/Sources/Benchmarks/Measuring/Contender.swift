import CYardstick
import Foundation

/// An engine in a run, with the events that it hasn't received yet.
protocol Contender: AnyObject, Sendable {
  var name: String { get }
  var folder: String { get }
  /// The number of events received so far.
  var eventCount: Int { get }
  /// Whether the engine takes part in the import benchmark.
  var imports: Bool { get }
  /// Skips events that a copied store already contains.
  func skip(_ count: Int)
  func open() async throws
  func close() async throws
  /// Appends `count` events in commits of `batch` events, and returns the total duration.
  func grow(_ count: Int, batch: Int) async throws -> Span
  /// The duration of each of `count` commits of one event, in microseconds.
  func single(_ count: Int) async throws -> [Double]
  /// The duration of each of `count` commits of one event, including a balance read afterwards, in
  /// microseconds.
  func singleThenRead(_ count: Int) async throws -> [Double]
  /// The duration of `tasks` tasks that each append `each` events one by one, in microseconds.
  func concurrent(tasks: Int, each: Int) async throws -> Double
  func rebuild() async throws -> Span
  func time(_ question: Question) throws -> Double
  /// The number of amounts, by category and currency, in the measured breakdown.
  func breakdownAmountCount() throws -> Int
  /// The duration of importing a file into a separate store.
  func importFile(_ path: String) async throws -> Span
  func compactByteCount() async throws -> Int
  /// The store's answers in neutral values.
  func answers() throws -> Answers
}

/// The queries that are timed.
enum Question: String, CaseIterable, Sendable {
  case newest = "page of 50, newest"
  case deepKey = "page of 50, half way down, by key"
  case deepOffset = "page of 50, half way down, by offset"
  case balance = "balance on a day ten years back"
  case months = "120 months"
  case breakdown = "category breakdown of a month"
}

/// A store's answers, for comparison with those of other stores.
struct Answers: Equatable {
  var pages: [[PageRow]]
  var balances: [Int64]
  var months: [MonthTotal]
  var breakdowns: [[CategoryTotal]]
  /// The rows found for some texts, or `nil` without a text index.
  var found: [[PageRow]]?
}

/// The only contender type: an engine with its folder and its generator.
final class EngineContender<E: Engine>: Contender {
  let name = E.name
  let folder: String
  private let size: Int
  /// Invariant: only one task at a time uses a contender, the task of the run.
  private nonisolated(unsafe) var engine: E?
  private nonisolated(unsafe) var generator: WorkGenerator

  init(folder: String, size: Int) {
    self.folder = folder
    self.size = size
    generator = WorkGenerator(size: size)
  }

  var eventCount: Int { generator.nextIndex }
  var imports: Bool { E.imports }

  private var live: E {
    get throws {
      guard let engine else { throw BenchmarkError("\(name) is not open") }
      return engine
    }
  }

  func open() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    engine = try await E(opening: folder)
  }

  func close() async throws {
    try await live.close()
    engine = nil
  }

  /// Skips events that a copied store already contains.
  func skip(_ count: Int) { for _ in 0..<count { _ = generator.next() } }

  func grow(_ count: Int, batch: Int) async throws -> Span {
    let engine = try live
    var total = Span()
    var left = count
    while left > 0 {
      let events = generator.next(min(batch, left))
      total += try await measure { try await engine.append(events[...]) }
      left -= events.count
    }
    // The duration includes reading the events that were acknowledged.
    total += try await measure { _ = try engine.page(newest: 1) }
    return total
  }

  func single(_ count: Int) async throws -> [Double] {
    let engine = try live
    var times: [Double] = []
    for event in generator.next(count) {
      times.append(try await measure { try await engine.append([event]) }.wall)
    }
    return times
  }

  func singleThenRead(_ count: Int) async throws -> [Double] {
    let engine = try live
    var times: [Double] = []
    for event in generator.next(count) {
      times.append(
        try await measure {
          try await engine.append([event])
          _ = try engine.balance(account: 7, day: WorkGenerator.firstDay + 20)
        }.wall)
    }
    return times
  }

  func concurrent(tasks: Int, each: Int) async throws -> Double {
    let engine = try live
    // Events in one batch may refer to each other, but newly recorded rows can be appended in any
    // order.
    var events: [[WorkEvent]] = Array(repeating: [], count: tasks)
    for task in 0..<tasks {
      while events[task].count < each {
        if case .record(let transaction) = generator.next() {
          events[task].append(.record(transaction))
        }
      }
    }
    return try await measure {
      try await engine.appendConcurrently(events)
      _ = try engine.page(newest: 1)
    }.wall
  }

  func rebuild() async throws -> Span {
    let engine = try live
    return try await measure { try await engine.rebuild() }
  }

  func time(_ question: Question) throws -> Double {
    let engine = try live
    let middle = size / 2
    let month = Work.month(ofDay: WorkGenerator.lastDay)
    switch question {
    case .newest: return try microsecondsPerCall { try engine.page(newest: 50).count }
    case .deepKey:
      guard let row = try engine.page(offset: middle, 1).first else {
        throw BenchmarkError("\(name) has no row \(middle)")
      }
      return try microsecondsPerCall { try engine.page(after: row, 50).count }
    case .deepOffset:
      return try microsecondsPerCall { try engine.page(offset: middle, 50).count }
    case .balance:
      return try microsecondsPerCall {
        Int(truncatingIfNeeded: try engine.balance(account: 7, day: WorkGenerator.firstDay + 20))
      }
    case .months:
      return try microsecondsPerCall { try engine.monthValues(month - 119..<month + 1) }
    case .breakdown:
      return try microsecondsPerCall { try engine.breakdownValues(month: month - 12) }
    }
  }

  func breakdownAmountCount() throws -> Int {
    try live.breakdown(month: Work.month(ofDay: WorkGenerator.lastDay) - 12).count
  }

  func importFile(_ path: String) async throws -> Span {
    let folder = folder + "-import"
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let engine = try await E(opening: folder)
    let time = try await measure { try await engine.importFile(path) }
    try await engine.close()
    try FileManager.default.removeItem(atPath: folder)
    return time
  }

  func compactByteCount() async throws -> Int { try await live.compactByteCount() }

  func answers() throws -> Answers {
    let engine = try live
    var pages = [try engine.page(newest: 50)]
    for _ in 0..<3 {
      if let last = pages[pages.count - 1].last { pages.append(try engine.page(after: last, 70)) }
    }
    for offset in [0, 1, 49, 1_000, size / 3, size / 2, size * 2] {
      pages.append(try engine.page(offset: offset, 50))
    }
    let days = stride(from: WorkGenerator.firstDay - 1, to: WorkGenerator.lastDay + 2, by: 97)
    let months =
      Work.month(ofDay: WorkGenerator.firstDay)...Work.month(ofDay: WorkGenerator.lastDay)
    return Answers(
      pages: try pages.map { try $0.map(neutralWithoutNumber) },
      balances: try days.flatMap { day in
        try Work.accounts.map { try engine.balance(account: $0, day: day) }
      },
      months: try engine.months(months.lowerBound..<months.upperBound + 1)
        .filter { $0.count != 0 }.sorted { ($0.month, $0.currency) < ($1.month, $1.currency) },
      breakdowns: try months.map { month in
        try engine.breakdown(month: month).filter { $0.count != 0 }
          .sorted { ($0.category, $0.currency) < ($1.category, $1.currency) }
      },
      found: try found(like: pages[0]))
  }

  /// The rows found for parts of some rows' descriptions in capital letters, and for a text that no
  /// row contains.
  private func found(like rows: [E.Row]) throws -> [[PageRow]]? {
    let engine = try live
    var found: [[PageRow]] = []
    let texts = try stride(from: 0, to: rows.count, by: 7).map { index in
      String(try engine.neutral(rows[index]).description.dropFirst(3).prefix(6)).uppercased()
    }
    for text in texts + ["no such text"] {
      guard let rows = try engine.search(text, 50) else { return nil }
      found.append(try rows.map(neutralWithoutNumber))
    }
    return found
  }

  private func neutralWithoutNumber(_ row: E.Row) throws -> PageRow {
    var row = try live.neutral(row)
    row.number = 0
    return row
  }
}
