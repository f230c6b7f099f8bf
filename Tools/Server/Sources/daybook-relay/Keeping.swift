import ArgumentParser
import Entities
import Foundation
import Relay
import RelayPostgres
import RelayServer
import SyncWire

struct Init: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a log for a ledger, and a token for its first device.",
    discussion: "The token is shown once; the relay keeps its hash only.")

  @OptionGroup var place: StoreOption
  @Argument(
    help: "The ledger's id at this relay: 32 hexadecimal digits. Default: a new one.",
    transform: ledgerID) var ledger: EntityID?
  @Option(help: "How many MiB the ledger may hold.") var quota = 1_024
  @Option(help: "What the first device is called.") var device = "first device"

  func validate() throws {
    guard (1...1 << 30).contains(quota) else {
      throw ValidationError("--quota is a number of MiB from 1 on.")
    }
  }

  func run() async throws {
    try await failing {
      let store = try await place.open(makes: true)
      let ledger =
        self.ledger ?? EntityID(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
      try await store.makeLedger(ledger, quota: UInt64(quota) << 20)
      let token = try await store.letIn(device, to: ledger)
      print(
        """
        Made a log for the ledger \(ledger). Its first device, once the relay serves:

          daybook sync start --relay ADDRESS --token \(token)

        The token is not shown again.
        """)
    }
  }
}

struct Devices: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List a ledger's devices, let one in, or turn one away.",
    discussion: """
      A device that is turned away pushes and pulls no more. What it has read, it has, and it still has the key: \
      `daybook sync devices --revoke` on another device takes care of both.
      """)

  @OptionGroup var place: StoreOption
  @Argument(
    help: "The ledger's id: 32 hexadecimal digits. Default: the relay's only one.",
    transform: ledgerID) var ledger: EntityID?
  @Option(help: "Let a device of this name in, and show its token.") var add: String?
  @Option(help: "Turn the device away whose token's hash begins so.") var revoke: String?

  func run() async throws {
    try await failing {
      let store = try await place.open()
      let ledger = try await meant(self.ledger, by: store)
      if let add { return print(try await store.letIn(add, to: ledger)) }
      if let revoke { try await turnAway(revoke, of: ledger, store) }
      for device in try await store.devices(of: ledger) {
        let replica = device.replicas.last.map { String($0, radix: 16) } ?? "has not pushed"
        let hash = device.tokenHash.description.prefix(12)
        print("\(hash)  \(device.name)  \(replica)\(device.isRevoked ? "  revoked" : "")")
      }
    }
  }

  private func turnAway(
    _ prefix: String, of ledger: EntityID, _ store: any RelayStore
  ) async throws {
    let meant = try await store.devices(of: ledger).filter {
      $0.tokenHash.description.hasPrefix(prefix.lowercased())
    }
    guard meant.count == 1, !prefix.isEmpty else {
      throw ValidationError(
        "The hashes of \(meant.count) devices begin with “\(prefix)”; nobody was turned away.")
    }
    _ = try await store.revoke(meant[0].tokenHash, of: ledger)
  }
}

struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a copy of the relay to a new folder, while it serves.",
    discussion:
      "A PostgreSQL cluster is backed up by pg_basebackup and its archive of WAL: Docs/Relay.md.")

  @OptionGroup var place: StoreOption
  @Argument(help: "The new folder.") var copy: String

  func run() async throws {
    try await failing {
      guard !FileManager.default.fileExists(atPath: copy + "/data.mdb") else {
        throw ValidationError("\(copy) holds a relay already.")
      }
      if case .postgres = try place.place() { throw PostgresRelayStore.noBackup }
      try await place.open().backup(to: copy)
    }
  }
}

struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count the chain of every log anew; ends with 1 where one is not as it should be.")

  @OptionGroup var place: StoreOption

  func run() async throws {
    try await failing {
      let store = try await place.open()
      var isSound = true
      for ledger in try await store.ledgers() {
        let found = try await store.verify(ledger)
        let word = found.faults.isEmpty ? "sound" : found.faults.joined(separator: "; ")
        print("\(ledger)  \(found.entryCount) entries up to \(found.end.position): \(word)")
        if !found.faults.isEmpty { isSound = false }
      }
      if !isSound { throw ExitCode.failure }
    }
  }
}
