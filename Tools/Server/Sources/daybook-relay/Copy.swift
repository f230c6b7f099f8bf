import ArgumentParser
import DaybookEntities
import DaybookSyncWire
import Foundation
import Relay
import RelayServer
import Synchronization

struct Copy: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy logs from a folder to PostgreSQL or another folder. The relay must be stopped.",
    discussion: """
      Copies each log with its positions, times, snapshot, quota and devices, and verifies it. Devices continue with the \
      copy and don't have to be paired again; pending invitations are not copied. To restart an \
      interrupted copy, run the same command again. Afterwards the folder no longer serves the copied logs; \
      `daybook-relay ledgers LEDGER --serve-again` reverts that.
      """)

  @OptionGroup var place: StoreOption
  @OptionGroup var target: TargetOption
  @Option(
    help: "Copy only this ledger: 32 hexadecimal digits. Default: all ledgers.",
    transform: ledgerID)
  var ledger: EntityID?

  func run() async throws {
    try await failing {
      let here = try place.place()
      guard case .folder(let folder) = here,
        let source = try await place.open() as? EmbeddedRelayStore
      else {
        throw ValidationError(
          "Only a folder can be copied. Pass it with --folder. For PostgreSQL, use pg_dump.")
      }
      let there = try target.place(apartFrom: here)
      // Both locks are held until the process ends.
      try source.lockFolder()
      let store = try await target.open()
      try (store as? EmbeddedRelayStore)?.lockFolder()
      let ledgers = if let ledger { [ledger] } else { try await source.ledgers() }
      for ledger in ledgers {
        let progress = ProgressLines()
        let copier = LogCopier(ledger, from: source, to: store, named: there.name) {
          progress.print($0)
        }
        let (record, isNew) = try await copier.run()
        print(Self.summary(of: ledger, record, isNew))
      }
      print(nextSteps(folder, there))
    }
  }

  private static func summary(of ledger: EntityID, _ record: LogRecord, _ isNew: Bool) -> String {
    func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
      "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
    let entries = counted(Int(clamping: record.entryCount), "entry", "entries")
    return "\(isNew ? "Copied" : "Already copied:") \(ledger): \(entries) up to "
      + "\(record.end.position), \(counted(record.chunks.count, "chunk")), "
      + "\(counted(record.devices.count, "device")), \(record.byteCount) bytes. Verified."
  }

  private func nextSteps(_ folder: String, _ there: RelaySettings.Place) -> String {
    let flag =
      switch there {
      case .folder(let path): "--folder \(path)"
      case .postgres: target.toConfig.map { "--config \($0)" } ?? "--postgres \"\(there.name)\""
      }
    return """

      Next:
      1. Serve the copy: daybook-relay serve \(flag)
      2. If its address is new, run on each device: daybook sync relay https://ADDRESS
      3. Keep \(folder) until the copy has a backup and every device has synced with it.
      """
  }
}

/// Prints progress on standard error, at every tenth of the entries and at every chunk.
private final class ProgressLines: Sendable {
  private let tenth = Mutex<UInt64>(0)

  func print(_ progress: LogCopier.Progress) {
    let line: String
    switch progress {
    case .discarded: line = "Deleted an interrupted copy. Starting again."
    case .entries(let position, let end):
      let now = position == end ? 10 : position * 10 / max(end, 1)
      let isNew = tenth.withLock { tenth in
        defer { tenth = now }
        return tenth != now
      }
      guard isNew else { return }
      line = "Entries: \(position) of \(end)"
    case .chunk(let number, let count): line = "Snapshot: chunk \(number) of \(count)"
    case .finished: line = "Verifying the copy …"
    }
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }
}
