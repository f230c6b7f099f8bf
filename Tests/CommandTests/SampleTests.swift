// Goal: the sample household is the same for everyone and looks like life. Method: figures that a
// generator gone wrong would miss: counts, days, currencies, balances that stay plausible, and the
// files read back line by line.
import DaybookBookkeeping
import DaybookSampleData
import Testing

@Suite struct SampleTests {
  private static let last = Day(year: 2026, month: 2, day: 15) ?? .max
  private static let household = SampleHousehold(through: last)

  @Test func exactlyAsManyRowsAsAskedForInOrder() {
    let rows = Self.household.rows
    #expect(rows.count == 20_000)
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.day <= $1.day })
    #expect(rows.allSatisfy { $0.day >= Self.household.firstDay && $0.day <= Self.last })
  }

  @Test(arguments: [1, 2, 100, 999, 5_000])
  func anyCount(count: Int) {
    #expect(
      SampleHousehold(seed: 7, transactionCount: count, years: 3, through: Self.last).rows.count
        == count)
  }

  @Test func sameSeedSameRowsOtherSeedOthers() {
    let again = SampleHousehold(through: Self.last)
    #expect(again.csv == Self.household.csv)
    #expect(again.rates.csv == Self.household.rates.csv)
    let other = SampleHousehold(seed: 2027, through: Self.last)
    #expect(other.csv != again.csv)
  }

  @Test func fourCurrenciesAndEveryKind() {
    let rows = Self.household.rows
    #expect(Set(Self.household.accounts.map(\.currency)) == ["EUR", "USD", "KZT", "JPY"])
    for currency in ["EUR", "USD", "KZT", "JPY"] {
      #expect(rows.filter { $0.currency == currency }.count > 20, "\(currency)")
    }
    for kind in [HouseholdRow.Kind.income, .expense, .transfer] {
      #expect(rows.filter { $0.kind == kind }.count > 200, "\(kind)")
    }
    #expect(rows.allSatisfy { $0.minorUnits > 0 })
  }

  @Test func whatOneHasStaysPlausible() {
    var balances: [String: Int64] = [:]
    for account in Self.household.accounts { balances[account.name] = account.opening }
    for row in Self.household.rows {
      let sign: Int64 = row.kind == .income ? 1 : -1
      balances[row.account, default: 0] += sign * row.minorUnits
      if let target = row.targetAccount {
        balances[target, default: 0] += row.targetMinorUnits ?? 0
      }
    }
    for account in Self.household.accounts where !account.isLiability {
      #expect(balances[account.name] ?? 0 > 0, "\(account.name): \(balances[account.name] ?? 0)")
    }
    let card = balances["Credit card"] ?? 0
    #expect((-400_000...0).contains(card), "\(card)")
  }

  @Test func ratesAreThereForEveryRow() {
    let first = Self.household.rates.days.first?.day ?? .max
    #expect(first <= Self.household.firstDay.adding(days: 3))
    #expect(Self.household.rates.days.last?.day ?? .min >= Self.last.adding(days: -2))
    let lines = Self.household.rates.csv.split(separator: "\n")
    #expect(lines.first == "Date,USD,JPY,KZT,")
    #expect(lines.count == Self.household.rates.days.count + 1)
  }

  @Test func fieldsWithMarksAreQuoted() {
    let lines = Self.household.csv.split(separator: "\n")
    #expect(lines.count == 20_001)
    #expect(lines.contains { $0.contains("\"Trattoria \"\"Da Enzo\"\"\"") })
    #expect(lines.contains { $0.contains("寿司 まさ") })
  }

  @Test(arguments: [(5, "JPY", "5"), (5, "EUR", "0.05"), (-123_456, "USD", "-1234.56")])
  func amountsAsText(units: Int64, code: String, text: String) {
    #expect(HouseholdCurrency.text(units, code) == text)
  }
}
