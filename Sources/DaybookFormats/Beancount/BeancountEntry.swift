import DaybookBookkeeping

/// A directive that affects booking, with its sort key.
struct BeancountEntry {
  enum Content {
    case transaction(JournalEntry, [BeancountLot?])
    case balance(BeancountBalance)
    case pad(BeancountPad)
  }

  var day: Day
  /// The order within a day.
  ///
  /// Balance directives come before other directives.
  var rank: Int
  var content: Content
}

/// A `balance` directive, which asserts the balance of an account and its subaccounts at the start
/// of a day.
struct BeancountBalance {
  var line: Int
  var column: Int
  var file: Int
  var account: Int
  var amount: JournalAmount
  var tolerance: JournalNumber
}

/// A `pad` directive, which transfers an amount from another account to satisfy the next balance
/// directive.
struct BeancountPad {
  var line: Int
  var file: Int
  var account: Int
  var source: Int
}

/// The cost in braces after an amount.
///
/// It specifies the cost of a new lot, or selects the lots to reduce.
struct BeancountLot {
  var column: Int
  /// The cost per unit.
  var perUnit: JournalNumber?
  /// The total cost.
  var total: JournalNumber?
  var commodity: Int?
  var day: Day?
  var label: String?
  /// Whether all lots are merged (`{*}`).
  var isMerged = false

  var hasCost: Bool { perUnit != nil || total != nil }
}
