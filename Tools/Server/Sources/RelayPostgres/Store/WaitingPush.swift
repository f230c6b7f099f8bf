import DaybookEntities
import DaybookSyncWire
import Relay

/// A push that is waiting to be placed in the log.
struct WaitingPush: Sendable {
  let ledger: EntityID
  let replica: UInt64
  /// The hash of the device's token, or `nil` if the device has already been checked.
  let token: Hash256?
  let now: Int64
  let entries: [SealedEntry]
  /// The time at which the push arrived.
  let since: ContinuousClock.Instant

  /// The maximum number of pushes in a transaction.
  ///
  /// PostgreSQL caches this number of subtransactions (`PGPROC_MAX_CACHED_SUBXIDS`).
  static let groupSizeMax = 64
  /// The maximum size of a push that shares a transaction, in bytes.
  ///
  /// A larger push would delay the others.
  static let sharedByteCountMax = 65_536

  init(
    _ page: PushPage, to ledger: EntityID, by token: Hash256?, now: Int64,
    since: ContinuousClock.Instant = .now
  ) throws(RelayRefusal) {
    guard let replica = page.entries.first?.header.replica else {
      throw RelayRefusal(.malformed, "A push must contain at least one entry.")
    }
    self.ledger = ledger
    self.replica = replica
    self.token = token
    self.now = now
    entries = page.entries
    self.since = since
  }

  /// Whether the push may share a transaction with other pushes.
  var isShared: Bool { entries.reduce(0) { $0 + $1.bytes.count } <= Self.sharedByteCountMax }

  private var bareFloor: Int64 { entries.count == 1 && entries[0].isBareFloor ? 1 : 0 }

  /// The statement that places one push or refuses it.
  ///
  /// It returns a row with the answer and the reign, or no row if the device is not accepted.
  static let statement = """
    with l as materialized (select $1::uuid as ledger where may_push($1, $2, $10))
    select positions, duplicates, head, link, received, reign()
    from l, lateral push(l.ledger, $2, $4, $5, $6, $7, $8, $3, $9)
    """

  /// The parameters of ``statement``.
  var values: [Value] {
    [.uuid(ledger), .bits(replica), .int8(now)] + Self.columns(entries)
      + [.int8(bareFloor), .bytea(token?.bytes ?? [])]
  }

  /// The statement that places several pushes, and skips pushes that can't be placed.
  ///
  /// It returns a row for each placed push, with the columns of ``statement`` and the push's
  /// number, counted from 1.
  static let statementForAll = """
    select positions, duplicates, head, link, received, reign(), place
    from push_all($1, $2, $3, $9, $10, $11, $4, $5, $6, $7, $8)
    """

  /// The parameters of ``statementForAll``.
  static func values(_ pushes: [WaitingPush]) -> [Value] {
    [
      .uuids(pushes.map(\.ledger)), .int8s(pushes.map { Int64(bitPattern: $0.replica) }),
      .byteas(pushes.map { $0.token?.bytes ?? [] }),
    ] + columns(pushes.flatMap(\.entries)) + [
      .int8s(pushes.map(\.now)), .int8s(pushes.map(\.bareFloor)),
      .int8s(pushes.map { Int64($0.entries.count) }),
    ]
  }

  /// The numbers, bases, floors, digests and bodies of entries.
  private static func columns(_ entries: [SealedEntry]) -> [Value] {
    let headers = entries.map(\.header)
    return [
      .int8s(headers.map { Int64(clamping: $0.number) }),
      .int8s(headers.map { Int64(clamping: $0.base) }),
      .int8s(headers.map { $0.kind == .floor ? Int64(clamping: $0.floor) : nil }),
      .byteas(entries.map(\.digest.bytes)), .byteas(entries.map(\.bytes)),
    ]
  }
}
