import CYardstick
import Synchronization

/// The yardstick: hand-written C on LMDB, with separate environments for the log and the views.
final class RawLMDBEngine: Engine {
  static let name = "raw LMDB"

  /// Invariant: accessed only while `lock` is held.
  private nonisolated(unsafe) let store: OpaquePointer
  private let lock = Mutex(())
  private let folder: String

  init(opening folder: String) async throws {
    var opened: OpaquePointer?
    let code = ys_open(folder, &opened)
    guard code == 0, let opened else { throw Self.error(code) }
    self.folder = folder
    store = opened
  }

  func append(_ events: ArraySlice<WorkEvent>) async throws {
    let events = events.map(Self.event)
    try check { ys_append(store, events, events.count) }
  }

  func appendConcurrently(_ events: [[WorkEvent]]) async throws {
    try await appendFromTasks(events)
  }

  func rebuild() async throws { try check { ys_rebuild(store) } }

  func page(newest count: Int) throws -> [PageRow] {
    try rows(count) { ys_page(store, 0, 0, 0, $0, $1) }
  }

  func page(after row: PageRow, _ count: Int) throws -> [PageRow] {
    try rows(count) { ys_page(store, 1, Int32(row.day), UInt64(row.number), $0, $1) }
  }

  func page(offset: Int, _ count: Int) throws -> [PageRow] {
    try rows(count) { ys_page_at(store, UInt64(offset), $0, $1) }
  }

  func balance(account: Int, day: Int) throws -> Int64 {
    var balance: Int64 = 0
    try check { ys_balance(store, Int32(account), Int32(day), &balance) }
    return balance
  }

  func months(_ range: Range<Int>) throws -> [MonthTotal] {
    try totals(range.count * 4) {
      ys_months(store, Int32(range.lowerBound), Int32(range.upperBound), $0, $1)
    }.map { total in
      MonthTotal(
        month: Int(total.period), currency: Int(total.currency), income: total.sums.0,
        expense: total.sums.1, transfers: total.sums.2, count: total.sums.3)
    }
  }

  func breakdown(month: Int) throws -> [CategoryTotal] {
    let categories = Work.expenseSubcategories
    return try totals(categories.count * 4) {
      ys_breakdown(
        store, Int32(month), Int32(categories.lowerBound), Int32(categories.upperBound), $0, $1)
    }.map { total in
      CategoryTotal(
        category: Int(total.category), currency: Int(total.currency), inflow: total.sums.0,
        outflow: total.sums.1, count: total.sums.2)
    }
  }

  func compactByteCount() async throws -> Int {
    var bytes: UInt64 = 0
    try check { ys_compact_byte_count(store, folder, &bytes) }
    return Int(bytes)
  }

  func close() async throws { ys_close(store) }

  private func check(_ body: () -> Int32) throws {
    let code = lock.withLock { _ in body() }
    if code != 0 { throw Self.error(code) }
  }

  private static func error(_ code: Int32) -> BenchmarkError {
    BenchmarkError("raw LMDB: \(String(cString: ys_message(code))) (\(code))")
  }

  private func rows(
    _ count: Int, _ body: (UnsafeMutablePointer<ys_row>, UnsafeMutablePointer<Int>) -> Int32
  ) throws -> [PageRow] {
    try withUnsafeTemporaryAllocation(of: ys_row.self, capacity: count) { buffer in
      guard let base = buffer.baseAddress else { return [] }
      var found = count
      try check { body(base, &found) }
      return (0..<found).map { Self.row(&base[$0]) }
    }
  }

  private func totals(
    _ count: Int, _ body: (UnsafeMutablePointer<ys_total>, UnsafeMutablePointer<Int>) -> Int32
  ) throws -> [ys_total] {
    try [ys_total](unsafeUninitializedCapacity: count) { buffer, found in
      found = 0
      guard let base = buffer.baseAddress else { return }
      var filled = count
      try check { body(base, &filled) }
      found = filled
    }
  }

  private static func row(_ row: inout ys_row) -> PageRow {
    let text = withUnsafeBytes(of: &row.text) {
      String(decoding: $0.prefix(Int(row.text_count)), as: UTF8.self)
    }
    return PageRow(
      id: WorkID(high: row.id_high, low: row.id_low), day: Int(row.day), number: Int64(row.number),
      kind: WorkKind(rawValue: Int(row.kind)) ?? .expense, account: Int(row.account),
      counter: Int(row.counter), amount: row.amount, description: text)
  }

  private static func event(_ event: WorkEvent) -> ys_event {
    var result = ys_event()
    switch event {
    case .record(let transaction):
      result.id_high = transaction.id.high
      result.id_low = transaction.id.low
      result.amount = transaction.amount
      result.day = Int32(transaction.day)
      result.account = Int32(transaction.account)
      result.counter = Int32(transaction.counter)
      result.kind = UInt8(transaction.kind.rawValue)
      var text = transaction.description
      result.text_count = text.withUTF8 { source in
        withUnsafeMutableBytes(of: &result.text) { $0.copyBytes(from: source.prefix(64)) }
        return UInt8(min(source.count, 64))
      }
    case .amend(let id, let amendment):
      result.op = 1
      result.id_high = id.high
      result.id_low = id.low
      if let day = amendment.day {
        result.mask |= 1
        result.day = Int32(day)
      }
      if let amount = amendment.amount {
        result.mask |= 2
        result.amount = amount
      }
      if let category = amendment.category {
        result.mask |= 4
        result.counter = Int32(category)
      }
    case .delete(let id):
      result.op = 2
      result.id_high = id.high
      result.id_low = id.low
    }
    return result
  }
}

extension Engine {
  /// Appends each event in its own commit, concurrently from one task for each list.
  func appendFromTasks(_ events: [[WorkEvent]]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for list in events {
        group.addTask { @concurrent in
          for event in list { try await self.append([event]) }
        }
      }
      try await group.waitForAll()
    }
  }
}
