/// Goal: an idempotency key stands for its commands, in every process and version. Method: commands
/// that differ in any one property have different canonical bytes, equal ones equal bytes; one
/// vector is frozen.
import Bookkeeping
import Testing

@testable import Daybook

@Suite struct DigestTests {
  private func bytes(_ command: Command) -> [UInt8] {
    var writer = CanonicalWriter()
    writer.put(command)
    return writer.bytes
  }

  @Test func differentCommandsDiffer() throws {
    let a = AccountID(EntityID(high: 1, low: 1))
    let c = CategoryID(EntityID(high: 1, low: 2))
    let t = TransactionID(EntityID(high: 1, low: 3))
    var named = Draft.expense(money("1"), from: a, on: today)
    named.payee = "x"
    var noted = Draft.expense(money("1"), from: a, on: today)
    noted.note = "x"
    let s = SeriesID(EntityID(high: 1, low: 4))
    let series = Series(
      id: s, name: "S", template: SeriesTemplate(type: .expense, amount: money("1")),
      schedule: Schedule(.month), anchor: today)
    let rate = ExchangeRate(base: usd, quoted: kzt, day: today, quote: try Quote("450"))
    let drafts: [Draft] = [
      .expense(money("1"), from: a, on: today), .expense(money("1"), from: nil, on: today),
      .expense(money("1"), from: a, category: c, on: today),
      .expense(money("1", usd), from: a, on: today),
      .expense(money("1"), from: a, on: today.adding(days: 1)),
      .expense(money("1"), from: a, on: today, id: t),
      .expense(money("1"), from: a, on: today, tags: ["x"]),
      .expense(money("1"), from: a, on: today, tags: [""]),
      .expense(money("1"), from: a, on: today, status: .pending),
      .income(money("1"), into: a, on: today), .refund(money("1"), into: a, on: today),
      .transfer(money("1"), from: a, to: nil, on: today),
      .transfer(money("1"), from: nil, to: a, on: today),
      .split(from: a, parts: [.init(money("1"), c)], on: today),
      .split(from: a, parts: [.init(money("1"), c, isReversed: true)], on: today),
      .postings([Posting(.account(a), money("1"))], on: today),
      .postings([Posting(.category(c), money("1"))], on: today), named, noted,
    ]
    var commands = drafts.map { Command.record($0) }
    commands += drafts.map { .importRows([ImportRow($0)]) }
    commands += [
      .importRows([ImportRow(named)], ImportOptions(skipsBadRows: true)),
      .amend(t, Amendment()), .amend(t, Amendment(note: "")), .amend(t, Amendment(note: "x")),
      .amend(t, Amendment(payee: "x")), .amend(t, Amendment(account: a)),
      .amend(t, Amendment(otherAccount: a)), .amend(t, Amendment(shape: drafts[0].shape)),
      .delete(t), .reconcile([t]), .unreconcile([t]), .reconcile([t, t]), .closeAccount(a),
      .reopenAccount(a), .deleteAccount(a, .keepRows), .deleteAccount(a, .withRows),
      .deleteAccount(a, .move(to: a)), .setOpening(a, 0, nil), .setOpening(a, 1, nil),
      .setOpening(a, 0, today), .deleteCategory(c, nil), .deleteCategory(c, .keepRows),
      .amendCategory(c, CategoryChange()), .amendCategory(c, CategoryChange(parent: .some(nil))),
      .amendCategory(c, CategoryChange(parent: .some(c))),
      .amendAccount(a, AccountChange()), .amendAccount(a, AccountChange(isHidden: false)),
      .setSettings(SettingsChange()), .setSettings(SettingsChange(baseCurrency: .some(nil))),
      .setSettings(SettingsChange(baseCurrency: .some(usd))), .closePeriod(through: today),
      .reopenPeriod(after: today), .reopenPeriod(after: nil), .setRate(rate),
      .removeRate(base: usd, quoted: kzt, on: today),
      .removeRate(base: kzt, quoted: usd, on: today),
      .generateDue(through: today), .generateDue(through: today.adding(days: 1)),
      .pauseSeries(s, after: today), .resumeSeries(s, on: today), .stopSeries(s, after: today),
      .stopSeries(s, after: today.adding(days: 1)), .skipOccurrence(SeriesLink(s, due: today)),
      .unskipOccurrence(SeriesLink(s, due: today)), .link(t, SeriesLink(s, due: today)),
      .link(t, SeriesLink(s, due: today.adding(days: 1))), .unlink(t), .putSeries(series),
      .amendSeries(series, .seriesOnly), .amendSeries(series, .future(from: today)),
      .amendSeries(series, .all(from: today)), .removeSeries(s, withRows: true),
      .removeSeries(s, withRows: false),
    ]
    #expect(Set(commands.map(bytes)).count == commands.count)
    for command in commands { #expect(bytes(command) == bytes(command)) }
  }

  /// Command 10 (record) { shape 1 { amount 2: “KZT” with 2 decimals, 100 minor units } day 5:
  /// 20499; status 11: cleared }.
  ///
  /// Change it, and keys of 400 days become errors.
  @Test func aVectorIsFrozen() {
    let draft = Draft.expense(money("1"), from: nil, on: today)
    let expected: [UInt8] = [
      10, 1, 1, 0, 2, 0x4b, 0x5a, 0x54, 0, 0, 0, 0, 2, 0xc8, 1, 0, 5, 0xa6, 0xc0, 0x02, 11, 0, 0,
    ]
    #expect(bytes(.record(draft)) == expected)
  }
}
