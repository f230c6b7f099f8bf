public import Entities

/// A property's value, decoded for people: what history shows before and after.
public enum PropertyValue: Hashable, Sendable {
  /// A text.
  case text(String)
  /// Several texts.
  case texts([String])
  /// A day.
  case day(Day)
  /// A number.
  case number(Int64)
  /// Yes.
  case flag(Bool)
  /// One of a property's named choices.
  case choice(String)
  /// Another entity.
  case entity(EntityID)
  /// A currency.
  case currency(Currency)
  /// An amount.
  case money(Money)
  /// A transaction's postings.
  case postings([Posting])
  /// A rate.
  case quote(Quote)
  /// A value that is only shown as having changed.
  case bytes([UInt8])
}
