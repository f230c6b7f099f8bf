public import DaybookEntities
public import DaybookSyncWire
import Relay

extension PostgresRelayStore {
  /// Stores a chunk of a snapshot under its digest.
  ///
  /// Does nothing if there is a snapshot with the same or a later base.
  public func putChunk(_ chunk: SealedEntry, of ledger: EntityID) async throws {
    guard chunk.header.kind == .chunk else {
      throw RelayRefusal(.malformed, "Expected a chunk of a snapshot, not \(chunk.header.kind).")
    }
    // If the chunk doesn't have to be stored, nothing is written, so the result must be fenced.
    _ = try await told(
      "select 1 from (select put_chunk($1, $2, $3, $4)) done",
      [
        .uuid(ledger), .hash(chunk.digest), .int8(Int64(clamping: chunk.header.base)),
        .bytea(chunk.bytes),
      ])
  }

  /// Returns the chunk that has the given digest.
  public func chunk(_ digest: Hash256, of ledger: EntityID) async throws -> SealedEntry {
    let found = try await told(
      "select body from chunk where ledger = $1 and digest = $2", [.uuid(ledger), .hash(digest)])
    guard let row = found.first else {
      throw RelayRefusal(.notFound, "The chunk \(digest) doesn't exist.")
    }
    return try SealedEntry(bytes: try row.bytes(0))
  }

  /// Makes a manifest the newest one, if all of its chunks are stored.
  ///
  /// Does nothing if there is a manifest with the same or a later base.
  public func putManifest(
    _ manifest: SealedEntry, chunks: [Hash256], of ledger: EntityID
  ) async throws {
    guard manifest.header.kind == .manifest else {
      throw RelayRefusal(.malformed, "Expected a manifest, not \(manifest.header.kind).")
    }
    _ = try await told(
      "select 1 from (select put_manifest($1, $2, $3, $4)) done",
      [
        .uuid(ledger), .int8(Int64(clamping: manifest.header.base)), .bytea(manifest.bytes),
        .byteas(chunks.map(\.bytes)),
      ])
  }

  /// Returns the newest manifest.
  public func manifest(of ledger: EntityID) async throws -> SealedEntry {
    let found = try await told("select id, manifest from ledger where id = $1", [.uuid(ledger)])
    guard let row = found.first else { throw RelayRefusal.unknown(ledger) }
    guard !row.isNull(1) else { throw RelayRefusal(.notFound, "The ledger has no snapshot.") }
    return try SealedEntry(bytes: try row.bytes(1))
  }

  /// Stores an invitation until it is taken or expires.
  public func putInvitation(
    _ invitation: SealedEntry, mailbox: String, of ledger: EntityID, now: Int64
  ) async throws {
    guard invitation.header.kind == .invitation, mailbox.utf8.count == 32 else {
      throw RelayRefusal(.malformed, "The invitation or its mailbox is malformed.")
    }
    _ = try await run(
      "select put_invitation($1, $2, $3, $4, $5, $6)",
      [
        .text(mailbox), .uuid(ledger), .int8(now),
        .int8(now + Int64(WireLimits.pairingSeconds) * 1_000_000), .bytea(invitation.bytes),
        .int8(Int64(EmbeddedRelayStore.invitationCountMax)),
      ])
  }

  /// Removes and returns an invitation; it can be taken only once.
  public func takeInvitation(mailbox: String, now: Int64) async throws -> SealedEntry {
    let found = try await told(
      "delete from invitation where mailbox = $1 returning expires, body", [.text(mailbox)],
      fencing: .ifEmpty)
    guard let row = found.first, now < (try row.int8(0)) else {
      throw RelayRefusal(
        .notFound,
        "The invitation was already used, or it expired after ten minutes. Create a new one.")
    }
    return try SealedEntry(bytes: try row.bytes(1))
  }

  /// Deletes expired invitations.
  public func expireInvitations(now: Int64) async throws {
    _ = try await run("delete from invitation where expires <= $1", [.int8(now)])
  }
}
