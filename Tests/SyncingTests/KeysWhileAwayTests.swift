// Goal: who was away for longer than the log is kept, while keys changed, gets the keys with the snapshot; who was turned
// away does not. Method: a household whose clock the test sets, whose relay lets go of what lies below the floor, and what
// the relay keeps, read with the keys of the one that was turned away.

import Daybook
import DaybookBookkeeping
import DaybookEntities
import DaybookSyncWire
import Testing

@testable import DaybookSync

@Suite struct KeysWhileAwayTests {
  private let day = 86_400.0

  private func open(_ name: String, _ sync: LedgerSync) async throws {
    try await sync.ledger.append(.openAccount(NewAccount(name: name, currency: .eur)))
  }

  private func names(_ sync: LedgerSync) throws -> [String] {
    try sync.ledger.read { try $0.accounts().map(\.name).sorted() }
  }

  /// A phone, a tablet that was away for a season with something unsent, and two that were turned away meanwhile, one
  /// after the other; the relay has let go of the log up to now.
  private func household() async throws -> Household {
    var household = Household()
    try await household.start(try await Ledger.inMemory())
    try await open("Cash", household.devices[0])
    for name in ["tablet", "laptop", "watch"] {
      try await household.join(try await Ledger.inMemory(), name: name)
    }
    try await household.settle()
    let phone = household.devices[0]
    try await open("Unsent", household.devices[1])
    try await phone.revoke(deviceName: "laptop")
    try await open("Bank", phone)
    try await household.devices[3].exchange()
    try await phone.revoke(deviceName: "watch")
    try await open("Secret", phone)
    household.pass(seconds: 91 * day)
    for _ in 0..<3 {
      household.pass(seconds: day + 1)
      try await phone.exchange()
    }
    try await phone.connected().alone { try await $0.sendSnapshot() }
    await household.relay.trim()
    return household
  }

  @Test func whoWasAwayGetsTheKeys() async throws {
    let household = try await household()
    let (phone, tablet) = (household.devices[0], household.devices[1])
    #expect(try tablet.options.secrets.load()?.keys.epochs == [1])
    try await tablet.exchange()
    #expect(tablet.state.hasRejoined)
    #expect(try tablet.options.secrets.load()?.keys == phone.options.secrets.load()?.keys)
    #expect(try tablet.options.secrets.load()?.keys.epochs == [1, 2, 3])
    try await phone.exchange()
    try await tablet.exchange()
    for device in [phone, tablet] {
      #expect(try names(device) == ["Bank", "Cash", "Secret", "Unsent"])
      #expect(try await device.ledger.verify().findings == [])
    }
    // What it records from now on is sealed with the newest key.
    let newest = try #require(await household.relay.entries.last)
    #expect(newest.entry.header.epoch == 3)
  }

  /// The keys outlive the process that got them, and an interruption of beginning anew.
  @Test func theyAreKept() async throws {
    let household = try await household()
    let tablet = household.devices[1]
    try await tablet.exchange()
    await tablet.disconnect()
    try await open("Later", household.devices[0])
    try await household.devices[0].exchange()
    try await tablet.exchange()
    #expect(try names(tablet) == ["Bank", "Cash", "Later", "Secret", "Unsent"])
  }

  @Test(arguments: [2, 3]) func whoWasTurnedAwayDoesNot(device: Int) async throws {
    let household = try await household()
    let gone = household.devices[device]
    await #expect(throws: SyncError.self) { try await gone.exchange() }
    // With all that the relay keeps, and its own token no obstacle.
    let transport = MemoryTransport(
      household.relay, token: try #require(try household.devices[0].options.secrets.load()?.token))
    let secrets = try #require(try gone.options.secrets.load())
    let reader = SnapshotReader(transport, secrets)
    let manifest = try await reader.manifest()
    var opened = 0
    for digest in manifest.chunks {
      let chunk = try await transport.chunk(digest)
      guard let content = try? chunk.open(ledger: secrets.ledger, ring: secrets.keys) else {
        continue
      }
      opened += 1
      var joiner = ChunkJoiner()
      for element in try joiner.add(content) {
        #expect(element.first == SnapshotDevices.keyElement)
        let entry = try EpochEntry(bytes: Array(element.dropFirst()))
        #expect(entry.wraps.count == 2)
        var taking = secrets
        try taking.take(entry, as: [try await gone.connected().own])
        #expect(taking == secrets)
      }
    }
    #expect(opened == 1)
    for placed in await household.relay.entries where placed.entry.header.epoch == 3 {
      #expect(throws: WireError.self) {
        try placed.entry.open(ledger: secrets.ledger, ring: secrets.keys)
      }
    }
  }

  /// Who joins by an invitation has all keys, also where some are older than the snapshot.
  @Test func whoJoinsLaterBegins() async throws {
    var household = try await household()
    let ledger = try await Ledger.inMemory()
    try await household.join(ledger, name: "desktop")
    #expect(try ledger.read { try $0.accounts().count } == 3)
    let keys = try household.devices[0].options.secrets.load()?.keys
    #expect(try household.devices[4].options.secrets.load()?.keys == keys)
  }
}
