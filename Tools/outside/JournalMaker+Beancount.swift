import DaybookRandom

extension JournalMaker {
  mutating func beancount() {
    let mark = pick(["*", "!", "txn"])
    let title = "\(date()) \(mark) \"Payee\" \"Text\"" + pick(["", " #tag", " #a ^link"])
    let code = pick(["USD", "EUR", "GBP"])
    switch random.below(7) {
    case 0, 1, 2: plainBean(title, code)
    case 3: exchange(title)
    case 4: buyAndSell()
    case 5: balanceBean(code)
    default: several(title, code)
    }
  }

  private mutating func plainBean(_ title: String, _ code: String) {
    let (from, to, units) = (pick(Self.assets), pick(Self.places), units())
    text += "\(title)\n  key: \"value\"\n  \(from)  \(amount(units, code))\n    more: 1\n  \(to)"
    text += pick(["\n\n", "  \(code)\n\n", "  -(\(amount(units, code).dropLast(4))) \(code)\n\n"])
    add(from, code, units)
  }

  private mutating func buyAndSell() {
    let (count, price) = (2 + random.below(40), 100 + random.below(9_000))
    text += "\(date()) * \"Buy\"\n  Assets:Shares  \(count) HOOL {\(amount(price, "USD"))}\n"
    text += "  Assets:Bank:Giro\n\n"
    let (sold, next) = (1 + random.below(count - 1), 100 + random.below(9_000))
    text += "\(date()) * \"Sell\"\n  Assets:Shares  -\(sold) HOOL {} @ \(amount(next, "USD"))\n"
    text += "  Assets:Bank:Giro  \(amount(sold * next, "USD"))\n  Income:Gains\n\n"
    add("Assets:Bank:Giro", "USD", sold * next - count * price)
  }

  /// Writes a balance directive for the next day, sometimes with a pad directive before it.
  private mutating func balanceBean(_ code: String) {
    let account = pick(Self.assets)
    let date = date()
    day.day += 1
    if day.day > 28 { day = (min(day.month + 1, 12), day.month < 12 ? 1 : 29) }
    let next = "2024-\(Self.two(day.month))-\(Self.two(day.day))"
    if random.below(2) == 0 {
      let units = units()
      text +=
        "\(date) pad Assets:Padded Equity:Own\n\(next) balance Assets:Padded \(amount(units, code))\n\n"
      add("Equity:Own", code, holding("Assets:Padded", code) - units)
      held["Assets:Padded \(code)"] = units
    } else {
      text += "\(next) balance \(account) \(amount(holding(account, code), code))\n\n"
    }
  }
}
