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

  /// A header of its parts.
  package init(
    sequence: UInt64, wallMicroseconds: Int64, hlc: UInt64, author: String?, source: String,
    replica: UInt64, originSequence: UInt64, idempotencyKey: [UInt8]?, requestDigest: Hash256?,
    isErased: Bool, changeCount: Int, link: Hash256
  ) {
    self.sequence = sequence
    self.wallMicroseconds = wallMicroseconds
    self.hlc = hlc
    self.author = author
    self.source = source
    self.replica = replica
    self.originSequence = originSequence
    self.idempotencyKey = idempotencyKey
    self.requestDigest = requestDigest
    self.isErased = isErased
    self.changeCount = changeCount
    self.link = link
  }
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
  /// Who wrote it first, where that was another replica, or nobody.
  package var origin: CommitOrigin?

  /// A draft with its parts.
  package init(
    changes: [Change], author: String = "", source: String = "", idempotencyKey: [UInt8]? = nil,
    requestDigest: Hash256? = nil, wallMicroseconds: Int64, origin: CommitOrigin? = nil
  ) {
    self.changes = changes
    self.author = author
    self.source = source
    self.idempotencyKey = idempotencyKey
    self.requestDigest = requestDigest
    self.wallMicroseconds = wallMicroseconds
    self.origin = origin
  }
}

/// Which replica wrote a commit first, and which of its commits it is.
package struct CommitOrigin: Hashable, Sendable {
  /// The number of the replica; 0 where no replica wrote it, since it follows from several commits.
  package var replica: UInt64
  /// Its sequence there, from 1.
  package var sequence: UInt64

  /// A place of origin.
  package init(replica: UInt64, sequence: UInt64) {
    self.replica = replica
    self.sequence = sequence
  }
}

extension CommitHeader {
  /// The source of commits that give entities other recording numbers.
  package static let renumberingSource = "renumbering"

  /// Whether the commit does nothing but give entities the recording numbers that a shared log decided.
  ///
  /// It deletes them and inserts them again, as they were.
  public var isRenumbering: Bool { replica == 0 && source == Self.renumberingSource }
}
