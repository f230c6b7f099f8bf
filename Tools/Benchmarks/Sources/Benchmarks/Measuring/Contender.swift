import CYardstick
import Foundation

/// An engine in the race, with the events it is yet to get.
protocol Contender: AnyObject, Sendable {
  var name: String { get }
  var folder: String { get }
  /// How many events it has been given.
  var eventCount: Int { get }
  /// Whether it takes part in the import of a file.
  var imports: Bool { get }
  /// Passes over events that a copied store already has.
  func skip(_ count: Int)
  func open() async throws
  func close() async throws
  /// Appends `count` events in commits of `batch`; the time of all of them.
  func grow(_ count: Int, batch: Int) async throws -> Span
  /// Microseconds of each of `count` commits of one event.
  func single(_ count: Int) async throws -> [Double]
  /// Microseconds of each of `count` commits of one event with a balance that is read after it.
  func singleThenRead(_ count: Int) async throws -> [Double]
  /// Microseconds of `tasks` tasks appending `each` events one by one.
  func concurrent(tasks: Int, each: Int) async throws -> Double
  func rebuild() async throws -> Span
  func time(_ question: Question) throws -> Double
  /// How many amounts, by category and currency, the breakdown has that is asked for.
  func breakdownAmountCount() throws -> Int
  /// The time to import a file into a store of its own.
  func importFile(_ path: String) async throws -> Span
  func compactByteCount() async throws -> Int
  /// What it answers, in neutral terms.
  func answers() throws -> Answers
}

/// What is asked of a store.
enum Question: String, CaseIterable, Sendable {
  case newest = "page of 50, newest"
  case deepKey = "page of 50, half way down, by key"
  case deepOffset = "page of 50, half way down, by offset"
  case balance = "balance on a day ten years back"
  case months = "120 months"
  case breakdown = "category breakdown of a month"
}

/// What a store answers, to compare it with what others answer.
struct Answers: Equatable {
  var pages: [[PageRow]]
  var balances: [Int64]
  var months: [MonthTotal]
  var breakdowns: [[CategoryTotal]]
  /// What is found with some texts, where there is an index of them.
  var found: [[PageRow]]?
}

/// The one kind of contender: an engine, its folder and its generator.
final class EngineContender<E: Engine>: Contender {
  let name = E.name
  let folder: String
  private let size: Int
  /// Invariant: a contender is used by one task at a time, that of the run.
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

  /// Passes over events that a copied store already has.
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
    // What was acknowledged is to be seen, too.
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
    // Events of one batch may refer to each other; records alone can go in any order.
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

  /// The rows that have a part of the description of some others, in capital letters, and one that none has.
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
