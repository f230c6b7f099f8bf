// Goal: lists, tags, payees and the net worth are added up on the command line. Method: the household of the
// filter tests, whose sums were worked out by hand.
import Daybook
import Foundation
import Testing

@Suite struct SumsCommandTests {
  @Test func sumsOfLists() throws {
    let desk = try FilterTests.household()
    let all: TransactionSums = try desk.done("list --sums --json").json()["sums"].decoded()
    #expect(all.count == 8 && all.isComplete && all.readCount == 0)
    #expect(all.amounts.map(\.currency.code) == ["EUR", "USD"])
    #expect(all.amounts[0].moneyIn.text == "12.50" && all.amounts[0].moneyOut.text == "65.25")
    #expect(all.amounts[0].transfers.text == "140.00" && all.amounts[1].net.text == "-5.00")
    // 5 USD are worth 4 EUR.
    #expect(all.converted?.moneyOut.total.text == "69.25")
    #expect(all.converted?.net.text == "-56.75")
    let csv = try desk.done("list --sums --category Food --output csv").output
    #expect(
      csv.split(whereSeparator: \.isNewline).map(String.init) == [
        "sum,in,out,net,transfers,currency,converted,count,complete",
        "EUR,12.50,25.00,-12.50,0.00,EUR,false,4,true",
        "USD,0.00,5.00,-5.00,0.00,USD,false,4,true",
        "All in EUR,12.50,29.00,-16.50,0.00,EUR,true,4,true",
      ])
    let dollars = try desk.done("list --sums --account Dollars --base USD --json").json()["sums"]
    #expect(dollars["converted"]["net"]["amount"].string == "45.00")
    let found = try desk.done("search rewe --sums --json").json()["sums"]
    #expect(found["amounts"][0]["out"]["amount"].string == "42.50")
    #expect(try desk.done("list --sums --payee nobody").output.hasPrefix("0 transactions"))
    #expect(try desk.run("list --sums --count").status == 64)
    #expect(try desk.run("list --base EUR").status == 64)
  }

  @Test func aFilteredListEndsWithItsSums() throws {
    let desk = try FilterTests.household()
    let line = "2 transactions: in 12.50, out 30.00, net -17.50 EUR"
    #expect(try desk.done("list --tag trip").output.hasSuffix(line + "\n"))
    // Of a page, the sums are those of the whole list.
    #expect(try desk.done("list --tag trip --limit 1").output.contains(line))
    let both =
      "4 transactions: in 12.50, out 25.00, net -12.50 EUR; out 5.00 USD; "
      + "converted: in 12.50, out 29.00, net -16.50 EUR"
    #expect(try desk.done("list --category Food").output.contains(both))
    #expect(!(try desk.done("list").output.contains("transactions:")))
    #expect(!(try desk.done("list --tag trip --output csv").output.contains("transactions:")))
  }

  @Test func tagsAndPayeesByMonth() throws {
    let desk = try FilterTests.household()
    let tags = try desk.done("tags --by-month --today 2026-02-15 --count 2 --json").json()["tags"]
    let found: [NamedMonths] = try tags.decoded()
    #expect(found.map(\.name) == ["Trip", "late", "trip"])
    #expect(found[2].months.map { $0.sums.count } == [1, 0])
    let csv = try desk.done("payees re --by-month --through 2026-01 --output csv").output
    #expect(
      csv.split(whereSeparator: \.isNewline).map(String.init) == [
        "payee,month,count,in,out,net,currency", "REWE-City,2026-01,1,0.00,30.00,-30.00,EUR",
        "Rewe,2026-01,1,0.00,12.50,-12.50,EUR",
      ])
    #expect(try desk.run("tags --count 3").status == 64)
    #expect(try desk.run("payees --by-month --count 0").status == 64)
  }

  @Test func changesOfTheNetWorth() throws {
    let desk = try FilterTests.household()
    try desk.done("rate add EUR USD 1.20 --on 2026-01-31")
    let answer = try desk.done("networth --changes --count 1 --through 2026-01 --json").json()
    let change: [WorthChange] = try answer["changes"].decoded()
    // The opening balances have no day, so they were there before, but dollars had no rate yet.
    #expect(change[0].start.total.text == "1000.00" && !change[0].isComplete)
    #expect(change[0].expense.total.text == "56.75" && change[0].income.total.text == "0.00")
    let parts = change[0].start.total.units - change[0].expense.total.units + change[0].gain.units
    #expect(parts == change[0].end.total.units)
    let table = try desk.done("networth --changes --through 2026-01 --count 2").output
    #expect(table.contains("By rates") && table.contains("2026-01"))
    #expect(try desk.run("networth --changes --assets-only").status == 64)
  }
}
