import DaybookBookkeeping

// Entries and their details.
extension CAMTReader {
  /// Reads an entry and adds its rows to the statement.
  mutating func readEntry() throws(InterchangeError) {
    let entry = CAMTEntry(place: xml.tagStart, line: xml.line(at: xml.tagStart))
    while try xml.nextChild() {
      switch element {
      case .amount:
        switch try readAmount() {
        case .success(let money): entry.amount = money
        case .failure(let fault): entry.fault = entry.fault ?? fault
        }
      case .direction: entry.isCredit = try readDirection()
      case .reversal:
        let text = try readText()
        entry.isReversal = text == "true" || text == "1"
      case .status: entry.status = try readCode()
      case .bookingDate:
        switch try readDay() {
        case .success(let day): entry.bookingDay = day
        case .failure(let fault): entry.fault = entry.fault ?? fault
        }
      case .valueDate:
        switch try readDay() {
        case .success(let day): entry.valueDay = day
        case .failure(let fault): entry.fault = entry.fault ?? fault
        }
      case .servicerReference: entry.reference = try readText()
      case .transactionCode: entry.transactionCode = try readTransactionCode()
      case .amountDetails: try readAmountDetails(&entry.amounts)
      case .charges: try readCharges(&entry.amounts)
      case .entryDetails:
        while try xml.nextChild() {
          if element == .transactionDetails {
            entry.details.append(try readDetails())
          } else {
            try xml.skip()
          }
        }
      case .transactionDetails: entry.details.append(try readDetails())
      case .additionalEntry: try readText(into: &entry.additional)
      default: try xml.skip()
      }
    }
    addRows(of: entry)
  }

  /// Reads the bank's own transaction code, or the ISO 20022 code such as `PMNT/RCDT/ESCT`.
  private mutating func readTransactionCode() throws(InterchangeError) -> String {
    var proprietary = ""
    var parts = ""
    while try xml.nextChild() {
      switch element {
      case .proprietary: proprietary = try readCode()
      case .domain:
        while try xml.nextChild() {
          switch element {
          case .code: parts = try readText()
          case .family:
            while try xml.nextChild() {
              try xml.text()
              parts += "/"
              parts += xml.collected.string
            }
          default: try xml.skip()
          }
        }
      default: try xml.skip()
      }
    }
    return proprietary.isEmpty ? parts : proprietary
  }

  private mutating func readDetails() throws(InterchangeError) -> CAMTDetails {
    let details = CAMTDetails()
    while try xml.nextChild() {
      switch element {
      case .references: try readReferences(details)
      case .amount: details.amount = try readSideAmount()
      case .direction: details.isCredit = try readDirection()
      case .amountDetails: try readAmountDetails(&details.amounts)
      case .charges: try readCharges(&details.amounts)
      case .parties: try readParties(details)
      case .agents: try readAgents(details)
      case .purpose: details.purpose = try readCode()
      case .remittance: try readRemittance(details)
      case .returned: try readReturn(details)
      case .additionalTransaction: try readText(into: &details.additional)
      default: try xml.skip()
      }
    }
    return details
  }

  private mutating func readReferences(_ details: CAMTDetails) throws(InterchangeError) {
    while try xml.nextChild() {
      switch element {
      case .servicerReference: details.servicerReference = try readText()
      case .endToEndIdentification: details.endToEnd = try readText()
      case .cheque: details.cheque = try readText()
      case .instruction: details.instruction = try readText()
      case .transaction: details.transaction = try readText()
      case .uniqueReference: details.uniqueReference = try readText()
      case .mandate: details.mandate = try readText()
      default: try xml.skip()
      }
    }
  }

  private mutating func readAmountDetails(
    _ amounts: inout CAMTAmounts
  ) throws(InterchangeError) {
    while try xml.nextChild() {
      switch element {
      case .instructedAmount: amounts.instructed = try readNestedAmount(&amounts)
      case .transactionAmount: amounts.transaction = try readNestedAmount(&amounts)
      case .counterValue: amounts.counterValue = try readNestedAmount(&amounts)
      default: try xml.skip()
      }
    }
  }

  private mutating func readNestedAmount(
    _ amounts: inout CAMTAmounts
  ) throws(InterchangeError) -> Money? {
    var amount: Money?
    while try xml.nextChild() {
      switch element {
      case .amount: amount = try readSideAmount()
      case .exchange:
        while try xml.nextChild() {
          if element == .exchangeRate {
            amounts.exchangeRate = try readText()
          } else {
            try xml.skip()
          }
        }
      default: try xml.skip()
      }
    }
    return amount
  }

  /// Reads charges.
  ///
  /// Up to version 3, each charge has its own element. From version 4 on, one element contains a
  /// record for each charge.
  private mutating func readCharges(_ amounts: inout CAMTAmounts) throws(InterchangeError) {
    var total: Money?
    var single: CAMTCharge?
    var records: [CAMTCharge] = []
    var isCredit = false
    var isIncluded: Bool?
    while try xml.nextChild() {
      switch element {
      case .chargesTotal: total = try readSideAmount()
      case .chargesRecord:
        if let charge = try readChargesRecord() { records.append(charge) }
      case .amount:
        single = try readSideAmount().map { CAMTCharge(amount: $0, isCredit: false) }
      case .direction: isCredit = try readDirection() ?? false
      case .chargesIncluded: isIncluded = try readText() == "true"
      default: try xml.skip()
      }
    }
    if records.isEmpty {
      single = single ?? total.map { CAMTCharge(amount: $0, isCredit: false) }
      single?.isCredit = isCredit
      single?.isIncluded = isIncluded
      if let single { records.append(single) }
    }
    amounts.charges += records.filter { $0.amount.minorUnits != 0 }
  }

  private mutating func readChargesRecord() throws(InterchangeError) -> CAMTCharge? {
    var amount: Money?
    var isCredit = false
    var isIncluded: Bool?
    while try xml.nextChild() {
      switch element {
      case .amount: amount = try readSideAmount()
      case .direction: isCredit = try readDirection() ?? false
      case .chargesIncluded:
        let text = try readText()
        isIncluded = text == "true" || text == "1"
      default: try xml.skip()
      }
    }
    return amount.map { CAMTCharge(amount: $0, isCredit: isCredit, isIncluded: isIncluded) }
  }
}
