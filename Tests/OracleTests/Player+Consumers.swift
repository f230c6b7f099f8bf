/// Goal: consumers see every commit once and in order, remember together with what they acknowledge, and a
/// purge waits for them or overtakes them as promised. Method: each counts transactions by what it reads of
/// history, in a table of its own; the count must be the oracle's. How far a purge may go is computed from
/// where they stand.
import Daybook
import DaybookSampleData

@testable import DaybookTesting

/// What a script does with a consumer.
enum ConsumerStep: Hashable {
  /// Registers it, or gives it another kind; a new one begins now, or with what is kept.
  case register(Int, Patience, fromNow: Bool)
  /// Reads what it has not acknowledged, and acknowledges so many hundredths of it.
  case follow(Int, hundredths: Int)
  /// Forgets it.
  case unregister(Int)

  /// How long a purge waits for it.
  enum Patience: Hashable, CaseIterable {
    case always
    case long
    case never
  }

  static func random(_ random: inout SeededGenerator) -> ConsumerStep {
    let name = random.number(0...2)
    switch random.number(0...9) {
    case 0..<4:
      return .register(name, random.pick(Patience.allCases), fromNow: random.chance(40))
    case 9: return .unregister(name)
    default:
      return .follow(name, hundredths: random.chance(60) ? 100 : random.number(0...100))
    }
  }
}

/// A consumer as it should be.
struct NaiveConsumer {
  var patience: ConsumerStep.Patience
  /// The commit up to which it has acknowledged.
  var sequence: UInt64
  /// How many transactions there were then, as it remembers; `nil` where it began in the middle.
  var count: Int?

  var kind: Consumer.Kind {
    switch patience {
    case .always: .required
    case .long: .bestEffort(allowanceSeconds: 1_000_000_000)
    case .never: .bestEffort(allowanceSeconds: 0)
    }
  }

  var stored: [UInt8]? { count.map { Array("\($0)".utf8) } }
}

extension Player {
  private static let names = ["backup", "phone", "tablet"]
  private static let key: [UInt8] = [1]

  mutating func consume(_ step: ConsumerStep, _ index: Int) async throws {
    switch step {
    case .register(let which, let patience, let fromNow):
      try await register(Self.names[which], patience, fromNow: fromNow)
    case .follow(let which, let hundredths):
      try await follow(Self.names[which], hundredths, index)
    case .unregister(let which):
      let name = Self.names[which]
      let there = try await ledger.unregister(consumer: name)
      guard there == (consumers.removeValue(forKey: name) != nil) else {
        throw Difference(step: index, lines: ["unregistered “\(name)”: \(there)"])
      }
    }
  }

  private mutating func register(
    _ name: String, _ patience: ConsumerStep.Patience, fromNow: Bool
  ) async throws {
    let now = try ledger.token
    var consumer =
      consumers[name]
      ?? NaiveConsumer(
        patience: patience, sequence: fromNow ? now.sequence : floor,
        count: fromNow || floor > 0 ? nil : 0)
    consumer.patience = patience
    try await ledger.register(consumer: name, consumer.kind, after: fromNow ? now : nil)
    consumers[name] = consumer
  }

