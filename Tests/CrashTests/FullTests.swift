/// Goal: where there is no room, an append says so, nothing that was acknowledged is lost, and work
/// goes on once there is room.
/// Method: a limit on the size of files stands in for a full disk, in a child of its own; a small
/// reserved address space for a full map.
import Daybook
import DaybookPlatform
import DaybookRandom
import Foundation
import Testing

@Suite struct FullTests {
  @Test func aFullDiskIsSaidAndWorkGoesOnAfterwards() async throws {
    let place = try Place()
    let path = place.ledger
    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let (ledger, account) = try await Child.open(path)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
      let unlimited = limit
      limit.rlim_cur = 600_000
      setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
      let acks = AckFile(of: path)
      var random = SeededGenerator(seed: 1)
      var mine: [TransactionID] = []
      var refusal: (any Error)?
      for index in 0..<20_000 where refusal == nil {
        do {
          try await Child.step(ledger, account, acks, "full \(index)", &mine, &random)
        } catch {
          refusal = error
        }
      }
      let code = (refusal as? DaybookError)?.code
      guard code == .full else {
        print("expected the code full, found \(String(describing: refusal))")
        exit(1)
      }
      limit = unlimited
      setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
      for index in 0..<5 {
        try await Child.step(ledger, account, acks, "room again \(index)", &mine, &random)
      }
      try await ledger.close()
      exit(0)
    }
    try await inspect(path, seed: 0)
  }

  @Test func aFullMapIsSaidAndWorkGoesOnWithALargerOne() async throws {
    let place = try Place()
    let path = place.ledger
    let (ledger, account) = try await Child.open(path) { $0.mapByteCount = 1 << 20 }
    var random = SeededGenerator(seed: 2)
    var mine: [TransactionID] = []
    var refusal: (any Error)?
    for index in 0..<20_000 where refusal == nil {
      do {
        try await Child.step(
          ledger, account, AckFile(of: path), "map \(index)", &mine, &random)
      } catch {
        refusal = error
      }
    }
    let error = try #require(refusal as? DaybookError)
    #expect(error.code == .full)
    #expect(!error.message.isEmpty)
    try await ledger.close()
    try await inspect(path, seed: 0)
    let (again, _) = try await Child.open(path)
    try await Child.step(again, account, AckFile(of: path), "again", &mine, &random)
    try await again.close()
    try await inspect(path, seed: 0)
  }
}
