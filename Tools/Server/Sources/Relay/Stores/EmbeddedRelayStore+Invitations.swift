public import DaybookEntities
public import DaybookSyncWire

extension EmbeddedRelayStore {
  /// The maximum number of pending invitations of a ledger.
  public static let invitationCountMax = 16

  /// Stores an invitation until it is taken or expires.
  public func putInvitation(
    _ invitation: SealedEntry, mailbox: String, of ledger: EntityID, now: Int64
  ) async throws {
    guard invitation.header.kind == .invitation, mailbox.utf8.count == 32 else {
      throw RelayRefusal(.malformed, "The invitation or its mailbox is malformed.")
    }
    try await rows.write { rows in
      _ = try rows.row(of: ledger)
      if let taken = try rows.invitation(mailbox), taken.ledger != ledger {
        throw RelayRefusal(.malformed, "The mailbox belongs to another ledger.")
      }
      try rows.expireInvitations(of: ledger, now: now)
      let others = try rows.invitations(of: ledger).filter {
        $0.mailbox != mailbox && $0.expires > now
      }
      guard others.count < Self.invitationCountMax else {
        let next = others.map(\.expires).min() ?? now
        throw RelayRefusal(
          .tooMany, "The ledger already has \(others.count) open invitations. Try again later.",
          retryAfter: Int((next - now) / 1_000_000) + 1)
      }
      let expires = now + Int64(WireLimits.pairingSeconds) * 1_000_000
      rows.put(InvitationRow(expires: expires, ledger: ledger, entry: invitation), mailbox: mailbox)
    }
  }

  /// Removes and returns an invitation; it can be taken only once.
  public func takeInvitation(mailbox: String, now: Int64) async throws -> SealedEntry {
    let refusal = RelayRefusal(
      .notFound,
      "The invitation was already used, or it expired after ten minutes. Create a new one.")
    // The caller has no token, so requests for empty mailboxes must not occupy the writer.
    guard try await rows.read({ try $0.get(RowKeys.invitation(mailbox)) }) != nil else {
      throw refusal
    }
    let found = try await rows.write { rows in
      let found = try rows.invitation(mailbox)
      if let found { rows.deleteInvitation(mailbox, of: found.ledger) }
      return found
    }
    guard let found, now < found.expires else { throw refusal }
    return found.entry
  }

  /// Deletes expired invitations.
  public func expireInvitations(now: Int64) async throws {
    let isOver = try await rows.read { rows in
      var isOver = false
      try rows.scan(RowKeys.table("J"), RowKeys.table("J")) { _, value in
        isOver = try RelayRows.time(value) <= now
        return !isOver
      }
      return isOver
    }
    if isOver { try await rows.write { try $0.expireInvitations(of: nil, now: now) } }
  }
}

/// A stored invitation: its expiry as an Int64, the ledger's id, and the entry's bytes.
struct InvitationRow {
  var expires: Int64
  var ledger: EntityID
  var entry: SealedEntry
}

extension RelayRows {
  func invitation(_ mailbox: String) throws -> InvitationRow? {
    guard let bytes = try get(RowKeys.invitation(mailbox)) else { return nil }
    var reader = ByteReader(bytes)
    return InvitationRow(
      expires: Int64(bitPattern: try reader.u64be()), ledger: try reader.id(),
      entry: try SealedEntry(bytes: try reader.bytes(bytes.count - reader.offset)))
  }

  mutating func put(_ row: InvitationRow, mailbox: String) {
    var writer = ByteWriter(reserving: row.entry.bytes.count + 24)
    writer.u64be(UInt64(bitPattern: row.expires))
    writer.id(row.ledger)
    writer.raw(row.entry.bytes)
    put(RowKeys.invitation(mailbox), writer.bytes)
    var time = ByteWriter(reserving: 8)
    time.u64be(UInt64(bitPattern: row.expires))
    put(RowKeys.mailbox(row.ledger, mailbox), time.bytes)
  }

  mutating func deleteInvitation(_ mailbox: String, of ledger: EntityID) {
    delete(RowKeys.invitation(mailbox))
    delete(RowKeys.mailbox(ledger, mailbox))
  }

  /// Returns the stored invitations of one ledger or of all ledgers, without those that this change
  /// wrote.
  func invitations(
    of ledger: EntityID?
  ) throws -> [(mailbox: String, ledger: EntityID, expires: Int64)] {
    var found: [(mailbox: String, ledger: EntityID, expires: Int64)] = []
    let table = RowKeys.table("J", ledger)
    try scan(table, table) { key, value in
      var reader = ByteReader(key)
      _ = try reader.u8()
      let ledger = try reader.id()
      let mailbox = String(decoding: try reader.bytes(32), as: UTF8.self)
      found.append((mailbox, ledger, try Self.time(value)))
      return true
    }
    return found
  }

  /// Deletes the expired invitations of one ledger or of all ledgers.
  fileprivate mutating func expireInvitations(of ledger: EntityID?, now: Int64) throws {
    for one in try invitations(of: ledger) where one.expires <= now {
      deleteInvitation(one.mailbox, of: one.ledger)
    }
  }

  fileprivate static func time(_ bytes: [UInt8]) throws -> Int64 {
    var reader = ByteReader(bytes)
    return Int64(bitPattern: try reader.u64be())
  }
}
