public import Entities

/// What a commit says about itself.
public struct CommitHeader: Hashable, Sendable {
  /// The place in this ledger's history: gap-free, from 1.
  public var sequence: UInt64
  /// The time on the writer's clock, in microseconds since 1970 (UTC).
  public var wallMicroseconds: Int64
  /// The hybrid logical clock: 48 bits of milliseconds, 16 bits of counter.
  ///
  /// Never goes back.
  public var hlc: UInt64
  /// Who wrote it, or `nil` where nobody is named or the name is erased.
  public var author: String?
  /// What wrote it: a process, an app, a device.
  public var source: String
  /// The replica that wrote it first.
  public var replica: UInt64
  /// Its sequence there.
  public var originSequence: UInt64
  /// The idempotency key it was appended with.
  public var idempotencyKey: [UInt8]?
  /// The digest of the request, where there is an idempotency key.
  public var requestDigest: Hash256?
  /// Whether author and idempotency key were there and have been erased.
  public var isErased: Bool
  /// How many changes it holds.
  public var changeCount: Int
  /// Its link of the chain.
  public var link: Hash256
}

/// One commit, whole, in memory.
public struct Commit: Hashable, Sendable {
  /// What it says about itself.
  public var header: CommitHeader
  /// Its changes, in the order they were made.
  public var changes: [JournalChange]

  /// A commit of its parts.
  public init(header: CommitHeader, changes: [JournalChange]) {
    self.header = header
    self.changes = changes
  }
}

/// What was done to an entity.
public enum Operation: UInt8, Hashable, Sendable {
  /// It was not there before.
  case insert = 1
  /// Some of its properties are others.
  case update = 2
  /// It is gone.
  case delete = 3
}

/// One change as the journal keeps it: only the properties that differ.
public struct JournalChange: Hashable, Sendable {
  /// What sort of entity changed.
  public var kind: EntityKind
  /// Which one.
  public var id: EntityID
  /// Its recording number.
  public var number: UInt64
  /// What was done to it.
  public var operation: Operation
  /// The properties that differ, in ascending order of tags.
  public var properties: [PropertyChange]
  /// Whether personal text of this change has been erased.
  public var isErased: Bool

  /// A change with its parts.
  public init(
    kind: EntityKind, id: EntityID, number: UInt64, operation: Operation,
    properties: [PropertyChange], isErased: Bool = false
  ) {
    self.kind = kind
    self.id = id
    self.number = number
    self.operation = operation
    self.properties = properties
    self.isErased = isErased
  }
}

/// One property before and after.
public struct PropertyChange: Hashable, Sendable {
  /// Which property it is.
  public var tag: UInt8
  /// Its encoded value before, or `nil` where it had its default value or the entity was not there.
  public var before: [UInt8]?
  /// Its encoded value after, or `nil` where it has its default value or the entity is gone.
  public var after: [UInt8]?
  /// Whether the values were there and have been erased.
  public var isErased: Bool

  /// A property with its values.
  public init(tag: UInt8, before: [UInt8]?, after: [UInt8]?, isErased: Bool = false) {
    self.tag = tag
    self.before = before
    self.after = after
    self.isErased = isErased
  }
}

/// What is to be appended as one commit.
package struct CommitDraft: Sendable {
  /// The changes in order: whole records before and after.
  package var changes: [Change]
  /// Who writes; empty for nobody.
  package var author: String
  /// What writes.
  package var source: String
  /// The idempotency key, if any.
  package var idempotencyKey: [UInt8]?
  /// The digest of the request; needed with a key.
  package var requestDigest: Hash256?
  /// The time on the writer's clock, in microseconds since 1970.
  package var wallMicroseconds: Int64

  /// A draft with its parts.
  package init(
    changes: [Change], author: String = "", source: String = "", idempotencyKey: [UInt8]? = nil,
    requestDigest: Hash256? = nil, wallMicroseconds: Int64
  ) {
    self.changes = changes
    self.author = author
    self.source = source
    self.idempotencyKey = idempotencyKey
    self.requestDigest = requestDigest
    self.wallMicroseconds = wallMicroseconds
  }
}
