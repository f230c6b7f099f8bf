// The parties, references and remittance information of an entry's details.
extension CAMTReader {
  mutating func readParties(_ details: CAMTDetails) throws(InterchangeError) {
    while try xml.nextChild() {
      switch element {
      case .debtor: try readParty(into: &details.debtor)
      case .creditor: try readParty(into: &details.creditor)
      case .ultimateDebtor: try readParty(into: &details.ultimateDebtor)
      case .ultimateCreditor: try readParty(into: &details.ultimateCreditor)
      case .debtorAccount: details.debtor.account = try readAccountNumber()
      case .creditorAccount: details.creditor.account = try readAccountNumber()
      default: try xml.skip()
      }
    }
  }

  mutating func readAgents(_ details: CAMTDetails) throws(InterchangeError) {
    while try xml.nextChild() {
      switch element {
      case .debtorAgent:
        let bank = try readParty()
        if details.debtor.bic.isEmpty { details.debtor.bic = bank.bic }
      case .creditorAgent:
        let bank = try readParty()
        if details.creditor.bic.isEmpty { details.creditor.bic = bank.bic }
      default: try xml.skip()
      }
    }
  }

  mutating func readRemittance(_ details: CAMTDetails) throws(InterchangeError) {
    while try xml.nextChild() {
      switch element {
      case .unstructured: try readText(into: &details.remittance)
      case .structured: try readStructured(details)
      default: try xml.skip()
      }
    }
  }

  private mutating func readStructured(_ details: CAMTDetails) throws(InterchangeError) {
    while try xml.nextChild() {
      switch element {
      case .creditorReference, .document:
        while try xml.nextChild() {
          switch element {
          case .reference, .creditorReferenceV1, .documentNumber, .documentNumberV1:
            try readText(into: &details.documents)
          default: try xml.skip()
          }
        }
      case .creditorReferenceV1, .documentNumberV1: try readText(into: &details.documents)
      case .additionalRemittance: try readText(into: &details.remittance)
      default: try xml.skip()
      }
    }
  }

  mutating func readReturn(_ details: CAMTDetails) throws(InterchangeError) {
    details.isReturned = true
    while try xml.nextChild() {
      switch element {
      case .reason, .returnReasonV1: details.returnReason = try readCode()
      case .additional, .additionalRemittance: try readText(into: &details.additional)
      default: try xml.skip()
      }
    }
  }
}
