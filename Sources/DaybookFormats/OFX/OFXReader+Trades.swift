import DaybookBookkeeping

extension OFXReader {
  /// Records that a row of an investment account moves no cash and isn't imported.
  mutating func noteNoCash() {
    noteUntaken("which moves no cash")
  }

  /// Adds the cash movement of a trade, income or charge in an investment account.
  mutating func finishTrade() throws(OFXFault) {
    let fund = text(.fund).uppercased()
    guard fund != "OTHER" else {
      // The money came from outside the account, for example from an employer's plan.
      return noteUntaken("whose money doesn't come from the account")
    }
    let day = try day(.tradeDay, "DTTRADE")
    let currency = try rowCurrency()
    if statement?.currency == nil { statement?.currency = currency }
    let total = try money(.total, "TOTAL", currency)
    var found = StatementRow(line: place.line, day: day, amount: total)
    found.reference = "ofx:" + text(.fitid)
    found.description = text(.memo)
    let what = tradeWord()
    if found.description.isEmpty { found.description = what }
    found.fee = try fee(currency)
    if let settled = optionalDay(.settleDay), settled != day { found.valueDay = settled }
    let id = text(.uniqueID)
    found.note = tradeNote(what, id)
    found.fitTexts()
    guard let at = statement?.add(found) else { return }
    if !id.isEmpty { statement?.unnamed.append((at.part, at.row, id)) }
  }

  private mutating func fee(_ currency: Currency) throws(OFXFault) -> Money? {
    var sum = Money.zero(currency)
    for (slot, name) in [(OFXSlot.commission, "COMMISSION"), (.fees, "FEES"), (.load, "LOAD")]
    where !row[slot].isEmpty {
      do {
        sum = try sum + (try money(slot, name, currency))
      } catch let fault as OFXFault {
        throw fault
      } catch {
        throw OFXFault(
          code: .amount, reason: "The charges are too large.", remedy: "Correct them.",
          offset: row[slot].start)
      }
    }
    return sum.minorUnits == 0 ? nil : sum
  }

  private mutating func tradeWord() -> String {
    switch row.tag {
    case .buy: return "Buy"
    case .sell: return "Sell"
    case .expense: return "Expense"
    case .interest: return "Margin interest"
    case .capital: return "Return of capital"
    default:
      switch text(.incomeType).uppercased() {
      case "DIV": return "Dividend"
      case "INTEREST": return "Interest"
      case "CGLONG", "CGSHORT": return "Capital gain"
      default: return "Income"
      }
    }
  }

  /// Returns the description of a trade, such as `Buy: 100 of 458140100 at 25.635`.
  private mutating func tradeNote(_ what: String, _ id: String) -> String {
    var line = what
    if !row[.units].isEmpty { line += ": \(plain(.units))" }
    if !id.isEmpty { line += row[.units].isEmpty ? ": \(id)" : " of \(id)" }
    if !row[.unitPrice].isEmpty { line += " at \(plain(.unitPrice))" }
    if !row[.taxes].isEmpty { line += "\nTaxes: \(plain(.taxes))" }
    return line
  }

  /// Returns a number without padding zeros.
  private mutating func plain(_ slot: OFXSlot) -> String {
    var number = text(slot)
    let sign = number.hasPrefix("-") ? "-" : ""
    number.trimPrefix { $0 == "-" || $0 == "+" || $0 == "0" }
    if number.contains(".") {
      while number.hasSuffix("0") { number.removeLast() }
      if number.hasSuffix(".") { number.removeLast() }
    }
    if number.isEmpty || number.hasPrefix(".") { number = "0" + number }
    return sign + number
  }

  // MARK: - Names of securities

  mutating func finishSecurity() {
    let id = decoder.text(security.id, in: bytes)
    let name = decoder.text(security.name, in: bytes)
    let ticker = decoder.text(security.ticker, in: bytes)
    guard !id.isEmpty, !name.isEmpty || !ticker.isEmpty else { return }
    securities[id] = name.isEmpty ? ticker : ticker.isEmpty ? name : "\(name) (\(ticker))"
  }

  /// Adds the names of securities to the rows.
  ///
  /// The list of securities is at the end of the file.
  mutating func nameSecurities() {
    for place in unnamed {
      guard let name = securities[place.id] else { continue }
      contents.statements[place.statement].rows[place.row].note += "\n\(name)"
    }
  }
}
