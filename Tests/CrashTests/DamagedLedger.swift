/// Goal: a small ledger in which there is one of everything, and all that it answers as text, for the
/// trials of damage. Method: it is made once by a seed, closed, and copied for every trial.
import Daybook
import DaybookInterchange
import DaybookRandom
import Foundation
import Testing

enum DamagedLedger {
  static let consumers = ["backup", "phone"]

  /// How the trials open ledgers: with little address space, as many follow each other.
  static var options: Ledger.Options {
    var options = Ledger.Options(author: "somebody", source: "damage trial")
    options.adjustsEngine = { $0.mapByteCount = 1 << 28 }
    return options
  }

  /// Makes a ledger of some hundred commits, half of them purged, with consumers and keys.
  static func make(at path: String, seed: UInt64, commitCount: Int = 260) async throws {
    var random = SeededGenerator(seed: seed)
    let ledger = try await Ledger.open(at: path, options: options)
    let (account, savings) = (
      AccountID(EntityID(high: 77, low: 1)), AccountID(EntityID(high: 77, low: 2))
    )
    let food = CategoryID(EntityID(high: 78, low: 1))
    guard let euro = Child.euro else { return }
    try await ledger.append(
      .setSettings(SettingsChange(baseCurrency: .some(euro))),
      .openAccount(
        NewAccount(id: account, name: "Cash", currency: euro, opening: Money(100, euro))),
      .openAccount(NewAccount(id: savings, name: "Savings", currency: euro)),
      .createCategory(NewCategory(id: food, name: "Food", kind: .expense)))
    try await ledger.register(consumer: consumers[0], .bestEffort(allowanceSeconds: 60))
    var mine: [TransactionID] = []
    for index in 0..<commitCount {
      switch index % 13 {
      case 0:
        let rows = (0..<20).map { Command.record(Child.draft(account, "row \($0)", &random)) }
        mine += try await ledger.append(rows).transactions
      case 1 where mine.count > 3:
        try await ledger.append(.delete(mine.remove(at: Int(random.next() % UInt64(mine.count)))))
      case 2 where mine.count > 3:
        var amendment = Amendment(note: "amended")
        amendment.day = Child.day(&random)
        try await ledger.append(.amend(mine[Int(random.next() % UInt64(mine.count))], amendment))
      case 3:
        guard let day = Child.day(&random) else { continue }
        let note = String(repeating: "long ", count: index % 2 == 0 ? 10 : 500)
        try await ledger.append(
          .record(
            .expense(Money(500, euro), from: account, category: food, on: day, note: note)),
          key: "key \(index)")
      case 4:
        guard let day = Child.day(&random) else { continue }
        try await ledger.append(
          .record(.transfer(Money(7, euro), from: account, to: savings, on: day)))
      default:
        mine += try await ledger.append(.record(Child.draft(account, "row \(index)", &random)))
          .transactions
      }
    }
    var purge = PurgeOptions()
    purge.policy = .count(120)
    try await ledger.purge(purge)
    try await ledger.setRetention(.count(10_000))
    try await ledger.register(consumer: consumers[1])
    for name in consumers {
      try await ledger.acknowledge(
        ledger.token(at: ledger.token.sequence - 20), by: name, putting: [[1]: [2, 3], [4]: [5]])
    }
    for _ in 0..<5 { try await ledger.append(.record(Child.draft(account, "late", &random))) }
    try await ledger.close()
  }

  /// All that a reader can ask, as text: a line for each answer.
  static func answers(_ ledger: Ledger) throws -> [String] {
    var lines: [String] = ["token \(try ledger.token)", "retention \(try ledger.retention())"]
    var history = try ledger.history().cursor()
    while let entry = try history.next() {
      lines.append("\(entry.token) \(entry.header) \(entry.changes)")
    }
    for consumer in try ledger.consumers() {
      lines.append("\(consumer)")
      for key: [UInt8] in [[1], [4]] {
        lines.append("\(key): \(try ledger.value(key, ofConsumer: consumer.name) ?? [])")
      }
      var waiting = try ledger.history(forConsumer: consumer.name).cursor()
      lines.append("next \(try waiting.next()?.header.sequence ?? 0)")
    }
    let text = Pieces()
    try Exporter.export(ledger, as: .jsonLines) { text.add($0) }
    lines += text.lines
    try ledger.read { snapshot throws in lines += try answers(snapshot) }
    return lines
  }

