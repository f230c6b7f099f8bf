import ArgumentParser
import Daybook
import Foundation
import SyncWire
import Syncing
import Terminal

/// The name of this device.
struct DeviceOption: ParsableArguments {
  @Option(
    name: .customLong("device"),
    help: ArgumentHelp(
      "What the others know this device by. Default: this machine's name.", valueName: "name"))
  var given: String?

  /// The requested name, by default the name of this machine.
  var name: String {
    if let given { return given }
    let host = ProcessInfo.processInfo.hostName
    return host.isEmpty ? "this device" : host
  }

  func validate() throws {
    guard (1...200).contains(name.utf8.count) else {
      throw ValidationError("--device has 1 to 200 bytes.")
    }
  }
}

/// `daybook sync start`: shares a ledger from its first device.
struct SyncStart: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Share this ledger: it is the first device.",
    discussion: """
      Needs a relay, and the token that `daybook-relay init` showed. What the ledger holds is what \
      the others begin with. Shows the code by which another device joins.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var device: DeviceOption

  @Option(
    help: ArgumentHelp(
      "The relay's address, such as https://relay.example:8481.", valueName: "url"))
  var relay: String

  @Option(help: "What the relay lets this device in by. Default: $DAYBOOK_RELAY_TOKEN.")
  var token: String?

  func execute() async throws {
    guard let token = token ?? Terminal.variable("DAYBOOK_RELAY_TOKEN"), !token.isEmpty else {
      throw CommandFailure.usage(
        "The relay lets nobody in without a token.",
        remedy: "Give what `daybook-relay init` showed, with --token or $DAYBOOK_RELAY_TOKEN.")
    }
    let code = try await ledger.withLedger { opened in
      try await opened.sync.showing("Sending") { sync in
        try await sync.start(relay: relay, token: token, deviceName: device.name)
        return try await sync.invite()
      }
    }
    try Invited(code, relay).answer(ledger, "This ledger is shared now.")
  }
}

/// `daybook sync invite`: shows a code that adds another device.
struct SyncInvite: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Let one more device in: shows a code, good for ten minutes.",
    discussion: "Whoever has the code has the ledger: show it to nobody else.")

  @OptionGroup var ledger: LedgerOptions

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("What the relay is to call the new device.", valueName: "name"))
  var name = "new device"

  func execute() async throws {
    let (code, relay) = try await ledger.withLedger { opened in
      let code = try await opened.sync.showing("Sending") { try await $0.invite(deviceName: name) }
      return (code, try opened.sync.relay())
    }
    try Invited(code, relay).answer(ledger, "One more device may join.")
  }
}

/// What to type on the other device.
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
      "\(sentence) On the other device, once, within \(minutes) minutes:", "",
      "  daybook sync join \(code) --relay \(relay)", "",
      "The code opens the ledger: show it to nobody else.",
    ])
  }
}

/// `daybook sync join`: adds this device to a shared ledger.
struct SyncJoin: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Make a copy here of a ledger whose device showed a code.",
    discussion: """
      The ledger's folder is made; it must not be there yet. A ledger that holds something already \
      is another one: bring its rows over with `daybook export` and `daybook import`.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var device: DeviceOption

  @Argument(help: "The code that the other device shows.")
  var code: String

  @Option(
    help: ArgumentHelp(
      "The relay's address, as the other device shows it.", valueName: "url"))
  var relay: String

  func execute() async throws {
    guard let pairing = PairingCode(code) else {
      throw CommandFailure.usage(
        "“\(code)” is no pairing code, or has a slip: 26 letters and digits.",
        remedy: "Compare it with what the other device shows.")
    }
    let path = ledger.path
    guard !FileSystem.exists(path) else {
      throw CommandFailure(
        .cannotCreate, code: "exists", "There is something at \(path) already.",
        remedy: "Choose another --ledger for the copy.")
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
      "Made \(path), as on the other devices: \(state.devices.map(\.name).joined(separator: ", "))."
    )
  }
}

/// `daybook sync relay`: shows or changes the relay's address.
struct SyncRelay: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "relay", abstract: "Show the relay's address, or go on at another one.",
    discussion: """
      For a relay that has another name now, or a log that was copied to another relay. What answers there has to \
      show the log that this device knows; else the address stays. Take it from whoever keeps the relay.
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
    commandName: "leave", abstract: "Share this ledger no more: it keeps what it holds.",
    discussion: """
      Nothing is taken back on the other devices. What was recorded here and not sent stays here only: \
      run `daybook sync` before, unless that is what you want.
      """)

  @OptionGroup var ledger: LedgerOptions

  func execute() async throws {
    let isTold = try await ledger.withLedger { try await $0.sync.leave() }
    try ledger.answer(
      JSONAnswer(["left": true]),
      isTold
        ? "This ledger is one of its own again; the relay lets this device in no more."
        : "This ledger is one of its own again. The relay could not be told: turn this device "
          + "away from another one with `daybook sync devices --revoke`.")
  }
}
