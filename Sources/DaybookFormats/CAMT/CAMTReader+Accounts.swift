import DaybookBookkeeping

/// The relevant balances of a statement.
struct CAMTBalances {
  private var openingBooked: StatedBalance?
  private var previousClosing: StatedBalance?
  private var closingBooked: StatedBalance?
  private var interim: [StatedBalance] = []

  /// Records a balance by its code.
  ///
  /// Available and expected balances are ignored.
  mutating func take(_ balance: StatedBalance, code: String) {
    switch code {
    case "OPBD": openingBooked = openingBooked ?? balance
    case "PRCD": previousClosing = previousClosing ?? balance
    case "CLBD": closingBooked = balance
    case "ITBD": interim.append(balance)
    default: break
    }
  }

  /// The balance before the first row.
  var opening: StatedBalance? {
    if let openingBooked { return openingBooked }
    if var previousClosing {
      previousClosing.day = previousClosing.day.adding(days: 1)
      return previousClosing
    }
    // If a statement is split into pages, each page begins and ends with an interim balance.
    return interim.count > 1 ? interim[0] : nil
  }

  /// The balance after the last row.
  var closing: StatedBalance? { closingBooked ?? interim.last }
}

// Accounts, parties and balances.
extension CAMTReader {
  /// Reads the account of the statement.
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

  /// Reads the account number in the current element.
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

  /// Reads the party or bank in the current element.
  ///
  /// The name can be at any depth.
  mutating func readParty() throws(InterchangeError) -> CAMTParty {
    var party = CAMTParty()
    try readParty(into: &party)
    return party
  }

  /// Adds the data in the current element to a party.
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

  /// Reads a balance.
  ///
  /// An invalid balance is reported and left out.
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
    if let fault { return notice("Skipped the balance \(code): \(fault.reason)", at: place) }
    guard var amount, let isCredit, let day = day ?? createdDay else {
      return notice(
        "Skipped the balance \(code), which has no amount, no CdtDbtInd or no date.", at: place)
    }
    if !isCredit { amount.minorUnits = -amount.minorUnits }
    balances.take(StatedBalance(line: line, day: day, amount: amount), code: code)
  }
}
