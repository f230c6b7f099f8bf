package import DaybookEntities

/// Encodes drafts in their stored form and in the erased form, which the hash chain covers.
///
/// An encoder can be used for many commits, so that its buffers are allocated only once.
package struct CommitEncoder: Sendable {
  /// The commit as stored: byte count, link and body.
  package var stored = ByteWriter(reserving: 4_096)
  /// The erased form of the body, or of the part that hasn't been digested yet if the commit is
  /// large.
  package var erased = ByteWriter(reserving: 4_096)
  /// The salt, domain and personal values to be digested.
  var secret = ByteWriter(reserving: 512)
  /// The stored properties of the current change, if they aren't copied directly.
  var plainProperties = ByteWriter(reserving: 512)
  /// The erased form of the current change's properties.
  var erasedProperties = ByteWriter(reserving: 512)
  var salts: SaltSource

  let schema: Schema
  let limits: JournalLimits

  /// Creates an encoder; only test vectors pass other `salts`.
  package init(
    schema: Schema, limits: JournalLimits = .standard, salts: SaltSource = SaltSource()
  ) {
    self.schema = schema
    self.limits = limits
    self.salts = salts
  }

  /// The origin and clock value of a commit.
  package struct Origin: Sendable {
    var hlc: UInt64
    var replica: UInt64
    var sequence: UInt64

    package init(hlc: UInt64, replica: UInt64, sequence: UInt64) {
      self.hlc = hlc
      self.replica = replica
      self.sequence = sequence
    }
  }

  /// Encodes a draft into `stored`, and returns the digest of its body.
  ///
  /// The byte count and the link are zero until ``finish(link:)`` is called.
  package mutating func encode(_ draft: borrowing CommitDraft, origin: Origin) throws -> Hash256 {
    try begin(draft, origin: origin)
    var digest = Hash256.Stream()
    for index in draft.changes.indices {
      try put(draft.changes[index], at: index)
      if erased.bytes.count >= CommitEncoder.erasedByteCountMax {
        digest.update(erased.bytes.span.bytes)
        erased.bytes.removeAll(keepingCapacity: true)
      }
      try check(byteCount: stored.bytes.count, at: index, of: draft.changes.count)
    }
    digest.update(erased.bytes.span.bytes)
    return digest.finish()
  }

  /// Encodes the part before the changes.
  ///
  /// Writes placeholders for the byte count and link into `stored`, followed by the header. Writes
  /// the erased header into `erased`.
  mutating func begin(_ draft: borrowing CommitDraft, origin: Origin) throws {
    try check(draft)
    stored.bytes.removeAll(keepingCapacity: true)
    erased.bytes.removeAll(keepingCapacity: true)
    stored.u32be(0)
    stored.hash(.zero)
    try putHeader(draft, origin: origin)
  }

  /// Throws if a change has made the commit too large.
  func check(byteCount: Int, at index: Int, of count: Int) throws {
    guard byteCount <= limits.commitByteCountMax else {
      throw refusal(
        "The commit is larger than \(limits.commitByteCountMax) bytes at change \(index + 1) of"
          + " \(count); append it as several commits.")
    }
  }

  /// The number of bytes of the erased form that are collected before they are digested.
  private static let erasedByteCountMax = 1 << 16

  /// Whether the buffers are so large that they should be released instead of reused.
  var isLarge: Bool { stored.bytes.capacity > 1 << 22 }

  /// Replaces the placeholders with the byte count and link.
  package mutating func finish(link: Hash256) {
    let front = CommitEncoder.front(byteCount: stored.bytes.count, link: link)
    stored.bytes.replaceSubrange(0..<Layout.frontByteCount, with: front)
  }

  /// Returns the first bytes of a commit: its byte count, which doesn't count itself, and its link.
  ///
  /// - Parameter byteCount: The number of bytes of the commit, including these first bytes.
  static func front(byteCount: Int, link: Hash256) -> [UInt8] {
    var front = ByteWriter(reserving: Layout.frontByteCount)
    front.u32be(UInt32(truncatingIfNeeded: byteCount - Layout.countByteCount))
    front.hash(link)
    return front.bytes
  }

  private mutating func putHeader(_ draft: borrowing CommitDraft, origin: Origin) throws {
    let hasPrivate = !draft.author.isEmpty || draft.idempotencyKey != nil
    let start = stored.bytes.count
    stored.u8(Layout.bodyVersion)
    stored.u8(hasPrivate ? Layout.headerPrivate : 0)
    stored.u64be(origin.hlc)
    stored.u64be(UInt64(bitPattern: draft.wallMicroseconds))
    stored.u64be(origin.replica)
    stored.varint(origin.sequence)
    stored.string(draft.source)
    stored.varint(UInt64(draft.changes.count))
    try putKinds(draft)
    erased.bytes.append(contentsOf: stored.bytes[start...])
    guard hasPrivate else { return }
    erased.bytes[1] = Layout.headerErased
    secret.bytes.removeAll(keepingCapacity: true)
    salts.put(into: &secret)
    stored.bytes.append(contentsOf: secret.bytes)
    secret.u8(Layout.headerDomain)
    let content = secret.bytes.count
    secret.string(draft.author)
    if let key = draft.idempotencyKey {
      secret.varint(UInt64(key.count) + 1)
      secret.raw(key)
      secret.hash(draft.requestDigest ?? .zero)
    } else {
      secret.varint(0)
    }
    stored.bytes.append(contentsOf: secret.bytes[content...])
    erased.hash(Hash256(hashing: secret.bytes))
  }

  /// Encodes the kinds of the commit's changes, each with its version and personal tags.
  ///
  /// A process that lacks a kind, or defines it differently, can then still check the commit's
  /// digest.
  private mutating func putKinds(_ draft: borrowing CommitDraft) throws {
    var seen = TagSet()
    var last: UInt8 = 0
    for change in draft.changes where change.kind.rawValue != last {
      last = change.kind.rawValue
      seen.insert(last)
    }
    let kinds = seen.isEmpty ? [] : seen.tags
    stored.varint(UInt64(kinds.count))
    for number in kinds {
      guard let definition = schema[EntityKind(rawValue: number)] else {
        throw JournalError(
          .unknownKind,
          "Kind \(number) is not defined in this process, so no entity of it can be recorded; add "
            + "its KindDefinition to the schema.")
      }
      stored.u8(number)
      stored.u8(definition.newestVersion)
      let tags = definition.personalTags.isEmpty ? [] : definition.personalTags.tags
      stored.u8(UInt8(truncatingIfNeeded: tags.count))
      stored.raw(tags)
    }
  }

  private func check(_ draft: borrowing CommitDraft) throws {
    let author = draft.author.utf8.count
    let source = draft.source.utf8.count
    guard draft.changes.count <= limits.commitChangeCountMax else {
      throw refusal(
        "A commit can have at most \(limits.commitChangeCountMax) changes, but this one has "
          + "\(draft.changes.count); append it as several commits.")
    }
    guard author <= limits.authorByteCountMax else {
      throw refusal(
        "The author's name has \(author) bytes of UTF-8; the maximum is "
          + "\(limits.authorByteCountMax). Use a shorter name.")
    }
    guard source <= limits.sourceByteCountMax else {
      throw refusal(
        "The source's name has \(source) bytes of UTF-8; the maximum is "
          + "\(limits.sourceByteCountMax). Use a shorter name.")
    }
    guard let key = draft.idempotencyKey else { return }
    guard !key.isEmpty, key.count <= limits.idempotencyKeyByteCountMax else {
      throw refusal(
        "The idempotency key has \(key.count) bytes; it must have 1 to "
          + "\(limits.idempotencyKeyByteCountMax). Use a UUID, or a digest of a longer key.")
    }
    guard draft.requestDigest != nil else {
      throw refusal(
        "An idempotency key needs the digest of its request, so that another request under the "
          + "same key is detected; pass both.")
    }
  }

  func refusal(_ message: String, cause: (any Error)? = nil) -> JournalError {
    JournalError(.refused, message, cause: cause)
  }
}
