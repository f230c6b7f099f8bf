public import Entities
public import Relay
public import SyncWire

extension PostgresRelayStore {
  /// How a log stands; `nil` where none was ever here.
  public func moveState(of ledger: EntityID) async throws -> MoveState? {
    try await told(
      "select state, move, ticket, address from ledger where id = $1", [.uuid(ledger)]
    ).first.map { try MoveState($0) }
  }

  /// Takes a step of a move.
  public func take(_ step: MoveStep, of move: UInt64, of ledger: EntityID) async throws {
    try await moving { connection in
      guard let state = try Self.lock(ledger, connection) else {
        throw RelayRefusal.unknown(ledger)
      }
      let next = try state.after(step, of: move)
      _ = try connection.run(
        "update ledger set state = $2, move = $3, ticket = $4, address = $5 where id = $1",
        [
          .uuid(ledger), .text(next.phase.rawValue), .bits(next.number), .bits(next.ticket),
          .text(next.address),
        ])
    }
  }

  /// Makes a log that arrives, and holds nothing but where it begins.
  public func prepare(
    _ ledger: EntityID, move: UInt64, from trimmed: LogEnd
  ) async throws -> UInt64 {
    try await moving { connection in
      if let state = try Self.lock(ledger, connection) {
        if state.number == move, state.phase == .arriving { return state.ticket }
        guard state.phase == .moved, state.number <= move else { throw MoveFault.overtaken(state) }
      }
      let left = try connection.run(
        """
        select exists(select 1 from entry where ledger = $1) or exists(select 1 from chunk where ledger = $1)
          or exists(select 1 from replica where ledger = $1)
        """, [.uuid(ledger)])
      guard try left.first?.bool(0) == false else {
        throw MoveFault.incomplete("rows of an earlier log of this ledger are there")
      }
      let ticket = UInt64.random(in: 1...(1 << 53) - 1)
      let made = try connection.run(
        """
        insert into ledger as l
          (id, head, received, link, trimmed, trimmed_received, trimmed_link, quota, incarnation, state, move, ticket)
        values ($1, $2, $3, $4, $2, $3, $4, 0, 0, 'arriving', $5, $6)
        on conflict (id) do update set head = $2, received = $3, link = $4, trimmed = $2, trimmed_received = $3,
          trimmed_link = $4, state = 'arriving', move = $5, ticket = $6
          where l.state = 'moved'
        returning ticket
        """,
        [
          .uuid(ledger), .bits(trimmed.position), .int8(trimmed.received), .hash(trimmed.link),
          .bits(move), .bits(ticket),
        ])
      // Somebody else made it since it was looked for.
      guard !made.isEmpty else { throw MoveFault.incomplete("another move began there") }
      return ticket
    }
  }

  /// Puts entries that come next into a log that arrives.
  public func place(_ entries: [PlacedEntry], of ledger: EntityID, ticket: UInt64) async throws {
    try await moving { connection in
      var end = try Self.arriving(ledger, ticket, connection)
      let new = entries.filter { $0.position > end.position }
      var links: [Hash256] = []
      for placed in new {
        guard placed.position == end.position + 1 else {
          throw MoveFault.incomplete("entry \(end.position + 1) was left out")
        }
        let header = placed.entry.header
        end = end.appending(
          replica: header.replica, number: header.number, received: placed.received,
          digest: placed.entry.digest)
        links.append(end.link)
      }
      if new.isEmpty { return }
      _ = try connection.run(
        """
        insert into entry (ledger, position, replica, number, received, digest, link, body)
        select $1, * from unnest($2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::bytea[], $7::bytea[], $8::bytea[])
        """,
        [
          .uuid(ledger), .int8s(new.map { Int64(bitPattern: $0.position) }),
          .int8s(new.map { Int64(bitPattern: $0.entry.header.replica) }),
          .int8s(new.map { Int64(bitPattern: $0.entry.header.number) }),
          .int8s(new.map(\.received)), .byteas(new.map(\.entry.digest.bytes)),
          .byteas(links.map(\.bytes)), .byteas(new.map(\.entry.bytes)),
        ])
      _ = try connection.run(
        "update ledger set head = $2, received = $3, link = $4 where id = $1",
        [.uuid(ledger), .bits(end.position), .int8(end.received), .hash(end.link)])
    }
  }

