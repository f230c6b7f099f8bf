public import DaybookEntities
public import DaybookSyncWire
import Relay

extension PostgresRelayStore {
  /// Appends a replica's entries to the log, in order: all of them or none.
  public func push(
    _ page: PushPage, to ledger: EntityID, now: Int64
  ) async throws -> PushAnswer {
    let push = try WaitingPush(page, to: ledger, by: nil, now: now)
    guard let answer = try await answer(push) else {
      throw PostgresFault.unreadable("no row").refusal
    }
    return answer
  }

  /// Pushes for an accepted device that has pushed as this replica before; otherwise, returns
  /// `nil`.
  public func push(
    _ page: PushPage, to ledger: EntityID, by token: Hash256, now: Int64
  ) async throws -> PushAnswer? {
    try await answer(WaitingPush(page, to: ledger, by: token, now: now))
  }

  private func answer(_ push: WaitingPush) async throws -> PushAnswer? {
    guard let row = push.isShared ? try await placeTogether(push) : try await placeAlone(push)
    else { return nil }
    let answer = PushAnswer(
      positions: try row.int8s(0).map { UInt64(bitPattern: $0) }, duplicates: Int(try row.int8(1)),
      end: try row.logEnd(2))
    if answer.duplicates == push.entries.count {
      // Nothing was written, so only a fence can show that standbys have the entries.
      try await pass(row.int8(5))
    } else {
      commitTimes.count(ContinuousClock.now - push.since)
      calls.told(push.ledger, head: answer.end.position)
    }
    return answer
  }

  /// Places a push in a transaction with other pushes; returns `nil` if the device is not accepted.
  func placeTogether(_ push: WaitingPush) async throws -> Row? {
    guard pushes.waitingCount < pool.waitingMax else { throw PostgresFault.deadline(0).refusal }
    return try await withCheckedThrowingContinuation { continuation in
      pushes.ask(push, continuation) { await place($0) }
    }
  }

  /// Places a push in its own transaction; returns `nil` if the device is not accepted.
  private func placeAlone(_ push: WaitingPush) async throws -> Row? {
    try await run(WaitingPush.statement, push.values).first
  }

  /// Places pushes in one transaction.
  ///
  /// A push whose ledger is locked, or that would be refused, is placed alone afterwards, so that
  /// no other push waits for it. A push that has waited longer than the deadline fails without
  /// being tried.
  private func place(_ waiting: [Batcher<WaitingPush, Row?>.Asked]) async {
    let due = ContinuousClock.now - .seconds(pool.deadline)
    for one in waiting where one.question.since < due {
      one.tell(.failure(PostgresFault.deadline(pool.deadline).refusal))
    }
    let group = waiting.filter { $0.question.since >= due }
    if group.isEmpty { return }
    var placed: [Int64: Row] = [:]
    do {
      let values = WaitingPush.values(group.map(\.question))
      for row in try await pool.run({ try $0.run(WaitingPush.statementForAll, values) }) {
        placed[try row.int8(6)] = row
      }
    } catch {
      let fault = error as? PostgresFault
      guard case .statement = fault else {
        // The outcome of the whole group is unknown.
        for one in group { one.tell(.failure(fault?.refusal ?? error)) }
        return
      }
    }
    for (index, one) in group.enumerated() {
      if let row = placed[Int64(index + 1)] {
        one.tell(.success(row))
      } else {
        Task { await tellAlone(one) }
      }
    }
  }

  private func tellAlone(_ one: Batcher<WaitingPush, Row?>.Asked) async {
    do {
      one.tell(.success(try await placeAlone(one.question)))
    } catch {
      one.tell(.failure(error))
    }
  }
}
