/// A category's envelope in one month, in the base currency.
public struct Envelope: Hashable, Sendable, Codable {
  /// The category.
  public var category: Category
  /// The amount carried over from the previous month; negative if overspending was carried.
  public var carriedOver: Total
  /// The amount assigned in the month.
  public var assigned: Total
  /// The amount moved to the envelope in the month, less the amount moved from it.
  public var moved: Total
  /// The amount spent in the month, less refunds.
  public var spent: Total
  /// The available amount: *carried over + assigned + moved − spent*; negative if overspent.
  public var available: Total
  /// The amount that the category's goal still needs in the month: zero if the goal is on track,
  /// and `nil` without a goal, for a deleted category, or if there is no rate.
  ///
  /// A monthly goal needs its amount less the amounts assigned and moved to the envelope. A balance
  /// needs its amount less the available amount. A goal by a day needs an equal share, for each
  /// month from this one through the day's, of the amount that was missing before anything was
  /// assigned in this month; if the shares can't be equal, the first months need one minor unit
  /// more.
  public var needed: Total?

  /// Creates an envelope, for tests and previews.
  public init(
    category: Category, carriedOver: Total, assigned: Total, moved: Total, spent: Total,
    needed: Total? = nil
  ) {
    self.category = category
    self.carriedOver = carriedOver
    self.assigned = assigned
    self.moved = moved
    self.spent = spent
    available = Total(
      units: carriedOver.units + assigned.units + moved.units - spent.units,
      currency: spent.currency)
    self.needed = needed
  }

  /// Whether the envelope's goal needs nothing in the month; `nil` if ``needed`` is.
  public var isOnTrack: Bool? { needed.map { $0.units == 0 } }
}

/// The payment of a card in one month: money that is set aside to pay what the card owes, in the
/// base currency.
public struct CardPayment: Hashable, Sendable, Codable {
  /// The card: a liability account in the budget.
  public var account: Account
  /// The amount that the card owes at the end of the month, or today if that is earlier.
  public var debt: Total
  /// The amount carried over from the previous month; never negative.
  public var carriedOver: Total
  /// The amount assigned to the payment in the month.
  public var assigned: Total
  /// What the card paid in the month, less the month's payments, refunds and ``overspent``.
  public var setAside: Total
  /// The part of the month's spending on the card that envelopes which don't carry overspending
  /// lacked.
  ///
  /// Unless it is covered in the month, it becomes debt for which nothing is set aside.
  public var overspent: Total
  /// The available amount: *carried over + assigned + set aside*.
  ///
  /// It is negative if more was paid than was available; the next month starts at zero.
  public var available: Total

  /// Creates a payment, for tests and previews.
  public init(
    account: Account, debt: Total, carriedOver: Total, assigned: Total, setAside: Total,
    overspent: Total
  ) {
    self.account = account
    self.debt = debt
    self.carriedOver = carriedOver
    self.assigned = assigned
    self.setAside = setAside
    self.overspent = overspent
    available = Total(
      units: carriedOver.units + assigned.units + setAside.units, currency: debt.currency)
  }

  /// The debt of earlier months for which nothing is set aside.
  public var uncovered: Total {
    Total(units: debt.units - available.units - overspent.units, currency: debt.currency)
  }
}

/// The envelopes of one month, and the money that is left to assign.
public struct EnvelopeMonth: Hashable, Sendable, Codable {
  /// The month.
  public var month: Month
  /// The envelopes, ordered like categories in a breakdown.
  ///
  /// Hidden and deleted categories, and the built-in one, are included only if one of their amounts
  /// isn't zero.
  public var envelopes: [Envelope]
  /// The payments of cards, ordered like accounts.
  ///
  /// Hidden, closed and deleted cards are included only if one of their amounts isn't zero. A card
  /// in a currency without a rate is left out.
  public var payments: [CardPayment]
  /// The money on the accounts in the budget at the end of the month, or today if that is earlier.
  public var money: Converted
  /// The amounts assigned in later months; zero for a month before today's.
  public var assignedLater: Total
  /// The money that no envelope has: *money + uncovered debt of all cards − available of all
  /// envelopes − assigned later*.
  public var readyToAssign: Total
  /// The spending and the assigned amounts up to this month that have no rate, and are left out.
  public var unconverted: [Unconverted]

  /// Creates a month, for tests and previews.
  public init(
    month: Month, envelopes: [Envelope], payments: [CardPayment] = [], money: Converted,
    assignedLater: Total, unconverted: [Unconverted] = []
  ) {
    self.month = month
    self.envelopes = envelopes
    self.payments = payments
    self.money = money
    self.assignedLater = assignedLater
    self.unconverted = unconverted
    let available = envelopes.reduce(0) { $0 + $1.available.units }
    let uncovered = payments.reduce(0) { $0 + $1.uncovered.units }
    readyToAssign = Total(
      units: money.total.units + uncovered - available - assignedLater.units,
      currency: money.total.currency)
  }

  /// The amount that all goals still need in the month.
  public var needed: Total {
    Total(
      units: envelopes.reduce(0) { $0 + ($1.needed?.units ?? 0) }, currency: money.total.currency)
  }

  /// Whether all amounts could be converted to the base currency.
  public var isComplete: Bool { money.isComplete && unconverted.isEmpty }
}
