import DaybookBookkeeping

/// A party of a message, such as a payer, a payee or a bank.
struct CAMTParty: Sendable {
  var name = ""
  /// An official identifier, such as a creditor identifier.
  var identification = ""
  var bic = ""
  /// The number of the party's account.
  var account = ""

  /// Whether the message contains no data about the party.
  var isUnknown: Bool { name.isEmpty && account.isEmpty && bic.isEmpty }
  /// The display name.
  var title: String { name.isEmpty ? bic : name }
}

/// A bank charge.
struct CAMTCharge: Sendable {
  var amount: Money
  /// Whether the charge was refunded.
  var isCredit: Bool
  /// Whether the entry's amount includes the charge; `nil` if the message doesn't state it.
  var isIncluded: Bool?
}

/// The amounts in other currencies and the charges of an entry or of its details.
struct CAMTAmounts: Sendable {
  var instructed: Money?
  var transaction: Money?
  var counterValue: Money?
  var exchangeRate = ""
  var charges: [CAMTCharge] = []

  /// The amounts before currency conversion and charges, most reliable first.
  var originals: [Money] { [instructed, transaction, counterValue].compactMap(\.self) }
}

/// A transaction of an entry.
///
/// This is a class because copying a struct with so many strings would take longer than parsing
/// them.
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
  /// The remittance information that the payer wrote.
  var remittance: [String] = []
  /// References to documents, such as invoices.
  var documents: [String] = []
  var isReturned = false
  var returnReason = ""
  var additional: [String] = []

  init() {}
}

/// An entry of a statement, which is booked or pending.
final class CAMTEntry {
  /// The offset of the entry.
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
  /// The first error in the entry.
  var fault: BadLine?

  init(place: Int, line: Int) {
    self.place = place
    self.line = line
  }
}
