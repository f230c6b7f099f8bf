#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A row in the form of the tables.
struct SQLRow {
  var seq: Int64
  var id: [UInt8]
  var day: Int64
  var kind: WorkKind
  var account: Int64
  var counter: Int64
  var amount: Int64
  var description: String
}

/// A row of the event log.
///
/// Properties that an amendment doesn't change are `nil`.
struct SQLEvent {
  var seq: Int64
  var commit: Int64
  var op: Int64
  var id: [UInt8]
  var day: Int64?
  var counter: Int64?
  var amount: Int64?
  var beforeDay: Int64?
  var beforeCounter: Int64?
  var beforeAmount: Int64?
  var kind: Int64?
  var account: Int64?
  var description: String?
  var salt: [UInt8]
  var digest: [UInt8]
}

/// The operations that the work needs from an SQLite interface.
protocol SQLWriter {
  func insertCommit(seq: Int64, time: Int64, digest: [UInt8], link: [UInt8]) throws
  func insert(_ event: SQLEvent) throws
  func insert(_ row: SQLRow) throws
  func find(_ id: [UInt8]) throws -> SQLRow?
  func update(_ row: SQLRow) throws
  func delete(_ row: SQLRow) throws
  func addTotals(
    level: Int64, period: Int64, currency: Int64, income: Int64, expense: Int64, transfers: Int64,
    count: Int64) throws
  func addCategory(
    level: Int64, period: Int64, category: Int64, currency: Int64, inflow: Int64, outflow: Int64,
    count: Int64) throws
  func addBalance(
    account: Int64, level: Int64, period: Int64, inflow: Int64, outflow: Int64, count: Int64) throws
  func addBudget(category: Int64, currency: Int64, month: Int64, spent: Int64) throws
  func setCheckpoint(commit: Int64, event: Int64, link: [UInt8]) throws
}

/// The full work of an event, which is the same for every SQLite interface.
struct SQLWork {
  var commit: Int64 = 0
  var event: Int64 = 0
  var link = [UInt8](repeating: 0, count: 32)

  /// Applies one commit.
  ///
  /// Call it in a transaction, and roll the transaction back if it throws.
  mutating func apply(_ events: ArraySlice<WorkEvent>, to writer: borrowing some SQLWriter) throws {
    commit += 1
    var body = Digest()
    for event in events { body.add(try apply(event, to: writer)) }
    var digest = [UInt8](repeating: 0, count: 32)
    body.finish(into: &digest)
    var chain = Digest()
    chain.add(link)
    chain.add(commit)
    chain.add(digest)
    chain.finish(into: &link)
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    try writer.insertCommit(
      seq: commit, time: Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000,
      digest: digest, link: link)
    try writer.setCheckpoint(commit: commit, event: event, link: link)
  }

  private mutating func apply(
    _ change: WorkEvent, to writer: borrowing some SQLWriter
  ) throws -> [UInt8] {
    event += 1
    switch change {
    case .record(let transaction):
      let row = SQLRow(
        seq: event, id: Self.bytes(transaction.id), day: Int64(transaction.day),
        kind: transaction.kind, account: Int64(transaction.account),
        counter: Int64(transaction.counter), amount: transaction.amount,
        description: transaction.description)
      var logged = logged(row.id, op: 0)
      logged.day = row.day
      logged.counter = row.counter
      logged.amount = row.amount
      logged.kind = Int64(row.kind.rawValue)
      logged.account = row.account
      logged.description = row.description
      seal(&logged)
      try writer.insert(logged)
      try writer.insert(row)
      try contribute(row, amount: row.amount, count: 1, to: writer)
      return logged.digest
    case .amend(let id, let amendment):
      return try amend(Self.bytes(id), amendment, writer)
    case .delete(let id):
      let row = try existing(Self.bytes(id), writer)
      var logged = logged(row.id, op: 2)
      logged.beforeDay = row.day
      logged.beforeCounter = row.counter
      logged.beforeAmount = row.amount
      logged.kind = Int64(row.kind.rawValue)
      logged.account = row.account
      logged.description = row.description
      seal(&logged)
      try writer.insert(logged)
      try writer.delete(row)
      try contribute(row, amount: -row.amount, count: -1, to: writer)
      return logged.digest
    }
  }

