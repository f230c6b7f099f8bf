public import Entities

/// A property's value, decoded for people: what history shows before and after.
public enum PropertyValue: Hashable, Sendable {
  /// A name, description, payee or note; empty where it was taken away.
  case text(String)
  /// Several texts.
  case texts([String])
  /// A calendar day, such as a transaction's.
  case day(Day)
  /// A count, an order, or minor units of a currency that the entity says elsewhere.
  case number(Int64)
  /// Yes.
  case flag(Bool)
  /// One of a property's named choices.
  case choice(String)
  /// Another entity.
  case entity(EntityID)
  /// A currency with its digits, such as an account's.
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
