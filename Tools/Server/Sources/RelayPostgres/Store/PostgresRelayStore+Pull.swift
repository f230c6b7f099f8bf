public import DaybookEntities
public import DaybookSyncWire
import Relay

extension PostgresRelayStore {
  /// Returns the entries after a position: as many as fit in `byteCountMax` bytes, but at least
  /// one.
  public func pull(
    from ledger: EntityID, after position: UInt64, byteCountMax: Int
  ) async throws -> PullPage {
    let page = try await pull(from: ledger, token: nil, after: position, byteCountMax)
    guard let page else { throw PostgresFault.unreadable("no token").refusal }
    return page
  }

  /// Returns the entries after a position, or `nil` if the device is not accepted.
  public func pull(
    from ledger: EntityID, by token: Hash256, after position: UInt64, byteCountMax: Int
  ) async throws -> PullPage? {
    try await pull(from: ledger, token: token, after: position, byteCountMax)
  }

  private func pull(
    from ledger: EntityID, token: Hash256?, after position: UInt64, _ byteCountMax: Int
  ) async throws -> PullPage? {
    // The number of rows is limited to the number of small entries that fill a page. The query also
    // limits the total size.
    let countMax = min(WireLimits.pageEntryCountMax, byteCountMax / 256 + 1)
    let rows = try await run(
      Self.pulling,
      [
        .uuid(ledger), .int8(Int64(clamping: position)), .int8(Int64(byteCountMax)),
        .int8(Int64(countMax)), .bytea(token?.bytes ?? []),
      ])
    let found = try rows.map { (try $0.int8(0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    guard let first = found.first else { throw PostgresFault.unreadable("no row").refusal }
    let log = try PulledLog(first)
    guard log.isLetIn else { return nil }
    let entries = found.dropFirst()
    // A page that ends before the head may be covered by an earlier fence. The log's end and
    // refusals describe the current state, so they need a new fence.
    let isAmid =
      try position >= log.trimmed && (entries.last?.bits(0) ?? .max) < log.head ?? 0
    if !isAmid || !fence.covers(log.reign, changedBy: log.transaction) {
      try await pass(log.reign)
    }
    return try page(of: ledger, after: position, log, entries, byteCountMax: byteCountMax)
  }

  /// The statement that selects a log and its entries after a position.
  ///
  /// It selects as many entries as fit in the requested size, and one more.
  ///
  /// The entries usually arrive in order. The query doesn't sort them, because the server would
  /// sort a full page on disk. The log's row has the position -1, the head (null if there is no
  /// log), the link at the position if it is stored, and the array that ``PulledLog`` reads. All
  /// other rows are entries.
  private static let pulling = """
    select -1::int8 as place, l.head, case when l.trimmed = $2 then l.trimmed_link else
        (select link from entry where ledger = $1 and position = $2) end, null::bytea,
      array[reign(), pg_snapshot_xmax(pg_current_snapshot())::text::int8,
        coalesce(l.xmin::text::int8, 0), coalesce(l.floor, 0), coalesce(l.trimmed, 0),
        (octet_length($5) = 0 or exists (
          select 1 from device where token_hash = $5 and ledger = $1 and not is_revoked))::int::int8]
      from (select 1) one left join ledger l on l.id = $1
    union all
    select position, received, link, body, null from (
      select position, received, link, body,
        sum(octet_length(body) + 72) over (order by position rows unbounded preceding) as size
      from entry where ledger = $1 and position > $2 order by position limit $4
    ) e where size - octet_length(body) - 72 <= $3
    """

  private func page(
    of ledger: EntityID, after position: UInt64, _ log: PulledLog, _ entries: ArraySlice<Row>,
    byteCountMax: Int
  ) throws -> PullPage {
    guard let head = log.head else { throw RelayRefusal.unknown(ledger) }
    try LogBounds.checkPull(after: position, head: head, trimmed: log.trimmed)
    guard let link = log.link else { throw RelayDamage(ledger: ledger, position: position) }
    var page = PullPage(head: head, floor: log.floor, link: link, entries: [])
    var byteCount = 128
    for row in entries {
      let due = position + 1 + UInt64(page.entries.count)
      guard try row.bits(0) == due else { throw RelayDamage(ledger: ledger, position: due) }
      let entry = try SealedEntry(bytes: try row.bytes(3))
      byteCount += entry.bytes.count + 72
      guard page.entries.isEmpty || byteCount <= byteCountMax else { break }
      page.entries.append(
        PlacedEntry(position: due, received: try row.int8(1), entry: entry))
    }
    // The rows may extend beyond the page, so the link is that of the page's last entry.
    if let last = entries.prefix(page.entries.count).last { page.link = try last.hash(2) }
    guard !page.entries.isEmpty || position == head else {
      throw RelayDamage(ledger: ledger, position: position + 1)
    }
    return page
  }
}

/// A log's metadata at the time when its entries were read.
private struct PulledLog {
  /// The head; `nil` if there is no log.
  var head: UInt64?
  /// The link at the position after which entries were read; `nil` if it isn't stored.
  var link: Hash256?
  var reign: Int64
  /// The last transaction that changed the log.
  var transaction: Int64
  var floor: UInt64
  var trimmed: UInt64
  /// Whether the requesting device is accepted.
  var isLetIn: Bool

  init(_ row: Row) throws {
    let numbers = try row.int8s(4)
    guard numbers.count == 6 else { throw PostgresFault.unreadable("no log") }
    head = row.isNull(1) ? nil : try row.bits(1)
    link = row.isNull(2) ? nil : try row.hash(2)
    reign = numbers[0]
    // `xmin` is only the lower half of the transaction's number. A much older transaction may look
    // like a newer one, which costs an unnecessary fence.
    let (next, lower) = (numbers[1], numbers[2])
    transaction = next - Int64(UInt32(truncatingIfNeeded: next - lower))
    floor = UInt64(bitPattern: numbers[3])
    trimmed = UInt64(bitPattern: numbers[4])
    isLetIn = numbers[5] == 1
  }
}
