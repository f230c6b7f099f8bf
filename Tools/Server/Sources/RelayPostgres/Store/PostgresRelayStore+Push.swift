public import Entities
import Relay
public import SyncWire

extension PostgresRelayStore {
  /// Puts a replica's entries into the log, in order, all or none.
  public func push(
    _ page: PushPage, to ledger: EntityID, now: Int64
  ) async throws -> PushAnswer {
    guard let answer = try await push(page, to: ledger, token: nil, now) else {
      throw PostgresFault.unreadable("no row").refusal
    }
    return answer
  }

  /// The same for a device that is let in, and has pushed as the replica before.
  public func push(
    _ page: PushPage, to ledger: EntityID, by token: WireHash, now: Int64
  ) async throws -> PushAnswer? {
    try await push(page, to: ledger, token: token, now)
  }

  private static let pushing = """
    with l as materialized (
      select $1::uuid as ledger where octet_length($10) = 0 or exists (
        select 1 from device d join replica r on r.ledger = d.ledger and r.token_hash = d.token_hash
        where d.token_hash = $10 and d.ledger = $1 and not d.is_revoked and r.replica = $2))
    select positions, duplicates, head, link, received, reign()
    from l, lateral push(l.ledger, $2, $3, $4, $5, $6, $7, $8, $9)
    """

  private func push(
    _ page: PushPage, to ledger: EntityID, token: WireHash?, _ now: Int64
  ) async throws -> PushAnswer? {
    guard let replica = page.entries.first?.header.replica else {
      throw RelayRefusal(.malformed, "A push has at least one entry.")
    }
    let headers = page.entries.map(\.header)
    let start = ContinuousClock.now
    let found = try await run(
      Self.pushing,
      [
        .uuid(ledger), .bits(replica), .int8s(headers.map { Int64(clamping: $0.number) }),
        .int8s(headers.map { Int64(clamping: $0.base) }),
        .int8s(headers.map { $0.kind == .floor ? Int64(clamping: $0.floor) : nil }),
        .byteas(page.entries.map(\.digest.bytes)), .byteas(page.entries.map(\.bytes)), .int8(now),
        .int8(page.entries.count == 1 && page.entries[0].isBareFloor ? 1 : 0),
        .bytea(token?.bytes ?? []),
      ])
    guard let row = found.first else { return nil }
    let answer = PushAnswer(
      positions: try row.int8s(0).map { UInt64(bitPattern: $0) }, duplicates: Int(try row.int8(1)),
      end: LogEnd(
        position: try row.bits(2), link: try row.hash(3), received: try row.int8(4)))
    if answer.duplicates == page.entries.count {
      // Nothing was written, so nothing says that standbys have them.
      try await pass(row.int8(5))
    } else {
      commitTimes.count(ContinuousClock.now - start)
      calls.told(ledger, head: answer.end.position)
    }
    return answer
  }
}
