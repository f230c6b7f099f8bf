import ArgumentParser
import Entities
import Foundation
import Relay
import SyncWire
import Synchronization

struct Move: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Move a ledger's log to another folder or PostgreSQL cluster, while it is in use.",
    discussion: """
      Everything travels: entries with their positions, devices with the hashes of their tokens, snapshot, quota. Copied \
      first is what there is, while devices go on; then what they write is refused for as long as the rest takes, and they \
      repeat it. It may be killed and run again. Docs/Relay.md says how devices find the other relay.
      """)

  @OptionGroup var place: StoreOption
  @Argument(
    help: "The ledger's id: 32 hexadecimal digits. Default: the relay's only one.",
    transform: ledgerID) var ledger: EntityID?
  @OptionGroup var target: TargetOption
  @Option(
    help: ArgumentHelp(
      "What devices that ask here afterwards are told to use. Default: they are told to try again, and reach the other "
        + "relay under this one's name.", valueName: "url"))
  var address: String?
  @Flag(help: "Say what would be done, and do nothing.") var dryRun = false
  @Flag(help: "Take a move back that did not come to its end.") var takeBack = false
  @Flag(help: "Delete here what is left of a ledger that has moved.") var erase = false

  func validate() throws {
    guard [dryRun, takeBack, erase].filter(\.self).count <= 1 else {
      throw ValidationError("One of --dry-run, --take-back and --erase.")
    }
    guard erase == target.isEmpty else {
      throw ValidationError(
        erase
          ? "--erase is about this relay alone: leave out the other one."
          : "Say where to: --to-folder, --to-postgres or --to-config.")
    }
  }

  func run() async throws {
    try await failing {
      let source = try await place.open()
      let ledger = try await meant(self.ledger, by: source)
      if erase {
        print("\(try await LogMover.erase(ledger, in: source)) rows of \(ledger) were deleted.")
        return
      }
      if dryRun {
        let other =
          target.isMissing ? nil : try await target.open(apartFrom: place.place(), makes: false)
        return try await tellPlan(ledger, source, other)
      }
      let other = try await target.open(apartFrom: place.place(), makes: !takeBack)
      let told = MoveWords()
      let mover = LogMover(ledger, from: source, to: other, address: address ?? "") {
        told.tell($0)
      }
      if takeBack {
        try await mover.takeBack()
        print("The move of \(ledger) was taken back: it is open here, as before.")
        return
      }
      var fault: (any Error)?
      do { try await mover.run() } catch { fault = error }
      guard let fault else {
        print("Moved \(ledger).")
        return
      }
      if try await source.moveState(of: ledger)?.phase == .frozen {
        FileHandle.standardError.write(
          Data(
            "Until this is run again, or taken back by --take-back, devices write nothing.\n".utf8))
      }
      throw fault
    }
  }

  /// Says what there is on both sides, and what would be done.
  private func tellPlan(
    _ ledger: EntityID, _ source: any RelayStore, _ target: (any RelayStore)?
  ) async throws {
    let here = try await source.moveState(of: ledger)
    guard let here else { throw MoveFault.notHere }
    let there = try await target?.moveState(of: ledger)
    let record = try await source.record(of: ledger)
    func counted(_ count: Int, _ what: String) -> String {
      count == 1 ? "1 \(what)" : "\(count) \(what)s"
    }
    let entries = record.end.position - record.trimmed.position
    print(
      "\(ledger) is \(here.phase) here, and \(there.map { "\($0.phase)" } ?? "not") there.\n"
        + "It has \(entries == 1 ? "1 entry" : "\(entries) entries"), \(counted(record.chunks.count, "chunk")) and "
        + "\(counted(record.devices.count, "device")): \(record.byteCount) bytes.")
  }
}

/// What is said while a log moves: each step, and each tenth of the entries.
private final class MoveWords: Sendable {
  private let tenth = Mutex<UInt64>(0)

  func tell(_ progress: LogMover.Progress) {
    let words: String
    switch progress {
    case .copied(let entry, let end, 0, 0):
      let now = entry == end ? 10 : entry * 10 / max(end, 1)
      let isNew = tenth.withLock { tenth in
        defer { tenth = now }
        return tenth != now
      }
      guard isNew else { return }
      words = "copied entries up to \(entry) of \(end)"
    case .copied(_, _, let chunk, let count): words = "copied chunk \(chunk) of \(count)"
    case .prepared: words = "the other relay knows of it"
    case .frozen: words = "devices write nothing from now on"
    case .complete: words = "everything is there"
    case .closed: words = "given up here"
    case .opened: words = "open there"
    }
    FileHandle.standardError.write(Data("\(words)\n".utf8))
  }
}