  private mutating func amend(
    _ id: [UInt8], _ amendment: WorkAmendment, _ writer: borrowing some SQLWriter
  ) throws -> [UInt8] {
    let before = try existing(id, writer)
    var after = before
    var logged = logged(id, op: 1)
    if let day = amendment.day {
      after.day = Int64(day)
      logged.day = after.day
      logged.beforeDay = before.day
    }
    if let amount = amendment.amount {
      after.amount = amount
      logged.amount = amount
      logged.beforeAmount = before.amount
    }
    if let category = amendment.category {
      after.counter = Int64(category)
      logged.counter = after.counter
      logged.beforeCounter = before.counter
    }
    seal(&logged)
    try writer.insert(logged)
    try writer.update(after)
    if before.day == after.day && before.counter == after.counter {
      try contribute(after, amount: after.amount - before.amount, count: 0, to: writer)
    } else {
      try contribute(before, amount: -before.amount, count: -1, to: writer)
      try contribute(after, amount: after.amount, count: 1, to: writer)
    }
    return logged.digest
  }

  private func existing(_ id: [UInt8], _ writer: borrowing some SQLWriter) throws -> SQLRow {
    guard let row = try writer.find(id) else {
      throw BenchmarkError("event \(event) is about a row that does not exist")
    }
    return row
  }

  private static func bytes(_ id: WorkID) -> [UInt8] {
    withUnsafeBytes(of: id.bytes) { Array($0) }
  }

  private func logged(_ id: [UInt8], op: Int64) -> SQLEvent {
    SQLEvent(
      seq: event, commit: commit, op: op, id: id, salt: [UInt8](repeating: 0, count: 16),
      digest: [UInt8](repeating: 0, count: 32))
  }

  /// Computes the digest of an event, which contains the text only as a salted digest.
  private func seal(_ logged: inout SQLEvent) {
    writeSalt(of: event, into: &logged.salt)
    var text = Digest()
    text.add(logged.salt)
    if let description = logged.description { text.add(description) }
    text.finish(into: &logged.digest)
    var body = Digest()
    body.add(logged.digest)
    body.add(logged.id)
    for value in [logged.op, logged.day, logged.counter, logged.amount, logged.kind] {
      body.add(value ?? .min)
    }
    for value in [logged.beforeDay, logged.beforeCounter, logged.beforeAmount, logged.account] {
      body.add(value ?? .min)
    }
    body.finish(into: &logged.digest)
  }

  /// Adds an amount and a count to every sum that the row belongs to.
  private func contribute(
    _ row: SQLRow, amount: Int64, count: Int64, to writer: borrowing some SQLWriter
  ) throws {
    let month = Int64(Work.month(ofDay: Int(row.day)))
    let currency = Int64(Work.currency(ofAccount: Int(row.account)))
    let periods = (Int64(0), month / 12, month, row.day)
    let isIncome = row.kind == .income
    for (level, period) in [(1, periods.1), (2, periods.2), (3, periods.3)] as [(Int64, Int64)] {
      try writer.addTotals(
        level: level, period: period, currency: currency, income: isIncome ? amount : 0,
        expense: row.kind == .expense ? amount : 0, transfers: row.kind == .transfer ? amount : 0,
        count: count)
    }
    let all = [(0, periods.0), (1, periods.1), (2, periods.2), (3, periods.3)] as [(Int64, Int64)]
    for (level, period) in all {
      try writer.addBalance(
        account: row.account, level: level, period: period, inflow: isIncome ? amount : 0,
        outflow: isIncome ? 0 : amount, count: count)
      if row.kind == .transfer {
        try writer.addBalance(
          account: row.counter, level: level, period: period, inflow: amount, outflow: 0,
          count: count)
      } else {
        try writer.addCategory(
          level: level, period: period, category: row.counter, currency: currency,
          inflow: isIncome ? 0 : amount, outflow: isIncome ? amount : 0, count: count)
      }
    }
    if row.kind == .expense {
      try writer.addBudget(
        category: Int64(Work.parent(ofSubcategory: Int(row.counter))), currency: currency,
        month: month, spent: amount)
    }
  }
}
