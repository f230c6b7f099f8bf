import DaybookBookkeeping

// Commodities, accounts and prices.
extension GnuCashReader {
  mutating func readCommodity() throws(InterchangeError) {
    let line = line()
    var space: [UInt8] = []
    var id: [UInt8] = []
    var name = ""
    var fraction: Int64 = 0
    while try xml.nextChild() {
      switch element {
      case .space:
        try xml.text()
        space = xml.collected.bytes
      case .id:
        try xml.text()
        id = xml.collected.bytes
      case .name: name = try readText()
      case .fraction: fraction = try readNumber()?.numerator ?? 0
      default: try xml.skip()
      }
    }
    // GnuCash uses a special commodity for templates.
    guard !id.isEmpty, space != Array("template".utf8) else { return }
    let number = commodities.number(space, id, line: line)
    commodities.note(number, name: name, fraction: fraction)
  }

  mutating func readAccount() throws(InterchangeError) {
    var account = GnuCashAccounts.Account(id: 0, line: line())
    var id: UInt128?
    while try xml.nextChild() {
      switch element {
      case .name: account.name = try readText()
      case .id: id = try readID()
      case .type: account.type = try readText()
      case .commodity: account.commodity = try readCommodityName()
      case .unit: account.fraction = try readNumber()?.numerator ?? 0
      case .code: account.code = try readText()
      case .description: account.description = try readText()
      case .parent: account.parent = try readID()
      case .slots: try readSlots(of: &account)
      default: try xml.skip()
      }
    }
    guard !accounts.isSettled else {
      throw InterchangeError(
        .format, "The account “\(account.name)” comes after the transactions.",
        remedy: "Open the file in GnuCash and save it again.", line: account.line)
    }
    guard let id else {
      return note(
        account.line, .name, "The account “\(account.name)” has no id.",
        "Open the file in GnuCash and save it again.")
    }
    account.id = id
    guard account.type == "ROOT" || !account.name.isEmpty else {
      return note(
        account.line, .name, "An account has no name.", "Give it one in GnuCash.")
    }
    guard account.name.utf8.count <= Limits.nameByteCountMax else {
      return note(
        account.line, .name,
        "An account's name is longer than \(Limits.nameByteCountMax) bytes.",
        "Shorten it in GnuCash.")
    }
    guard accounts.add(account) else {
      return note(
        account.line, .name, "The account “\(account.name)” has the id of another account.",
        "Open the file in GnuCash and save it again.")
    }
  }

  private mutating func readSlots(
    of account: inout GnuCashAccounts.Account
  ) throws(InterchangeError) {
    var found = account
    var bank = ""
    var number = ""
    try forEachSlot { (reader, key) throws(InterchangeError) in
      switch key {
      case "notes": found.notes = try reader.readText()
      case "placeholder": found.isPlaceholder = try reader.readText() == "true"
      case "hidden": found.isHidden = try reader.readText() == "true"
      case "equity-type": found.isOpeningBalances = try reader.readText() == "opening-balance"
      case "hbci":
        // The identification of the account for online banking.
        try reader.forEachSlot { (reader, key) throws(InterchangeError) in
          switch key {
          case "bank-code": bank = try reader.readText()
          case "account-id": number = try reader.readText()
          default: try reader.xml.skip()
          }
        }
      default: try reader.xml.skip()
      }
    }
    account = found
    if !number.isEmpty { account.identifiers = bank.isEmpty ? [number] : ["\(bank)/\(number)"] }
  }
}

/// A price, before the commodities have been mapped.
struct GnuCashPrice {
  var line: Int
  var commodity: Int
  var currency: Int
  var day: Day
  var value: GnuCashNumber
}

extension GnuCashReader {
  mutating func readPrices() throws(InterchangeError) {
    while try xml.nextChild() {
      if element == .price { try readPrice() } else { try xml.skip() }
    }
  }

  private mutating func readPrice() throws(InterchangeError) {
    let line = line()
    var commodity: Int?
    var currency: Int?
    var day: Day?
    var value: GnuCashNumber?
    while try xml.nextChild() {
      switch element {
      case .commodity: commodity = try readCommodityName()
      case .currency: currency = try readCommodityName()
      case .time: day = try readDay()
      case .value: value = try readNumber()
      default: try xml.skip()
      }
    }
    guard let commodity, let currency, let day, let value else {
      return note(
        line, .rate, "A price has no commodity, currency, date or value.",
        "Correct it in GnuCash’s price editor.")
    }
    prices.append(
      GnuCashPrice(
        line: line, commodity: commodity, currency: currency, day: day, value: value))
  }

  /// Converts the prices to exchange rates.
  mutating func takePrices() {
    var known: [RateID: Int] = [:]
    var rounded: (line: Int, count: Int)?
    var left: (line: Int, count: Int)?
    for price in prices {
      guard let base = commodities.all[price.commodity].currency,
        let quoted = commodities.all[price.currency].currency, base != quoted,
        let (quote, isExact) = price.value.quote
      else {
        left = (left?.line ?? price.line, (left?.count ?? 0) + 1)
        continue
      }
      if !isExact { rounded = (rounded?.line ?? price.line, (rounded?.count ?? 0) + 1) }
      let rate = ExchangeRate(base: base, quoted: quoted, day: price.day, quote: quote)
      // The last price of a day takes precedence.
      if let index = known[rate.id] {
        books.rates[index] = rate
      } else {
        known[rate.id] = books.rates.count
        books.rates.append(rate)
      }
    }
    if let rounded {
      notice(
        rounded.line,
        "Rounded \(rounded.count) \(rounded.count == 1 ? "price" : "prices") that can't be written "
          + "as a decimal."
      )
    }
    if let left {
      notice(
        left.line,
        "Skipped \(left.count) \(left.count == 1 ? "price" : "prices") of unused commodities, or "
          + "not above zero."
      )
    }
  }
}
