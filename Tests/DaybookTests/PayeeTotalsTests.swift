/// Goal: the worked example of an app's own projection over transactions says what the transactions say,
/// whatever is done to them and to the ledger.
/// Method: a seeded person records, amends and deletes rows of a few payees, among them one that is longer
/// than any key; every total is recomputed from a plain list of the rows after an undo and a rebuild, as of
/// a commit of the past, and after the projection was not registered for a while.
import Daybook
import DaybookRandom
import Foundation
import PayeeTotals
import Testing

@Suite struct PayeeTotalsTests {
  /// What a row is about, as a plain list keeps it.
  private struct Row: Equatable {
    var payee: String
    var day: Day
    var money: Money
    var isIncome: Bool
  }

  private static let payees = [
    "Rewe", "rewe", "Café Ω", String(repeating: "A very long name ", count: 11), "",
  ]
  private static let months = month("2025-11")..<month("2026-03")

  private final class Person {
    let house: House
    var random: SeededGenerator
    var rows: [TransactionID: Row] = [:]
    private let accounts: [Currency: AccountID]

    init(seed: UInt64) async throws {
      house = try await House()
      random = SeededGenerator(seed: seed)
      accounts = [
        kzt: try await house.account("A"), eur: try await house.account("B", in: eur),
      ]
      try await register(true)
    }

    func register(_ isRegistered: Bool) async throws {
      try await house.ledger.close()
      house.ledger = try await Ledger.open(
        at: house.path,
        options: House.options(projections: isRegistered ? [PayeeTotals.self] : []))
    }

    func step() async throws {
      let known = rows.keys.sorted { $0.description < $1.description }
      guard let id = known.randomElement(using: &random), Int.random(in: 0..<3, using: &random) == 0
      else { return try await record() }
      if Bool.random(using: &random) {
        try await house.append(.delete(id))
        rows[id] = nil
      } else {
        let (payee, day) = (somePayee(), someDay())
        try await house.append(.amend(id, Amendment(day: day, payee: payee)))
        rows[id]?.payee = payee
        rows[id]?.day = day
      }
    }

    private func record() async throws {
      let currency = Bool.random(using: &random) ? kzt : eur
      let account = try #require(accounts[currency])
      let row = Row(
        payee: somePayee(), day: someDay(),
        money: Money(Int64.random(in: 1...100_000, using: &random), currency),
        isIncome: Int.random(in: 0..<4, using: &random) == 0)
      let draft =
        row.isIncome
        ? Draft.income(row.money, into: account, on: row.day, payee: row.payee)
        : .expense(row.money, from: account, on: row.day, payee: row.payee)
      let receipt = try await house.append(.record(draft))
      rows[try #require(receipt.transactions.first)] = row
    }

    private func somePayee() -> String { payees.randomElement(using: &random) ?? "" }
    private func someDay() -> Day {
      day("2025-11-01").adding(days: Int.random(in: 0..<120, using: &random))
    }
  }

  private struct Key: Hashable {
    let payee: String
    let currency: Currency
  }

  /// What the totals of a month have to be.
  private static func expected(_ rows: [Row], in month: Month) -> Set<PayeeTotal> {
    let ofMonth = rows.filter { $0.day.monthOf == month && !$0.payee.isEmpty }
    let groups = Dictionary(grouping: ofMonth) { Key(payee: $0.payee, currency: $0.money.currency) }
    return Set(
      groups.map { key, rows in
        func sum(_ isIncome: Bool) -> Total {
          let units = rows.filter { $0.isIncome == isIncome }.map { Int128($0.money.minorUnits) }
          return Total(units: units.reduce(0, +), currency: key.currency)
        }
        return PayeeTotal(
          payee: key.payee, month: month, paid: sum(false), received: sum(true), count: rows.count)
      })
  }

  private static func expect(
    _ snapshot: borrowing Snapshot, _ rows: [TransactionID: Row], _ comment: Comment
  ) throws {
    for month in months {
      let expected = expected(Array(rows.values), in: month)
      let totals = try snapshot.payeeTotals(in: month)
      #expect(Set(totals) == expected && totals.count == expected.count, comment)
      let places = totals.map { ($0.paid.currency, -$0.paid.units) }
      #expect(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }, comment)
    }
    for payee in payees where !payee.isEmpty {
      let totals = try snapshot.totals(ofPayee: payee, in: months)
      let all = months.flatMap { expected(Array(rows.values), in: $0) }.filter { $0.payee == payee }
      #expect(Set(totals) == Set(all) && totals.count == all.count, comment)
      #expect(totals.map(\.month) == totals.map(\.month).sorted(), comment)
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func agreesWithAPlainList(seed: UInt64) async throws {
    let person = try await Person(seed: seed)
    for _ in 0..<60 { try await person.step() }
    let past = (token: try person.house.ledger.token, rows: person.rows)
    for _ in 0..<40 { try await person.step() }
    try person.house.ledger.read { try Self.expect($0, person.rows, "seed \(seed)") }

    // As of a commit of the past.
    #expect(past.rows != person.rows)
    try person.house.ledger.read(asOf: past.token) {
      try Self.expect($0, past.rows, "seed \(seed), as of the past")
    }
    // Built anew from history.
    try await person.house.ledger.rebuild()
    try person.house.ledger.read { try Self.expect($0, person.rows, "seed \(seed), rebuilt") }
    #expect(try await person.house.ledger.verify().findings == [])
    try await person.house.end()
  }

  @Test func followsAnUndo() async throws {
    let person = try await Person(seed: 3)
    for _ in 0..<10 { try await person.step() }
    let rows = person.rows
    try await person.step()
    let last = try person.house.ledger.token.sequence
    try await person.house.ledger.undo(commit: last)
    // A row that was deleted comes back under its own id, so the list of before is that of now.
    try person.house.ledger.read { try Self.expect($0, rows, "undone") }
    try await person.house.end()
  }

  @Test func canBeLeftOutAndComesBack() async throws {
    let person = try await Person(seed: 4)
    for _ in 0..<20 { try await person.step() }
    try await person.register(false)
    for _ in 0..<20 { try await person.step() }
    let error = #expect(throws: DaybookError.self) {
      try person.house.ledger.read { try $0.payeeTotals(in: month("2026-01")).count }
    }
    #expect(error?.code == .projectionUnavailable)
    // The ledger itself goes on, and is sound without it, also built anew.
    #expect(try await person.house.ledger.verify().findings == [])
    try await person.house.ledger.rebuild()
    for _ in 0..<5 { try await person.step() }
    try await person.register(true)
    try person.house.ledger.read { try Self.expect($0, person.rows, "registered again") }
    #expect(try await person.house.ledger.verify().findings == [])
    try await person.house.end()
  }
}
