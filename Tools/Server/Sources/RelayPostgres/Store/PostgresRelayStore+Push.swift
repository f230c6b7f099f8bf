public import Entities
import Relay
public import SyncWire

extension PostgresRelayStore {
  /// Puts a replica's entries into the log, in order, all or none.
  public func push(
    _ page: PushPage, to ledger: EntityID, now: Int64
  ) async throws -> PushAnswer {
    let push = try WaitingPush(page, to: ledger, by: nil, now: now)
    guard let answer = try await answer(push) else {
      throw PostgresFault.unreadable("no row").refusal
    }
    return answer
  }

  /// The same for a device that is let in, and has pushed as the replica before.
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
      // Nothing was written, so nothing says that standbys have them.
      try await pass(row.int8(5))
    } else {
      commitTimes.count(ContinuousClock.now - push.since)
      calls.told(push.ledger, head: answer.end.position)
    }
    return answer
  }

  /// Places a push with others that come at the same time; `nil` where the device is not let in.
  func placeTogether(_ push: WaitingPush) async throws -> Row? {
    guard pushes.waitingCount < pool.waitingMax else { throw PostgresFault.deadline(0).refusal }
    return try await withCheckedThrowingContinuation { continuation in
      pushes.ask(push, continuation) { await place($0) }
    }
  }

  /// Places a push in a transaction of its own; `nil` where the device is not let in.
  private func placeAlone(_ push: WaitingPush) async throws -> Row? {
    try await run(WaitingPush.statement, push.values).first
  }

  /// Places pushes in one transaction.
  ///
  /// What cannot be placed so is pushed alone: its ledger is held by somebody, or it is to be refused. Nobody else waits
  /// for those. What has waited too long already is not tried any more.
  private func place(_ waiting: [Gathering<WaitingPush, Row?>.Asked]) async {
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
        // Whether it happened is not known, of none of them.
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

  private func tellAlone(_ one: Gathering<WaitingPush, Row?>.Asked) async {
    do {
      one.tell(.success(try await placeAlone(one.question)))
    } catch {
      one.tell(.failure(error))
    }
  }
}
