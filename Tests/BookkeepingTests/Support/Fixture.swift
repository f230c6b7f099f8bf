// Goal: the ledger of the scenarios, and short ways to say amounts and days.
// Method: fixed ids; rates of 2000-01-01: 1 USD = 450 KZT, 1 EUR = 500 KZT; base KZT.

import DaybookBookkeeping
import DaybookEntities
import Testing

func iso(_ code: String) throws -> Currency { try #require(Currency.iso(code)) }
func day(_ text: String) throws -> Day { try #require(Day(text)) }
func money(_ text: String, _ code: String) throws -> Money {
  try Money.parse(text, currency: try iso(code))
}

struct Fixture {
  var state = DictionaryState()
  let kzt: Currency
  let usd: Currency
  let eur: Currency
  /// KZT accounts.
  let cash = AccountID(EntityID(high: 1, low: 1))
  let bank = AccountID(EntityID(high: 1, low: 2))
  /// A USD account.
  let dollars = AccountID(EntityID(high: 1, low: 3))
  let food = CategoryID(EntityID(high: 2, low: 1))
  let travel = CategoryID(EntityID(high: 2, low: 2))
  let salary = CategoryID(EntityID(high: 2, low: 3))
  let today: Day

  init(rates: Bool = true) throws {
    kzt = try iso("KZT")
    usd = try iso("USD")
    eur = try iso("EUR")
    today = try day("2026-02-15")
    try state.run(.setSettings(SettingsChange(baseCurrency: kzt)))
    for (id, name, currency) in [
      (cash, "Cash", kzt), (bank, "Bank", kzt), (dollars, "Dollars", usd),
    ] {
      try state.run(.openAccount(NewAccount(id: id, name: name, currency: currency)))
    }
    for (id, name, kind) in [
      (food, "Food", CategoryKind.expense), (travel, "Travel", .expense),
      (salary, "Salary", .income),
    ] {
      try state.run(.createCategory(NewCategory(id: id, name: name, kind: kind)))
    }
    if rates {
      let start = try day("2000-01-01")
      for (base, text) in [(usd, "450"), (eur, "500")] {
        try state.run(
          .setRate(ExchangeRate(base: base, quoted: kzt, day: start, quote: try Quote(text))))
      }
    }
    state.changes = []
  }

  @discardableResult
  mutating func record(_ draft: Draft) throws -> TransactionID {
    try #require(try state.run(.record(draft)).transaction)
  }

  func stored(_ id: TransactionID) throws -> Transaction {
    try #require(try state.transaction(id))
  }

  /// Accounts and amounts of a stored transaction.
  func postings(_ id: TransactionID) throws -> [Posting] { Array(try stored(id).postings) }
}
