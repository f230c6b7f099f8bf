public import Bookkeeping
public import Entities

/// What a finding says, without the words of a language: one case for each kind of sentence.
///
/// ``EnglishFindings`` says it in English; an app that speaks another language switches over the cases.
public enum FindingStatement: Hashable, Sendable {
  /// Two devices gave the same properties different values: the holder's stand, the loser's do not.
  case disagreement(holder: FindingParty, loser: FindingParty, [FindingChange])
  /// A value was refused because it can never change, such as an account's currency.
  case refused(FindingParty, [FindingChange])
  /// One device deleted it while the other changed it: it stays deleted, and the changes are kept with it.
  case changedWhileDeleted(deleter: FindingParty, changer: FindingParty, [FindingChange])
  /// One device deleted it while the other recorded it or brought it back: it stays deleted.
  case restoredWhileDeleted(deleter: FindingParty, restorer: FindingParty)
  /// Two devices changed it in ways that are not valid together: the holder's values stand.
  case incompatible(holder: FindingParty, loser: FindingParty, [FindingChange])
  /// A category would have come to lie below itself: it stays where it was.
  case cycle(mover: FindingParty, parent: PropertyValue?)
  /// The books were closed through a day by a device that had not seen all that they hold.
  case closedUnseen(closer: FindingParty, through: Day?, [FindingSubject])
  /// One device reconciled it while the other changed it: the changes do not stand. Where what holds was not written by
  /// the one that reconciled, that one is unknown.
  case changedWhileReconciled(reconciler: FindingParty, changer: FindingParty, [FindingChange])
  /// One device reconciled it while the other deleted it: it is there.
  case deletedWhileReconciled(reconciler: FindingParty, deleter: FindingParty)
  /// Something new in a period that another device had closed: it counts nowhere until it is taken.
  case recordedInClosedPeriod(recorder: FindingParty, closer: FindingParty)
  /// A change in a period that another device had closed: it counts nowhere until it is taken.
  case changedInClosedPeriod(changer: FindingParty, closer: FindingParty, [FindingChange])
  /// A deletion in a period that another device had closed: it does not count until it is taken.
  case deletedInClosedPeriod(deleter: FindingParty, closer: FindingParty)
  /// This device was away for too long: others have changed the same since.
  case changedTooLate([FindingChange])
  /// This device was away for too long: what it changed is deleted by now.
  case changedTooLateAndGone([FindingChange])
  /// This device was away for too long: others have changed what it wanted deleted.
  case deletedTooLate
  /// Two devices divided it differently, so that this part of the total has no category.
  case balanced(PropertyValue?)
  /// So many have one name; none of the devices that made them knew of the others.
  case sameName(count: Int)
  /// An account that takes no transactions has this balance.
  case closedAccount(balance: PropertyValue?, isDeleted: Bool)
}

/// What a finding is about, or lists.
public struct FindingSubject: Hashable, Sendable {
  /// What kind of thing it is.
  public var kind: EntityKind
  /// Which one.
  public var id: EntityID
  /// What it is called: a transaction by its payee, its description, or its category or other account; empty where that
  /// is not known.
  public var name = ""
  /// The day of a transaction.
  public var day: Day?
  /// The amount of a transaction, without its sign.
  public var amount: Money?
}

/// What was, or was to be, changed of one property.
public struct FindingChange: Hashable, Sendable {
  /// What the property is called.
  public var property: String
  /// What one device wanted; `nil` for nothing.
  public var wanted: PropertyValue?
  /// What holds; `nil` for nothing.
  public var holds: PropertyValue?
  /// Of a transaction that is split, the category of the part.
  public var part: EntityID?
}
