import ArgumentParser
import Daybook
import DaybookSync
import DaybookTerminal

/// `daybook sync status`: shows the sync state of this device and the other devices.
struct SyncStatus: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show this device's sync status.",
    discussion: "Shows the state known on this device, without contacting the relay. To update it, "
      + "run `daybook sync`.")

  @OptionGroup var ledger: LedgerOptions

  func execute() async throws {
    let (state, relay) = try await ledger.withLedger { opened in
      (try await opened.sync.refresh(), try opened.sync.relay())
    }
    if ledger.json { return try Output.json(JSONAnswer(state)) }
    let now = Time.now
    var lines = [
      "Relay: \(relay.printable)",
      "Up to date through entry \(Figures.count(state.position)) of the log.",
    ]
    if let digest = state.digest {
      lines.append("Digest at that entry, the same on every device: \(Self.short(digest))")
    }
    if let clock = SyncWords.clock(state) { lines.append(clock) }
    if state.pendingCount > 0 {
      let since =
        state.pendingSince.map { ", the oldest from \(SyncWords.ago($0, now: now))" } ?? ""
      lines.append(
        "Not sent yet: \(Figures.counted(state.pendingCount, "commit"))\(since)."
      )
    } else {
      lines.append("All changes of this device are sent.")
    }
    lines += state.unsendable.map(\.description.printable)
    if state.findingCount > 0 {
      lines.append(
        "\(Figures.counted(state.findingCount, "finding")) to review. Run `daybook sync findings`.")
    }
    if let floor = Self.floor(state) { lines.append(floor) }
    if state.isErasing {
      lines.append(
        "Erased text is still in the relay's log, encrypted, until all devices have rewritten "
          + "their commits."
      )
    }
    try Output.lines(lines + [""])
    try Output.table(SyncDevices.table(state, now: now), ifEmpty: "No known devices.")
  }
}

extension SyncStatus {
  /// The first digits of a digest, in groups that are easy to read aloud.
  private static func short(_ digest: String) -> String {
    let digits = Array(digest.prefix(16))
    return stride(from: 0, to: digits.count, by: 4)
      .map { String(digits[$0..<min($0 + 4, digits.count)]) }.joined(separator: " ")
  }

  /// A sentence with the log's first entry, the devices that limit the floor, and absent devices.
  private static func floor(_ state: SyncState) -> String? {
    if state.devices.count < 2 { return nil }
    let names = { (devices: [SyncDevice]) in
      devices.map { $0.isThis ? "this device" : $0.name.printable }.joined(separator: ", ")
    }
    var text = "The log is kept from entry \(Figures.count(state.floor + 1)) on"
    let holding = state.devices.filter(\.holdsFloor)
    if !holding.isEmpty { text += ", for \(names(holding))" }
    let absent = state.devices.filter { $0.isAbsent && !$0.isRevoked }
    if !absent.isEmpty { text += "; absent devices: \(names(absent))" }
    return text + "."
  }
}

/// `daybook sync devices`: lists and revokes devices.
struct SyncDevices: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List devices, or revoke one.",
    discussion: """
      A revoked device can't send or receive anything more, and can't read later changes. It keeps \
      the data it has.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Option(
    help: ArgumentHelp("Revoke the device of this name.", valueName: "name"))
  var revoke: String?

  func execute() async throws {
    let state = try await ledger.withLedger { opened in
      if let revoke { try await opened.sync.revoke(deviceName: revoke) }
      return try await opened.sync.refresh()
    }
    if ledger.json { return try Output.json(JSONAnswer(["devices": state.devices])) }
    try Output.table(Self.table(state, now: Time.now), ifEmpty: "No known devices.")
  }

  /// The table of devices.
  ///
  /// Their times come from the relay's clock, so `now` is corrected by this device's clock offset.
  static func table(_ state: SyncState, now: Int64) -> TextTable {
    let now = now &+ state.clockOffset
    var table = TextTable(
      [.init("Device"), .init("Last sent"), .init("Verified equal"), .init("")])
    for device in state.devices {
      let proof: String
      if device.isThis {
        proof = ""
      } else if let found = device.proof {
        proof = found.isEqual ? SyncWords.ago(found.received, now: now) : "DIFFERS"
      } else {
        proof = "not yet"
      }
      let remark = device.isThis ? "this device" : device.isRevoked ? "revoked" : ""
      table.add([
        .init(device.name), .init(SyncWords.ago(device.seen, now: now)), .init(proof),
        .init(remark),
      ])
    }
    return table
  }
}
