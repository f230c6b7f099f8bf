import Bookkeeping

/// The balances of a statement that are of use.
struct CAMTBalances {
  private var openingBooked: StatedBalance?
  private var previousClosing: StatedBalance?
  private var closingBooked: StatedBalance?
  private var interim: [StatedBalance] = []

  /// Takes a balance by its code; balances of what is available or expected are not taken.
  mutating func take(_ balance: StatedBalance, code: String) {
    switch code {
    case "OPBD": openingBooked = openingBooked ?? balance
    case "PRCD": previousClosing = previousClosing ?? balance
    case "CLBD": closingBooked = balance
    case "ITBD": interim.append(balance)
    default: break
    }
  }

  /// What the account held before the first row.
  var opening: StatedBalance? {
    if let openingBooked { return openingBooked }
    if var previousClosing {
      previousClosing.day = previousClosing.day.adding(days: 1)
      return previousClosing
    }
    // A page of a statement begins and ends with an interim balance.
    return interim.count > 1 ? interim[0] : nil
  }

  /// What it holds after the last row.
  var closing: StatedBalance? { closingBooked ?? interim.last }
}

// Accounts, parties and balances.
extension CAMTReader {
  /// Reads the statement's account.
  mutating func readAccount() throws(InterchangeError) {
    var account = StatementAccount()
    var owner = ""
    while try xml.nextChild() {
      switch element {
      case .identification: try readIdentification(&account)
      case .currency: account.currency = currency(try readText())
      case .name: account.name = try readText()
      case .owner: owner = try readParty().name
      case .servicer:
        let bank = try readParty()
        account.bank = bank.bic.isEmpty ? bank.identification : bank.bic
      case .type:
        let code = try readCode()
        if ["LOAN", "CARD", "CCRD"].contains(code) { account.kind = .liability }
      default: try xml.skip()
      }
    }
    if account.name.isEmpty { account.name = owner }
    statement.account = account
  }

  private mutating func readIdentification(
    _ account: inout StatementAccount
  ) throws(InterchangeError) {
    while try xml.nextChild() {
      switch element {
      case .iban:
        try xml.text()
        account.iban = xml.collected.identifier
      case .bban: account.number = try readText()
      case .other, .proprietaryAccount: account.number = try readCode()
      default: if account.number.isEmpty { account.number = try readCode() } else { try xml.skip() }
      }
    }
  }

  /// The number of the account in the element the reader is in.
  mutating func readAccountNumber() throws(InterchangeError) -> String {
    var account = StatementAccount()
    while try xml.nextChild() {
      if element == .identification {
        try readIdentification(&account)
      } else {
        try xml.skip()
      }
    }
    return account.iban.isEmpty ? account.number : account.iban
  }

  /// The party or bank in the element the reader is in, however deep its name is.
  mutating func readParty() throws(InterchangeError) -> CAMTParty {
    var party = CAMTParty()
    try readParty(into: &party)
    return party
  }

  /// Adds what the element the reader is in says of a party.
  mutating func readParty(into party: inout CAMTParty) throws(InterchangeError) {
    while try xml.nextChild() {
      switch element {
      case .name where party.name.isEmpty: party.name = try readText()
      case .bic where party.bic.isEmpty: party.bic = try readText()
      case .bicOfInstitution where party.bic.isEmpty: party.bic = try readText()
      case .anyBIC where party.bic.isEmpty: party.bic = try readText()
      case .bicOrBEI where party.bic.isEmpty: party.bic = try readText()
      case .clearingMember, .other, .proprietaryIdentification:
        try readMember(into: &party)
      case .party, .agent, .institution, .combinedInstitution, .nameAndAddress, .identification,
        .organisation, .person:
        try readParty(into: &party)
      default: try xml.skip()
      }
    }
  }

  private mutating func readMember(into party: inout CAMTParty) throws(InterchangeError) {
    while try xml.nextChild() {
      switch element {
      case .identification where party.identification.isEmpty,
        .memberIdentification where party.identification.isEmpty:
        party.identification = try readText()
      default: try xml.skip()
      }
    }
  }

  /// Reads a balance; one that is wrong becomes a bad line.
  mutating func readBalance(_ balances: inout CAMTBalances) throws(InterchangeError) {
    let place = xml.tagStart
    let line = xml.line(at: place)
    var code = ""
    var amount: Money?
    var isCredit: Bool?
    var day: Day?
    var fault: BadLine?
    while try xml.nextChild() {
      switch element {
      case .type: code = try readCode()
      case .amount:
        switch try readAmount() {
        case .success(let money): amount = money
        case .failure(let bad): fault = fault ?? bad
        }
      case .direction: isCredit = try readDirection()
      case .date, .dateTime:
        switch try readDay() {
        case .success(let found): day = found
        case .failure(let bad): fault = fault ?? bad
        }
      default: try xml.skip()
      }
    }
    guard ["OPBD", "PRCD", "CLBD", "ITBD"].contains(code) else { return }
    if let fault { return contents.note(fault) }
    guard var amount, let isCredit, let day = day ?? createdDay else {
      return contents.note(
        bad(
          .amount, place, "The balance \(code) has no amount, no CdtDbtInd or no day.",
          "Correct the file, or ask the bank for it again."))
    }
    if !isCredit { amount.minorUnits = -amount.minorUnits }
    balances.take(StatedBalance(line: line, day: day, amount: amount), code: code)
  }
}
