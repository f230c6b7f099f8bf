import Bookkeeping

/// Somebody in a message: a payer, a payee, a bank.
struct CAMTParty: Sendable {
  var name = ""
  /// What the party is called by an authority: a creditor's identifier, say.
  var identification = ""
  var bic = ""
  /// The number of its account.
  var account = ""

  /// Whether nothing is known of it.
  var isUnknown: Bool { name.isEmpty && account.isEmpty && bic.isEmpty }
  /// What it is called in a list of rows.
  var title: String { name.isEmpty ? bic : name }
}

/// What a bank charged with an entry.
struct CAMTCharge: Sendable {
  var amount: Money
  /// Whether the bank gave it back.
  var isCredit: Bool
  /// Whether it is in the entry's amount; `nil` where the message does not say.
  var isIncluded: Bool?
}

/// Amounts in other currencies, and what was charged: what entries and their details have in common.
struct CAMTAmounts: Sendable {
  var instructed: Money?
  var transaction: Money?
  var counterValue: Money?
  var exchangeRate = ""
  var charges: [CAMTCharge] = []

  /// The amounts as they were before the bank changed money or charged, the surest first.
  var originals: [Money] { [instructed, transaction, counterValue].compactMap(\.self) }
}

/// One transaction of an entry.
///
/// It has so many texts that copying it would cost more than reading it.
final class CAMTDetails {
  var amount: Money?
  var isCredit: Bool?
  var amounts = CAMTAmounts()
  var servicerReference = ""
  var endToEnd = ""
  var cheque = ""
  var instruction = ""
  var transaction = ""
  var uniqueReference = ""
  var mandate = ""
  var debtor = CAMTParty()
  var creditor = CAMTParty()
  var ultimateDebtor = CAMTParty()
  var ultimateCreditor = CAMTParty()
  var purpose = ""
  /// What the payer wrote.
  var remittance: [String] = []
  /// References to invoices and the like.
  var documents: [String] = []
  var isReturned = false
  var returnReason = ""
  var additional: [String] = []

  init() {}
}

/// An entry: an amount that was or will be booked.
final class CAMTEntry {
  /// Where it begins.
  var place: Int
  var line: Int
  var amount: Money?
  var isCredit: Bool?
  var isReversal = false
  var status = "BOOK"
  var bookingDay: Day?
  var valueDay: Day?
  var reference = ""
  var transactionCode = ""
  var amounts = CAMTAmounts()
  var details: [CAMTDetails] = []
  var additional: [String] = []
  /// What is wrong with it.
  var fault: BadLine?

  init(place: Int, line: Int) {
    self.place = place
    self.line = line
  }
}
