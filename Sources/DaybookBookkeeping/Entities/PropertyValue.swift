public import DaybookEntities

/// A decoded property value for display, such as in the history of an entity.
public enum PropertyValue: Hashable, Sendable {
  /// A name, description, payee or note; empty if it was removed.
  case text(String)
  /// Several texts.
  case texts([String])
  /// A calendar day, such as a transaction's.
  case day(Day)
  /// A month, such as that of an assigned amount.
  case month(Month)
  /// A count, a position, or minor units in the currency of another property.
  case number(Int64)
  /// A yes-or-no value.
  case flag(Bool)
  /// One of a property's named choices.
  case choice(String)
  /// A reference to another entity.
  case entity(EntityID)
  /// A currency with its number of decimals, such as an account's.
  case currency(Currency)
  /// An amount.
  case money(Money)
  /// A transaction's postings.
  case postings([Posting])
  /// An exchange rate.
  case quote(Quote)
  /// References to other entities, such as a budget's categories.
  case entities([EntityID])
  /// Ranges of days, such as the skipped days of a recurring transaction.
  case days([Range<Day>])
  /// Amounts, each of which applies from a given day on.
  ///
  /// Their currency has no code if it is stored in another property.
  case steps([BudgetStep])
  /// The interval of a recurring transaction.
  case schedule(Schedule)
  /// The periods of a budget.
  case period(BudgetPeriod)
  /// The former periods of a budget.
  case earlierPeriods([EarlierValue<BudgetPeriod>])
  /// The former rollovers of a budget.
  case earlierRollovers([EarlierValue<Rollover>])
  /// The former categories of a budget.
  case earlierCategories([EarlierValue<BudgetCategories>])
  /// The goal of an envelope.
  case goal(EnvelopeGoal)
  /// The conditions of a rule.
  case conditions([RuleCondition])
  /// A value that this version can't interpret.
  case bytes([UInt8])
}
