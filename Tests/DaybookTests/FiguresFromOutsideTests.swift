// Goal: figures that an app puts together by itself do not end the process. Method: the ends of what a total
// holds.

import Daybook
import Testing

@Suite struct FiguresFromOutsideTests {
  @Test func netStaysAtTheEnds() throws {
    let euro = try #require(Currency.iso("EUR"))
    func net(_ income: Int128, _ expense: Int128) -> Int128 {
      CurrencyTotals(
        currency: euro, income: Total(units: income, currency: euro),
        expense: Total(units: expense, currency: euro), transfers: Total(units: 0, currency: euro),
        count: 0
      ).net.units
    }
    #expect(net(5, 3) == 2)
    #expect(net(.max, -1) == .max && net(.min, 1) == .min && net(0, .min) == .max)
  }
}
