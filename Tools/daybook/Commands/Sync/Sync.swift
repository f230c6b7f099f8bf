import ArgumentParser
import Daybook
import DaybookSync
import DaybookTerminal

/// `daybook sync`: shares a ledger between several devices.
struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Sync one ledger between several devices.",
    discussion: """
      Each device records on its own, online or offline. A relay (`daybook-relay`) passes on the \
      changes; it sees only encrypted data. Run `daybook sync start` and `daybook sync invite` on \
      the first device, and `daybook sync join` on the others. Then run `daybook sync` at any \
      time, or `daybook sync watch` to sync continuously.
      """,
    subcommands: [
      SyncOnce.self, SyncStart.self, SyncInvite.self, SyncJoin.self, SyncWatch.self,
      SyncStatus.self, SyncFindings.self, SyncDevices.self, SyncRelay.self, SyncLeave.self,
    ],
    defaultSubcommand: SyncOnce.self)
}

/// `daybook sync now`: syncs once; the default subcommand of `daybook sync`.
struct SyncOnce: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "now",
    abstract: "Send this device's changes and receive the other devices' changes.")

  @OptionGroup var ledger: LedgerOptions

  func execute() async throws {
    let (before, after) = try await ledger.withLedger { opened in
      let before = try await opened.sync.refresh()
      return (before, try await opened.sync.showing("Syncing") { try await $0.exchange() })
    }
    if ledger.json { return try Output.json(JSONAnswer(after)) }
    let sent = before.pendingCount
    let taken = after.pulledCount - before.pulledCount
    var parts: [String] = []
    if sent > 0 { parts.append("sent \(Figures.counted(sent, "commit"))") }
    if taken > 0 { parts.append("received \(Figures.counted(taken, "commit"))") }
    try Output.line(
      parts.isEmpty
        ? "Already up to date." : parts.joined(separator: ", ").asSentence)
    try SyncWords.tell(of: after)
  }
}

extension LedgerSync {
  /// Runs `body` and shows its progress in a progress bar.
  func showing<Result>(
    _ title: String, _ body: (LedgerSync) async throws -> Result
  ) async throws -> Result {
    let bar = SharedProgress(title)
    let watching = Task {
      for await state in states() {
        if let part = state.progress { bar.update(part) }
      }
    }
    defer {
      watching.cancel()
      bar.finish()
    }
    return try await body(self)
  }
}

/// Messages about a shared ledger that several commands print.
enum SyncWords {
  /// Prints the messages after an exchange.
  static func tell(of state: SyncState) throws {
    if state.hasRejoined {
      try Output.remark(
        "This device was offline longer than the log is kept. It started again from a snapshot.")
    }
    if state.rebasedCount > 0 {
      try Output.remark(
        "Applied \(Figures.counted(state.rebasedCount, "commit")) of this device after the other "
          + "devices' changes, because this device was offline longer than the log is kept.")
    }
    if state.findingCount > 0 {
      try Output.remark(
        "\(Figures.counted(state.findingCount, "finding")) to review. Run `daybook sync findings`.")
    }
    if let clock = clock(state) { try Output.remark(clock) }
    for device in state.devices where device.proof?.isEqual == false {
      try Output.remark(
        "\(device.name.printable) has different data from this device. Run `daybook verify` on "
          + "both."
      )
    }
  }

  /// A warning that this device's clock is wrong, or `nil` if it is within an hour of the relay's
  /// clock.
  static func clock(_ state: SyncState) -> String? {
    let seconds = state.clockOffset / 1_000_000
    if seconds.magnitude < 3_600 { return nil }
    let size = seconds.magnitude
    let far = size < 129_600 ? "\(size / 3_600) hours" : "\(size / 86_400) days"
    let side = seconds < 0 ? "ahead of" : "behind"
    return "This device's clock is \(far) \(side) the relay's. Correct it."
  }

  /// The time since an instant, in a few words.
  static func ago(_ microseconds: Int64, now: Int64) -> String {
    let seconds = max(0, (now - microseconds) / 1_000_000)
    switch seconds {
    case ..<90: return "just now"
    case ..<5_400: return "\((seconds + 30) / 60) minutes ago"
    case ..<129_600: return "\((seconds + 1_800) / 3_600) hours ago"
    default: return "\((seconds + 43_200) / 86_400) days ago"
    }
  }
}
