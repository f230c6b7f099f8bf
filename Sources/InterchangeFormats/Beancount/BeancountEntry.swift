import Bookkeeping

/// A directive that takes part in booking, with what orders it.
struct BeancountEntry {
  enum Content {
    case transaction(JournalEntry, [BeancountLot?])
    case balance(BeancountBalance)
    case pad(BeancountPad)
  }

  var day: Day
  /// Balances come before what happens on their day.
  var rank: Int
  var content: Content
}

/// `balance`: what an account, with those below it, holds when a day begins.
struct BeancountBalance {
  var line: Int
  var column: Int
  var file: Int
  var account: Int
  var amount: JournalAmount
  var tolerance: JournalNumber
}

/// `pad`: fills an account from another up to its next balance.
struct BeancountPad {
  var line: Int
  var file: Int
  var account: Int
  var source: Int
}

/// The cost in braces behind an amount: that of a new lot, or which lots to take from.
struct BeancountLot {
  var column: Int
  /// For one.
  var perUnit: JournalNumber?
  /// For all of them.
  var total: JournalNumber?
  var commodity: Int?
  var day: Day?
  var label: String?
  /// `{*}`: all lots as one.
  var isMerged = false

  var hasCost: Bool { perUnit != nil || total != nil }
}
