import ArgumentParser
import DaybookEntities
import DaybookSyncWire
import Relay

struct Ledgers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the ledgers and their sizes, or change one.")

  @OptionGroup var place: StoreOption
  @Argument(
    help: "The ledger to change. Default: the relay's only ledger.",
    transform: ledgerID) var ledger: EntityID?
  @Option(help: "Set the maximum size of the ledger's log in MiB.") var quota: Int?
  @Flag(
    help: "Serve a ledger again that was copied from this folder, if the copy was never served.")
  var serveAgain = false

  func validate() throws {
    guard quota.map({ (1...1 << 30).contains($0) }) ?? true else {
      throw ValidationError("--quota must be a number of MiB, at least 1.")
    }
  }

  func run() async throws {
    try await failing {
      let store = try await place.open()
      if let quota {
        try await store.setQuota(UInt64(quota) << 20, of: meant(ledger, by: store))
      }
      if serveAgain {
        guard let folder = store as? EmbeddedRelayStore else {
          throw ValidationError("--serve-again only works with --folder.")
        }
        try await folder.setCopiedTo(nil, meant(ledger, by: store))
      }
      for ledger in try await store.ledgers() {
        let usage = try await store.usage(of: ledger)
        let copiedTo = try await (store as? EmbeddedRelayStore)?.copiedTo(ledger)
        print(
          "\(ledger)  \(usage.entryCount) of \(usage.head) entries kept, floor \(usage.floor), "
            + "snapshot \(usage.snapshot), \(usage.byteCount) of \(usage.quota) bytes"
            + (copiedTo.map { ", copied to \($0)" } ?? ""))
      }
    }
  }
}

struct Trim: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Delete old entries that the newest snapshot contains.",
    discussion: """
      A running relay does this automatically once a minute. It deletes entries below the floor, the position that all \
      devices have seen. Devices that were offline for too long don't count; they start from the snapshot.
      """)

  @OptionGroup var place: StoreOption
  @Argument(
    help: "The ledger's id: 32 hexadecimal digits. Default: all ledgers.",
    transform: ledgerID) var ledger: EntityID?

  func run() async throws {
    try await failing {
      let store = try await place.open()
      let all = try await store.ledgers()
      for ledger in ledger.map({ [$0] }) ?? all {
        var count = 0
        while true {
          let slice = try await store.trim(ledger, entryCountMax: 256)
          if slice == 0 { break }
          count += slice
        }
        print("\(ledger)  deleted \(count) \(count == 1 ? "entry" : "entries")")
      }
    }
  }
}

/// Returns the given ledger, or the relay's only ledger.
func meant(_ ledger: EntityID?, by store: any RelayStore) async throws -> EntityID {
  if let ledger { return ledger }
  let ledgers = try await store.ledgers()
  guard ledgers.count == 1 else {
    throw ValidationError(
      "The relay has \(ledgers.count) ledgers. Pass the id of one: "
        + ledgers.map(\.description).joined(separator: ", "))
  }
  return ledgers[0]
}