  private mutating func follow(_ name: String, _ hundredths: Int, _ index: Int) async throws {
    guard var consumer = consumers[name] else {
      guard (try? ledger.history(forConsumer: name)) == nil else {
        throw Difference(step: index, lines: ["“\(name)” can be read for, but is not registered"])
      }
      return
    }
    let entries: [HistoryEntry]
    do {
      entries = try ledger.history(forConsumer: name).entries()
    } catch let error as DaybookError where error.code == .expiredToken {
      guard consumer.sequence < floor else { throw error }
      // The way forward: everything as of now, and then what comes after.
      let (token, count) = try ledger.read { snapshot throws in
        (snapshot.token, try snapshot.count())
      }
      consumer.sequence = token.sequence
      consumer.count = count
      try await ledger.acknowledge(token, by: name, putting: [Self.key: consumer.stored])
      try check(consumer, name, index)
      consumers[name] = consumer
      return
    }
    let newest = try ledger.token.sequence
    guard consumer.sequence >= floor,
      entries.map(\.sequence) == Array((consumer.sequence..<newest).map { $0 + 1 })
    else {
      throw Difference(
        step: index,
        lines: ["“\(name)” at \(consumer.sequence) of \(newest) read \(entries.map(\.sequence))"])
    }
    let part = entries.prefix(entries.count * hundredths / 100)
    guard let last = part.last else { return }
    if let count = consumer.count { consumer.count = count + part.map(\.growth).reduce(0, +) }
    consumer.sequence = last.sequence
    try await ledger.acknowledge(last.token, by: name, putting: [Self.key: consumer.stored])
    if part.count > 1 {
      // It can't go back.
      let error = await refusal { [ledger] in
        try await ledger.acknowledge(part[0].token, by: name)
      }
      guard error?.code == .limitExceeded else {
        throw Difference(step: index, lines: ["“\(name)” went back: \(String(describing: error))"])
      }
    }
    try check(consumer, name, index)
    consumers[name] = consumer
  }

  private func check(_ consumer: NaiveConsumer, _ name: String, _ index: Int) throws {
    guard try ledger.token.sequence == consumer.sequence, let count = consumer.count else { return }
    guard count == oracle.transactions.count else {
      throw Difference(
        step: index,
        lines: ["“\(name)” counts \(count) transactions, there are \(oracle.transactions.count)"])
    }
  }

  private func refusal(_ body: () async throws -> Void) async -> DaybookError? {
    do {
      try await body()
      return nil
    } catch { return error as? DaybookError }
  }

  /// Compares what the ledger knows of its consumers.
  func compareConsumers(_ index: Int) throws {
    let known = try ledger.consumers().map { "\($0.name) \($0.kind) \($0.sequence)" }
    let expected = consumers.sorted { $0.key < $1.key }.map {
      "\($0.key) \($0.value.kind) \($0.value.sequence)"
    }
    guard known == expected else {
      throw Difference(step: index, lines: ["consumers: \(known) instead of \(expected)"])
    }
    for (name, consumer) in consumers {
      let value = try ledger.value(Self.key, ofConsumer: name)
      guard value == consumer.stored || (consumer.count == 0 && value == nil) else {
        throw Difference(
          step: index, lines: ["“\(name)” remembers \(value ?? []), not \(consumer.stored ?? [])"])
      }
    }
  }

  /// Lets go of all but some commits: every answer stays, and what is gone says so; consumers hold it back
  /// as they may.
  mutating func purge(keeping count: Int, _ index: Int) async throws {
    var options = PurgeOptions()
    options.policy = .count(count)
    let newest = try ledger.token.sequence
    let wanted = max(floor, newest - min(newest, UInt64(count)))
    let holders = consumers.filter { $0.value.sequence < wanted && $0.value.patience != .never }
      .sorted { ($0.value.sequence, $0.key) < ($1.value.sequence, $1.key) }
    let expected = max(floor, min(wanted, holders.first?.value.sequence ?? wanted))
    options.isDryRun = true
    let plan = try await ledger.purge(options)
    options.isDryRun = false
    let report = try await ledger.purge(options)
    guard report.floor == expected, report.policyFloor == wanted, plan == report,
      report.holders.map(\.name) == holders.map(\.key)
    else {
      throw Difference(
        step: index,
        lines: ["purged \(report), planned \(plan), not to \(expected) for \(holders.map(\.key))"])
    }
    floor = report.floor
    moments.removeAll { $0.token.sequence < floor }
  }
}

extension LedgerHistory {
  fileprivate func entries() throws -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    var cursor = cursor()
    while let entry = try cursor.next() { entries.append(entry) }
    return entries
  }
}

extension HistoryEntry {
  /// How many transactions more there are after it than before.
  fileprivate var growth: Int {
    changes.filter { $0.kind == .transaction }.map {
      $0.operation == .insert ? 1 : $0.operation == .delete ? -1 : 0
    }.reduce(0, +)
  }
}
