import DaybookBookkeeping

/// The payee, description, note and codes of a row.
struct CAMTTexts {
  let rows: CAMTRows
  let details: CAMTDetails
  let amounts: CAMTAmounts
  let isCredit: Bool
  /// Whether the row represents several details.
  var isForAll = false

  /// The other party of the payment.
  ///
  /// This is the debtor of an incoming payment and the creditor of an outgoing payment, unless that
  /// is the account holder. A returned payment keeps its original debtor and creditor, so the roles
  /// are reversed.
  private var counterparty: (party: CAMTParty, ultimate: CAMTParty) {
    let debtor = (details.debtor, details.ultimateDebtor)
    let creditor = (details.creditor, details.ultimateCreditor)
    let expected = isCredit ? debtor : creditor
    let other = isCredit ? creditor : debtor
    if other.0.isUnknown { return expected }
    if expected.0.isUnknown { return isOwn(other.0) ? expected : other }
    if isOwn(expected.0) != isOwn(other.0) { return isOwn(expected.0) ? other : expected }
    return details.isReturned || rows.entry.isReversal ? other : expected
  }

  private func isOwn(_ party: CAMTParty) -> Bool {
    !party.account.isEmpty
      && (party.account == rows.account.iban || party.account == rows.account.number)
  }

  /// The check number or the payer's reference.
  var code: String {
    for code in [details.cheque, details.endToEnd, details.instruction, details.uniqueReference]
    where isGiven(code) {
      return code
    }
    return ""
  }

  private func isGiven(_ code: String) -> Bool {
    !code.isEmpty && code != "NOTPROVIDED" && code != "NOT PROVIDED" && code != "NONREF"
  }

  /// Returns the fee that the amount includes, if the message states it or the amounts prove it.
  func fee(of amount: Money) -> Money? {
    var sum: Int64 = 0
    var isIncluded = true
    for charge in amounts.charges {
      guard charge.amount.currency == amount.currency, charge.isIncluded != false else {
        return nil
      }
      if charge.isIncluded == nil { isIncluded = false }
      let units = charge.isCredit ? -charge.amount.minorUnits : charge.amount.minorUnits
      let (next, overflow) = sum.addingReportingOverflow(units)
      guard !overflow else { return nil }
      sum = next
    }
    guard sum != 0 else { return nil }
    if !isIncluded {
      // The paid amount minus the charges must equal the payment.
      let (payment, overflow) = amount.minorUnits.addingReportingOverflow(sum)
      guard !overflow,
        amounts.originals.contains(where: {
          $0.currency == amount.currency && Int128($0.minorUnits) == Int128(payment.magnitude)
        })
      else { return nil }
    }
    return Money(sum, amount.currency)
  }

  /// Sets the payee, description and note of a row.
  func fill(_ row: inout StatementRow, hasFee: Bool) {
    let (party, ultimate) = counterparty
    var note = NoteLines()
    let payee = party.title.isEmpty ? ultimate.title : party.title
    var purposes = details.remittance
    for document in details.documents where !purposes.contains(where: { $0.contains(document) }) {
      purposes.append(document)
    }
    var rest = rows.entry.additional
    if !details.additional.isEmpty { rest += details.additional }
    var description = purposes.count == 1 ? purposes[0] : purposes.joined(separator: " ")
    if description.isEmpty, !rest.isEmpty { description = rest.removeFirst() }
    if description.isEmpty { description = rows.entry.transactionCode }
    row.payee = note.fitting(payee, Limits.payeeByteCountMax)
    row.description = note.fitting(description, Limits.descriptionByteCountMax)
    note.add("", party.account)
    if party.title != party.bic { note.add("BIC ", party.bic) }
    if ultimate.title != payee { note.add("For ", ultimate.title) }
    note.add("Mandate ", details.mandate)
    if !details.mandate.isEmpty { note.add("Creditor ", details.creditor.identification) }
    if isGiven(details.cheque), isGiven(details.endToEnd) {
      note.add("End to end ", details.endToEnd)
    }
    note.add("Returned ", details.returnReason)
    note.add("Purpose ", details.purpose)
    note.add("Rate ", amounts.exchangeRate)
    if !hasFee {
      for charge in amounts.charges {
        note.add(charge.isCredit ? "Charges refunded " : "Charges ", charge.amount.description)
      }
    }
    for line in rest { note.add("", line) }
    if isForAll { addDetails(&note) }
    row.note = note.text
  }

  private func addDetails(_ note: inout NoteLines) {
    for details in rows.entry.details.prefix(CAMTRows.toldDetailCountMax) {
      let side = CAMTTexts(
        rows: rows, details: details, amounts: details.amounts,
        isCredit: details.isCredit ?? isCredit)
      let words = [
        details.amount.map(\.description) ?? "", side.counterparty.party.title,
        (details.remittance + details.documents).joined(separator: " "),
      ]
      note.add("", words.filter { !$0.isEmpty }.joined(separator: ", "))
    }
    let more = rows.entry.details.count - CAMTRows.toldDetailCountMax
    if more > 0 { note.add("and ", "\(more) more") }
  }
}
