public import DaybookBookkeeping
public import DaybookEntities

/// The content of a finding, independent of language: one case for each kind of sentence.
///
/// ``EnglishFindings`` provides the English text; apps in other languages can switch over the
/// cases.
public enum FindingStatement: Hashable, Sendable {
  /// Two devices set the same properties to different values; the holder's values were kept.
  case disagreement(holder: FindingParty, loser: FindingParty, [FindingChange])
  /// A change was refused because the property is immutable, such as an account's currency.
  case refused(FindingParty, [FindingChange])
  /// One device deleted the entity while the other changed it: the entity remains deleted, and its
  /// tombstone contains the changes.
  case changedWhileDeleted(deleter: FindingParty, changer: FindingParty, [FindingChange])
  /// One device deleted the entity while the other recorded or restored it: it remains deleted.
  case restoredWhileDeleted(deleter: FindingParty, restorer: FindingParty)
  /// Two devices changed the entity in ways that are invalid together: the holder's values were
  /// kept.
  case incompatible(holder: FindingParty, loser: FindingParty, [FindingChange])
  /// One device linked the transaction with another one to a transfer while the other device deleted
  /// or linked one of the two: the first device's link was discarded.
  case notLinked(linker: FindingParty, other: FindingParty)
  /// A category would have become its own ancestor: it keeps its former parent.
  case cycle(mover: FindingParty, parent: PropertyValue?)
  /// A device closed the period through a day without having seen all of its transactions.
  case closedUnseen(closer: FindingParty, through: Day?, [FindingSubject])
  /// One device reconciled the transaction while the other changed it: the changes were discarded.
  ///
  /// The reconciler is unknown if the kept values were written by another device.
  case changedWhileReconciled(reconciler: FindingParty, changer: FindingParty, [FindingChange])
  /// One device reconciled the transaction while the other deleted it: it wasn't deleted.
  case deletedWhileReconciled(reconciler: FindingParty, deleter: FindingParty)
  /// A new transaction in a period that another device had closed: no figure includes it until it
  /// is accepted.
  case recordedInClosedPeriod(recorder: FindingParty, closer: FindingParty)
  /// A change in a period that another device had closed: it has no effect until it is accepted.
  case changedInClosedPeriod(changer: FindingParty, closer: FindingParty, [FindingChange])
  /// A deletion in a period that another device had closed: it has no effect until it is accepted.
  case deletedInClosedPeriod(deleter: FindingParty, closer: FindingParty)
  /// This device was offline for too long, and other devices have changed the same properties in
  /// the meantime.
  case changedTooLate([FindingChange])
  /// This device was offline for too long, and the entity that it changed has been deleted in the
  /// meantime.
  case changedTooLateAndGone([FindingChange])
  /// This device was offline for too long, and other devices have changed the entity that it
  /// deleted.
  case deletedTooLate
  /// Two devices split the transaction differently, so that this part of the total has no category.
  case balanced(PropertyValue?)
  /// Several entities have the same name, because devices created them independently.
  case sameName(count: Int)
  /// A closed or deleted account, which accepts no transactions, has this balance.
  case closedAccount(balance: PropertyValue?, isDeleted: Bool)
}

/// The subject of a finding, or an entity that the finding lists.
public struct FindingSubject: Hashable, Sendable {
  /// The entity's kind.
  public var kind: EntityKind
  /// The entity's id.
  public var id: EntityID
  /// The entity's name; for a transaction, its payee, description, category or other account; empty
  /// if it isn't known.
  public var name = ""
  /// The day of a transaction.
  public var day: Day?
  /// The amount of a transaction, without its sign.
  public var amount: Money?
}

/// A change of one property, made or attempted.
public struct FindingChange: Hashable, Sendable {
  /// The property's name.
  public var property: String
  /// The value that one device set; `nil` for none.
  public var wanted: PropertyValue?
  /// The value that was kept; `nil` for none.
  public var holds: PropertyValue?
  /// For a split transaction, the category of the changed line.
  public var part: EntityID?
}
