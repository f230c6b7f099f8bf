import ArgumentParser
import Daybook
import DaybookSync
import DaybookSyncWire
import DaybookTerminal
import Foundation

/// The name of this device.
struct DeviceOption: ParsableArguments {
  @Option(
    name: .customLong("device"),
    help: ArgumentHelp(
      "This device's name on the other devices (default: this machine's name).", valueName: "name"))
  var given: String?

  /// The requested name, by default the name of this machine.
  var name: String {
    if let given { return given }
    let host = ProcessInfo.processInfo.hostName
    return host.isEmpty ? "this device" : host
  }

  func validate() throws {
    guard (1...200).contains(name.utf8.count) else {
      throw ValidationError("--device must have 1 to 200 bytes.")
    }
  }
}

/// `daybook sync start`: shares a ledger from its first device.
struct SyncStart: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Share this ledger, with this device as the first one.",
    discussion: """
      Requires a relay and the token shown by `daybook-relay init`. Other devices start with this \
      ledger's contents. Shows the pairing code for another device.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var device: DeviceOption

  @Option(
    help: ArgumentHelp(
      "The relay's address, such as https://relay.example:8481.", valueName: "url"))
  var relay: String

  @Option(help: "The relay's token for this device (default: $DAYBOOK_RELAY_TOKEN).")
  var token: String?

  func execute() async throws {
    guard let token = token ?? Terminal.variable("DAYBOOK_RELAY_TOKEN"), !token.isEmpty else {
      throw CommandFailure.usage(
        "Couldn't share the ledger: the relay's token is missing.",
        remedy: "Use --token or $DAYBOOK_RELAY_TOKEN to pass the token that `daybook-relay init` "
          + "showed.")
    }
    let code = try await ledger.withLedger { opened in
      try await opened.sync.showing("Sending") { sync in
        try await sync.start(relay: relay, token: token, deviceName: device.name)
        return try await sync.invite()
      }
    }
    try Invited(code, relay).answer(ledger, "This ledger is now shared.")
  }
}

/// `daybook sync invite`: shows a code that adds another device.
struct SyncInvite: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite",
    abstract: "Add another device: show a pairing code, valid for ten minutes.",
    discussion: "The code gives full access to the ledger. Keep it secret.")

  @OptionGroup var ledger: LedgerOptions

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("The new device's name on the relay.", valueName: "name"))
  var name = "new device"

  func execute() async throws {
    let (code, relay) = try await ledger.withLedger { opened in
      let code = try await opened.sync.showing("Sending") { try await $0.invite(deviceName: name) }
      return (code, try opened.sync.relay())
    }
    try Invited(code, relay).answer(ledger, "Another device can now join.")
  }
}

/// The instructions for the other device.
private struct Invited: Encodable, Sendable {
  var code: String
  var relay: String
  var minutes = WireLimits.pairingSeconds / 60

  init(_ code: PairingCode, _ relay: String) {
    self.code = code.text
    self.relay = relay
  }

  func answer(_ ledger: LedgerOptions, _ sentence: String) throws {
    if ledger.json { return try Output.json(JSONAnswer(self)) }
    try Output.lines([
      "\(sentence) Within \(minutes) minutes, run this on the other device:", "",
      "  daybook sync join \(code) --relay \(relay)", "",
      "The code gives full access to the ledger. Keep it secret.",
    ])
  }
}

/// `daybook sync join`: adds this device to a shared ledger.
struct SyncJoin: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join a shared ledger with another device's pairing code.",
    discussion: """
      Creates the ledger's folder, which must not exist yet. An existing ledger with data of its \
      own can't join; move its transactions over with `daybook export` and `daybook import`.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var device: DeviceOption

  @Argument(help: "The pairing code shown on the other device.")
  var code: String

  @Option(
    help: ArgumentHelp(
      "The relay's address, shown on the other device.", valueName: "url"))
  var relay: String

  func execute() async throws {
    guard let pairing = PairingCode(code) else {
      throw CommandFailure.usage(
        "“\(code)” isn't a valid pairing code: a code has 26 letters and digits.",
        remedy: "Compare it with the code on the other device.")
    }
    let path = ledger.path
    guard !FileSystem.exists(path) else {
      throw CommandFailure(
        .cannotCreate, code: "exists", "Couldn't create \(path): it already exists.",
        remedy: "Choose another --ledger.")
    }
    let opened = try await Ledger.open(at: path, options: ledger.options(creates: true))
    let state: SyncState
    do {
      try await opened.sync.showing("Joining") {
        try await $0.join(pairing, relay: relay, deviceName: device.name)
      }
      state = try await opened.sync.refresh()
      try await opened.close()
    } catch {
      // An incomplete ledger is useless, and the next attempt would fail because the path exists.
      try? await opened.close()
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
    try ledger.answer(
      JSONAnswer(state),
      "Created \(path), shared by \(state.devices.map(\.name).joined(separator: ", "))."
    )
  }
}

/// `daybook sync relay`: shows or changes the relay's address.
struct SyncRelay: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "relay", abstract: "Show or change the relay's address.",
    discussion: """
      Use this if the relay's address has changed, or if the log was copied to another relay. The \
      relay at the new address must have the log that this device knows; otherwise the address \
      isn't changed. Use only an address from the relay's operator.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(
    help: ArgumentHelp("The new address, such as https://relay.example:8481.", valueName: "url"))
  var address: String?

  func execute() async throws {
    let relay = try await ledger.withLedger { opened in
      if let address { try await opened.sync.use(relay: address) }
      return try opened.sync.relay()
    }
    try ledger.answer(JSONAnswer(["relay": relay]), "The relay is at \(relay).")
  }
}

/// `daybook sync leave`: stops sharing the ledger from this device.
struct SyncLeave: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Stop sharing this ledger, keeping its data.",
    discussion: """
      The other devices aren't affected. Changes that weren't sent yet stay on this device only; \
      run `daybook sync` first to send them.
      """)

  @OptionGroup var ledger: LedgerOptions

  func execute() async throws {
    let isTold = try await ledger.withLedger { try await $0.sync.leave() }
    try ledger.answer(
      JSONAnswer(["left": true]),
      isTold
        ? "This ledger is no longer shared, and the relay has revoked this device."
        : "This ledger is no longer shared, but the relay couldn't be reached. Revoke this device "
          + "from another one with `daybook sync devices --revoke`.")
  }
}
