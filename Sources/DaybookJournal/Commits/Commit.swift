public import DaybookEntities

/// The metadata of a commit.
public struct CommitHeader: Hashable, Sendable {
  /// The commit's number in this ledger's history; numbers start at 1 and have no gaps.
  public var sequence: UInt64
  /// The wall-clock time of the writing device, in microseconds since 1970 (UTC).
  public var wallMicroseconds: Int64
  /// The hybrid logical clock: 48 bits of milliseconds and 16 bits of a counter.
  ///
  /// It never decreases.
  public var hlc: UInt64
  /// The author; `nil` if none was given or the name has been erased.
  public var author: String?
  /// The process, app or device that wrote the commit.
  public var source: String
  /// The replica that first wrote the commit.
  public var replica: UInt64
  /// The commit's sequence on the replica that first wrote it.
  public var originSequence: UInt64
  /// The idempotency key with which the commit was appended.
  public var idempotencyKey: [UInt8]?
  /// The digest of the request, if there is an idempotency key.
  public var requestDigest: Hash256?
  /// Whether the author and idempotency key have been erased.
  public var isErased: Bool
  /// The number of changes.
  public var changeCount: Int
  /// The commit's link in the hash chain.
  public var link: Hash256

  /// Creates a header.
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

/// A complete commit in memory.
public struct Commit: Hashable, Sendable {
  /// The metadata.
  public var header: CommitHeader
  /// The changes, in the order in which they were made.
  public var changes: [JournalChange]

  /// Creates a commit.
  public init(header: CommitHeader, changes: [JournalChange]) {
    self.header = header
    self.changes = changes
  }
}

/// A commit to be appended.
package struct CommitDraft: Sendable {
  /// The changes in order, each with the full records before and after it.
  package var changes: [Change]
  /// The author, or an empty string if no author is given.
  package var author: String
  /// The process, app or device that writes the commit.
  package var source: String
  /// The idempotency key, or `nil` if there is none.
  package var idempotencyKey: [UInt8]?
  /// The digest of the request; required if there is an idempotency key.
  package var requestDigest: Hash256?
  /// The wall-clock time of the writing device, in microseconds since 1970.
  package var wallMicroseconds: Int64
  /// The origin of the commit, or `nil` if this replica is the first to write it.
  package var origin: CommitOrigin?

  /// Creates a draft.
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

/// The replica that first wrote a commit, and the commit's sequence on that replica.
package struct CommitOrigin: Hashable, Sendable {
  /// The number of the replica, or 0 if the commit was derived from several others, so that no
  /// single replica wrote it.
  package var replica: UInt64
  /// The commit's sequence on that replica, from 1.
  package var sequence: UInt64

  /// Creates an origin.
  package init(replica: UInt64, sequence: UInt64) {
    self.replica = replica
    self.sequence = sequence
  }
}

extension CommitHeader {
  /// The source of commits that renumber entities.
  package static let renumberingSource = "renumbering"

  /// Whether the commit only changes recording numbers to those that a shared log assigned.
  ///
  /// Such a commit deletes the entities and inserts them again unchanged.
  public var isRenumbering: Bool { replica == 0 && source == Self.renumberingSource }
}