  private static func answers(_ snapshot: borrowing Snapshot) throws -> [String] {
    var lines: [String] = []
    guard let first = Day(year: 2025, month: 12, day: 1),
      let end = Day(year: 2026, month: 9, day: 1)
    else { return [] }
    let (days, months) = (first..<end, first.monthOf..<end.monthOf)
    lines.append("\(try snapshot.settings()) \(try snapshot.accounts())")
    lines.append("\(try snapshot.categories()) \(try snapshot.rates())")
    var filters = [TransactionFilter.all, TransactionFilter(days: days)]
    for account in try snapshot.accounts() {
      filters.append(TransactionFilter(account: account.id))
      lines.append("\(try snapshot.balanceSeries(of: account.id, over: days))")
    }
    for category in try snapshot.categories() {
      filters.append(TransactionFilter(category: category.id))
      lines.append("\(try snapshot.trend(of: category.id, over: months, today: end).map(\.total))")
    }
    filters += TransactionType.allCases.map { TransactionFilter(type: $0) }
    filters.append(TransactionFilter(currency: Child.euro))
    for filter in filters {
      lines.append("count \(try snapshot.count(filter))")
      let rows = try snapshot.transactions(filter, offset: 0, limit: 1_000)
      lines += rows.map { "\($0.id.rawValue)" }
      lines.append("\(try snapshot.sections(filter, limit: 100))")
    }
    lines.append("\(try snapshot.months(months, today: end))")
    lines.append("\(try snapshot.totals(in: days, today: end))")
    for kind in [CategoryKind.income, .expense] {
      lines.append("\(try snapshot.breakdown(in: days, kind: kind, today: end))")
    }
    lines.append("\(try snapshot.netWorthSeries(over: months)) \(try snapshot.assertionChecks())")
    return lines
  }

  /// Gathers an export.
  private final class Pieces {
    private var bytes: [UInt8] = []
    func add(_ piece: [UInt8]) { bytes += piece }
    var lines: [String] {
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }
}

/// What became of a damaged ledger.
enum Outcome: Hashable, CustomStringConvertible {
  /// An examination or `verify` said what is wrong.
  case found(String)
  /// It was refused with a typed error.
  case refused(String)
  /// The views were made anew, and everything is as before.
  case rebuilt
  /// Everything is as before.
  case harmless
  /// Something else is answered, and nobody noticed.
  case unnoticed(String)

  var description: String {
    switch self {
    case .found(let what): "found: \(what)"
    case .refused(let what): "refused: \(what)"
    case .rebuilt: "rebuilt"
    case .harmless: "harmless"
    case .unnoticed(let what): "UNNOTICED: \(what)"
    }
  }

  /// Does what `daybook verify` does, then asks everything and compares.
  static func of(_ path: String, expecting answers: [String], views: UInt32) async -> Outcome {
    do {
      let faults = try await Ledger.examine(at: path)
      if let fault = faults.first { return .found(fault) }
      let ledger = try await Ledger.open(at: path, options: DamagedLedger.options)
      do {
        let report = try await ledger.verify()
        if let finding = report.findings.first {
          try await ledger.close()
          return .found(finding)
        }
      } catch {
        try await ledger.close()
        return .refused("\(error.code): \(error)")
      }
      let outcome: Outcome
      do {
        let now = try DamagedLedger.answers(ledger)
        let difference = zip(now, answers).first { $0 != $1 }
        if let difference {
          outcome = .unnoticed("\(difference.0.prefix(400)) INSTEAD OF \(difference.1.prefix(400))")
        } else if now.count != answers.count {
          outcome = .unnoticed("\(now.count) answers instead of \(answers.count)")
        } else {
          outcome = try await ledger.info().viewsGeneration == views ? .harmless : .rebuilt
        }
      } catch {
        outcome = .unnoticed("verify found nothing, but: \(error)")
      }
      try await ledger.close()
      return outcome
    } catch {
      return .refused("\(error.code): \(error)")
    }
  }
}