  /// Puts a chunk of a snapshot into a log that arrives.
  public func place(_ chunk: SealedEntry, of ledger: EntityID, ticket: UInt64) async throws {
    try await moving { connection in
      _ = try Self.arriving(ledger, ticket, connection)
      _ = try connection.run(
        "insert into chunk (ledger, digest, base, body) values ($1, $2, $3, $4) on conflict do nothing",
        [
          .uuid(ledger), .hash(chunk.digest), .bits(chunk.header.base), .bytea(chunk.bytes),
        ])
    }
  }

  /// Deletes entries, chunks and what belongs to them of a log that has moved.
  public func erase(_ ledger: EntityID, rowCountMax: Int) async throws -> Int {
    try await moving { connection in
      guard try Self.lock(ledger, connection)?.phase == .moved else { throw MoveFault.stillHere }
      for (table, key) in [
        ("entry", "position"), ("chunk", "digest"), ("replica", "replica"),
        ("invitation", "mailbox"),
      ] {
        let gone = try connection.run(
          """
          delete from \(table) where ledger = $1 and \(key) in
            (select \(key) from \(table) where ledger = $1 order by \(key) limit $2) returning 1::int8
          """, [.uuid(ledger), .int8(Int64(rowCountMax))])
        if gone.isEmpty { continue }
        _ = try connection.run(
          """
          update ledger set trimmed = head, trimmed_received = received, trimmed_link = link, floor = 0,
            snapshot = 0, manifest = null, byte_count = 0 where id = $1
          """, [.uuid(ledger)])
        return gone.count
      }
      return 0
    }
  }

  // MARK: Transactions

  /// How long a transaction of a move may take, in seconds.
  private static let movingSeconds = 600.0

  /// Runs a transaction that may change what is not open.
  func moving<Result: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Result
  ) async throws -> Result {
    do {
      return try await pool.run(deadline: Self.movingSeconds) { connection in
        try connection.transaction {
          _ = try connection.run(
            "select set_config('daybook.moving', 'on', true), set_config('lock_timeout', '5s', true)"
          )
          return try body(connection)
        }
      }
    } catch let fault as PostgresFault {
      throw fault.refusal
    }
  }

  /// How a log stands, which nobody else changes until this transaction ends; `nil` where there is none.
  private static func lock(
    _ ledger: EntityID, _ connection: PostgresConnection
  ) throws -> MoveState? {
    try connection.run(
      "select state, move, ticket, address from ledger where id = $1 for update", [.uuid(ledger)]
    ).first.map { try MoveState($0) }
  }

  /// Where a log ends that arrives by this move.
  static func arriving(
    _ ledger: EntityID, _ ticket: UInt64, _ connection: PostgresConnection
  ) throws -> LogEnd {
    let state = try lock(ledger, connection) ?? MoveState()
    guard state.phase == .arriving, state.ticket == ticket else {
      throw MoveFault.overtaken(state)
    }
    let found = try connection.run(
      "select head, link, received from ledger where id = $1", [.uuid(ledger)])
    guard let row = found.first else { throw RelayRefusal.unknown(ledger) }
    return try row.logEnd(0)
  }
}

extension MoveState {
  /// From a row that begins with state, move, ticket and address.
  init(_ row: Row, at column: Int = 0) throws {
    guard let phase = Phase(rawValue: try row.text(column)) else {
      throw PostgresFault.unreadable("no state of a log")
    }
    self.init(
      phase: phase, number: try row.bits(column + 1), ticket: try row.bits(column + 2),
      address: try row.text(column + 3))
  }
}
