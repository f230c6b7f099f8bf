import ArgumentParser
import DaybookEntities
import DaybookSyncWire
import Foundation
import Relay
import RelayPostgres
import RelayServer

struct Init: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Create a log for a ledger and a token for its first device.",
    discussion: "The token is shown only once. The relay stores only its hash.")

  @OptionGroup var place: StoreOption
  @Argument(
    help: "The ledger's id at this relay: 32 hexadecimal digits. Default: a new id.",
    transform: ledgerID) var ledger: EntityID?
  @Option(help: "The maximum size of the ledger's log in MiB.") var quota = 1_024
  @Option(help: "The name of the first device.") var device = "first device"

  func validate() throws {
    guard (1...1 << 30).contains(quota) else {
      throw ValidationError("--quota must be a number of MiB, at least 1.")
    }
  }

  func run() async throws {
    try await failing {
      let store = try await place.open(makes: true)
      let ledger =
        self.ledger ?? EntityID(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
      try await store.makeLedger(ledger, quota: UInt64(quota) << 20)
      let token = try await store.admit(device, to: ledger)
      print(
        """
        Created a log for the ledger \(ledger). Once the relay is running, run on its first device:

          daybook sync start --relay ADDRESS --token \(token)

        This token is not shown again.
        """)
    }
  }
}

struct Devices: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List a ledger's devices, add one, or revoke one.",
    discussion: """
      A revoked device can no longer push or pull, but it keeps the data it has read, and the key. To change the key as \
      well, run `daybook sync devices --revoke` on another device instead.
      """)

  @OptionGroup var place: StoreOption
  @Argument(
    help: "The ledger's id: 32 hexadecimal digits. Default: the relay's only ledger.",
    transform: ledgerID) var ledger: EntityID?
  @Option(help: "Add a device with this name, and print its token.") var add: String?
  @Option(help: "Revoke the device whose token hash begins with this text.") var revoke: String?

  func run() async throws {
    try await failing {
      let store = try await place.open()
      let ledger = try await meant(self.ledger, by: store)
      if let add { return print(try await store.admit(add, to: ledger)) }
      if let revoke { try await turnAway(revoke, of: ledger, store) }
      for device in try await store.devices(of: ledger) {
        let replica = device.replicas.last.map { String($0, radix: 16) } ?? "has not pushed yet"
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
        "Couldn't revoke a device: \(meant.count) token hashes begin with “\(prefix)”. Pass a prefix that "
          + "matches exactly one; `daybook-relay devices` lists them.")
    }
    _ = try await store.revoke(meant[0].tokenHash, of: ledger)
  }
}

struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Back up a relay to a new folder, also while it is running.",
    discussion:
      "For a PostgreSQL cluster, use pg_basebackup and a WAL archive. See Docs/Relay.md.")

  @OptionGroup var place: StoreOption
  @Argument(help: "The backup folder; created if missing.") var copy: String

  func run() async throws {
    try await failing {
      guard !FileManager.default.fileExists(atPath: copy + "/data.mdb") else {
        throw ValidationError("\(copy) already contains a relay. Choose another folder.")
      }
      if case .postgres = try place.place() { throw PostgresRelayStore.noBackup }
      try await place.open().backup(to: copy)
    }
  }
}

struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Verify the relay's file and every log. Exits with 1 if one is damaged.")

  @OptionGroup var place: StoreOption

  func run() async throws {
    try await failing {
      let store = try await place.open()
      if case .folder(let path) = try place.place() {
        switch try EmbeddedRelayStore.examine(folder: path) {
        case .intact: break
        case .busy:
          print("The structure of the file was not checked, because the relay keeps writing to it.")
        case .damaged(let fault):
          print("\(path)/data.mdb is damaged: \(fault). Restore the relay from its backup.")
          throw ExitCode.failure
        }
      }
      var isSound = true
      for ledger in try await store.ledgers() {
        let found = try await store.verify(ledger)
        let word = found.faults.isEmpty ? "no problems found" : found.faults.joined(separator: "; ")
        print("\(ledger)  \(found.entryCount) entries up to \(found.end.position): \(word)")
        if !found.faults.isEmpty { isSound = false }
      }
      if !isSound { throw ExitCode.failure }
    }
  }
}
