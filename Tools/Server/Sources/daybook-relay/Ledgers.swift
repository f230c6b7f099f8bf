import ArgumentParser
import Entities
import Relay
import SyncWire

struct Ledgers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the ledgers and their sizes, or change one.")

  @OptionGroup var place: StoreOption
  @Argument(
    help: "The ledger to change. Default: the relay's only one.",
    transform: ledgerID) var ledger: EntityID?
  @Option(help: "How many MiB the ledger may hold from now on.") var quota: Int?
  @Flag(help: "Serve a ledger that was copied from this folder. Only if the copy was never served.")
  var serveAgain = false

  func validate() throws {
    guard quota.map({ (1...1 << 30).contains($0) }) ?? true else {
      throw ValidationError("--quota is a number of MiB from 1 on.")
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
          throw ValidationError("--serve-again is for a folder.")
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
    abstract: "Let go of the entries below the floor that the newest snapshot shows.",
    discussion: """
      A relay that serves does it by itself, once a minute. The floor is what all devices have seen that are not away for \
      too long; who comes later starts from the snapshot.
      """)

  @OptionGroup var place: StoreOption
  @Argument(
    help: "The ledger's id: 32 hexadecimal digits. Default: all of them.",
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
        print("\(ledger)  \(count) entries let go")
      }
    }
  }
}

/// Returns the given ledger, or the only one of a relay.
func meant(_ ledger: EntityID?, by store: any RelayStore) async throws -> EntityID {
  if let ledger { return ledger }
  let ledgers = try await store.ledgers()
  guard ledgers.count == 1 else {
    throw ValidationError(
      "The relay keeps \(ledgers.count) ledgers; say which: "
        + ledgers.map(\.description).joined(separator: ", "))
  }
  return ledgers[0]
}
