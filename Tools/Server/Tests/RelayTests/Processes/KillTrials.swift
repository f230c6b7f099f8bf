// Goal: a relay that is killed at any moment loses and moves nothing that it answered for, and nothing that anybody read
// changes.
// Method: a real process is killed again and again, from 1 ms after it was started on, while devices push under their push
// numbers, and push again what was not answered, others read, and one raises the floor, so that the relay trims whenever it
// starts. Afterwards the log is compared with what each of them was told. DAYBOOK_RELAY_TRIALS sets how many kills (12 by
// default).

import DaybookEntities
import DaybookRandom
import DaybookSyncWire
import Foundation
import Synchronization
import Testing

@testable import Relay

private let killCount =
  ProcessInfo.processInfo.environment["DAYBOOK_RELAY_TRIALS"].flatMap { Int($0) } ?? 12

@Suite struct KillTrials {
  /// Kills of one relay, one after another.
  private static let roundCount = 12

  @Test(arguments: Array(0..<(killCount + roundCount - 1) / roundCount))
  func nothingThatWasAnsweredIsLostOrMoved(_ series: Int) async throws {
    var random = SeededGenerator(seed: UInt64(series))
    let scratch = Scratch()
    let port = anyPort()
    let devices = try await admit(6, scratch.path)
    let pushers = (0..<3).map {
      Pusher(
        RelayClient(port: port, token: devices[$0]), replica: UInt64($0 + 1), seed: UInt64(series))
    }
    let readers = (3..<5).map { Reader(RelayClient(port: port, token: devices[$0])) }
    let keeper = FloorKeeper(RelayClient(port: port, token: devices[5]), replica: 9)
    for _ in 0..<Self.roundCount {
      let process = try RelayProcess(folder: scratch.path, port: port)
      // Every fourth is killed while it starts, the others once some push was answered.
      let isEarly = Int.random(in: 0..<4, using: &random) == 0
      if !isEarly { try await process.becomesReady(readers[0].client) }
      let wait = Int.random(in: 1...30, using: &random)
      let (answers, answered) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let life = Life()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for pusher in pushers {
          group.addTask {
            defer { answered.finish() }
            try await pusher.goOn(life) { answered.yield() }
          }
        }
        for reader in readers { group.addTask { try await reader.goOn(life) } }
        group.addTask { try await keeper.goOn(life, pushers, readers) }
        if !isEarly { for await _ in answers { break } }
        try await Task.sleep(for: .milliseconds(wait))
        await process.kill()
        life.end()
        try await group.waitForAll()
      }
    }
    let answeredCount = pushers.reduce(0) { $0 + $1.answeredCount }
    let process = try RelayProcess(folder: scratch.path, port: port)
    try await process.becomesReady(readers[0].client)
    // What was not answered before is placed once, whether it was there or not.
    for pusher in pushers {
      for _ in 0..<3 { try await untilAnswered { try await pusher.push() } }
    }
    for reader in readers { try await untilAnswered { try await reader.readToHead() } }
    try await untilAnswered { try await keeper.raise(pushers, readers) }
    for command in ["trim", "verify"] {
      let ended = try await RelayProcess.run(command, "--folder", scratch.path)
      #expect(ended.status == 0, "\(ended.text)")
    }
    for reader in readers { try await reader.readToHead() }
    #expect(readers[0].hasReadTheSame(as: readers[1]), "seed \(series): what was read has changed")
    let start = try await keeper.trimmedPosition()
    let rest = Reader(readers[0].client, behind: start, of: readers[1])
    try await rest.readToHead()
    #expect(start > 0 && readers[0].endsWith(rest), "seed \(series): what was read has changed")
    for pusher in pushers {
      #expect(readers[0].hasPlaced(pusher), "seed \(series): what was answered is lost or moved")
    }
    await process.kill()
    if killCount > Self.roundCount {
      print(
        "seed \(series): \(Self.roundCount) kills, \(answeredCount) entries answered for, "
          + "\(start) let go")
    }
  }

  private func admit(_ count: Int, _ folder: String) async throws -> [String] {
    let store = try EmbeddedRelayStore.open(folder: folder)
    try await store.makeLedger(ledger, quota: 1 << 30)
    let tokens = (0..<count).map { _ in DeviceToken.make() }
    for token in tokens {
      try await store.addDevice(
        RelayDevice(ledger: ledger, tokenHash: DeviceToken.hash(token), name: "Device"))
    }
    try await store.close()
    return tokens
  }
}
