import Daybook
import DaybookEntities
import DaybookLedgerMerging
import DaybookMerging
import DaybookReplicas
public import DaybookSyncWire
import Foundation

extension LedgerSync {
  /// Makes this ledger the first device of a shared ledger: its contents become the start of the
  /// log.
  ///
  /// If a call is interrupted before the first exchange, call it again with the same arguments to
  /// continue.
  ///
  /// - Parameters:
  ///   - relay: The relay's address, such as `https://relay.example:8481`.
  ///   - token: The token that `daybook-relay init` printed.
  ///   - deviceName: The name that other devices see: 1 to 200 bytes of UTF-8.
  /// - Throws: ``SyncError``, for example with `alreadyShared`, `unreachable`, `notAllowed`, or
  ///   with `otherLedger` if the log already contains entries of another ledger.
  public func start(relay: String, token: String, deviceName: String) async throws {
    try await translated(at: relay) {
      if try await isShared() {
        guard try await wasInterrupted(relay, token) else { throw Self.alreadyShared }
        let exchange = try await connected()
        return try await exchange.alone { try await $0.exchange() }
      }
      let transport = try options.connect(relay, token)
      let status = try await Self.status(transport, relay)
      guard status.end.position == 0 else {
        throw SyncError(
          .otherLedger,
          "Couldn't share the ledger: the relay's log already has \(status.end.position) entries.",
          remedy: "Join that ledger with `daybook sync join`, or create a new log with "
            + "`daybook-relay init`.")
      }
      let secrets = SyncSecrets(
        ledger: status.ledger, relay: relay, token: token, deviceName: deviceName,
        deviceKey: DeviceKey().secret, keys: KeyRing(first: LedgerKey()))
      try options.secrets.save(secrets)
      let replica = try await Replica.begin(ledger.store, rules: .ledger)
      let memory = LogMemory(
        ledger: status.ledger, own: try await replica.id().rawValue,
        chain: LogChain(ledger: status.ledger))
      try await replica.note(memory.notesOfBeginning)
      let exchange = try await connected()
      try await exchange.alone { try await $0.exchange() }
    }
  }

  /// Returns whether ``start(relay:token:deviceName:)`` was called with this relay and token, and
  /// nothing has been exchanged yet.
  private func wasInterrupted(_ relay: String, _ token: String) async throws -> Bool {
    guard let secrets = try options.secrets.load(), secrets.relay == relay, secrets.token == token
    else { return false }
    return try await Replica(ledger.store, rules: .ledger).position() == 0
  }

  /// Returns the status of a log that is about to be started.
  private static func status(
    _ transport: any SyncTransport, _ relay: String
  ) async throws -> LogStatus {
    do {
      return try await transport.status()
    } catch let refusal as RelayRefusal where refusal.code == .unauthorized {
      throw SyncError(
        .notAllowed, "The relay at \(relay) doesn't accept this token.",
        remedy:
          "Check the address, and use the token that `daybook-relay init` or `daybook-relay "
          + "devices --add` showed for it."
      )
    }
  }

  /// Invites another device.
  ///
  /// - Returns: The code to enter on that device. It works once, within ten minutes.
  /// - Throws: ``SyncError``.
  public func invite(deviceName: String = "new device") async throws -> PairingCode {
    try await exchangeOnce()
    let exchange = try await connected()
    return try await translated {
      try await exchange.alone { try await $0.invite(deviceName) }
    }
  }

  /// Makes this empty ledger a copy of the ledger on the device that showed a code.
  ///
  /// If a call is interrupted, start over with a new code.
  ///
  /// - Parameters:
  ///   - code: The code that the other device showed.
  ///   - relay: The address of the relay that both devices use.
  ///   - deviceName: The name that other devices see: 1 to 200 bytes of UTF-8.
  /// - Throws: ``SyncError``, for example with `alreadyShared`, `notEmpty`, `codeGone` or
  ///   `unreachable`.
  public func join(_ code: PairingCode, relay: String, deviceName: String) async throws {
    try await translated(at: relay) {
      let isAgain = try isJoining()
      guard try isAgain || ledger.token.sequence == 0 else {
        throw SyncError(
          .notEmpty, "Couldn't join: this ledger already has data of its own.",
          remedy:
            "Join into a new folder, and move this ledger's transactions there with `daybook "
            + "export` and `daybook import`."
        )
      }
      let sealed: SealedEntry
      do {
        sealed = try await options.connect(relay, "").takeInvitation(mailbox: code.mailbox)
      } catch let refusal as RelayRefusal where refusal.code == .notFound {
        throw SyncError(
          .codeGone,
          "Couldn't join through the relay at \(relay): the code was already used, or is older "
            + "than ten "
            + "minutes.",
          remedy:
            "Show a new code with `daybook sync invite` on a device that has the ledger. If you "
            + "didn't use the old code, revoke the device that joined with it, using `daybook "
            + "sync devices "
            + "--revoke`.")
      }
      let invitation = try Invitation(opening: sealed, with: code)
      let secrets = SyncSecrets(
        ledger: invitation.ledger, relay: relay, token: invitation.token, deviceName: deviceName,
        deviceKey: DeviceKey().secret, keys: invitation.keys)
      try options.secrets.save(secrets)
      let transport = try options.connect(relay, invitation.token)
      _ = try await SnapshotReader(transport, secrets, progress: progress).join(ledger.store)
      let exchange = try await connected()
      try await exchange.alone { exchange in
        try await exchange.exchange()
        guard exchange.memory.chain.end.position >= invitation.position else {
          throw ProofFault.rolledBack(
            seen: invitation.position, head: exchange.memory.chain.end.position)
        }
        if let link = try await exchange.link(at: invitation.position), link != invitation.link {
          throw ProofFault.wrongLink(position: invitation.position)
        }
      }
    }
  }

  /// Returns whether joining was interrupted on this ledger.
  ///
  /// - Throws: ``SyncError`` with `alreadyShared` if the ledger has joined.
  private func isJoining() throws -> Bool {
    do {
      _ = try Replica(ledger.store, rules: .ledger)
    } catch ReplicaFault.notShared {
      return false
    } catch ReplicaFault.incomplete {
      return true
    }
    throw Self.alreadyShared
  }

  private static var alreadyShared: SyncError {
    SyncError(
      .alreadyShared, "Couldn't share the ledger: it is already shared.",
      remedy:
        "To add another device, run `daybook sync invite`; to see the relay, `daybook sync "
        + "status`. To share it through another relay, run `daybook sync leave` first."
    )
  }

  /// Stops sharing on this device: the ledger keeps its contents, and no longer sends or receives
  /// changes.
  ///
  /// - Returns: Whether the relay was notified, so that the token is no longer valid.
  /// - Throws: ``SyncError``.
  @discardableResult
  public func leave() async throws -> Bool {
    try await translated {
      guard try await isShared() else { throw ReplicaFault.notShared }
      var isTold = false
      if let secrets = try options.secrets.load() {
        do {
          let transport = try options.connect(secrets.relay, secrets.token)
          try await transport.revokeDevice(DeviceToken.hash(secrets.token))
          isTold = true
        } catch {
          // This device leaves even if the relay can't be reached.
        }
      }
      _ = try await ledger.store.unregister(consumer: Replica.consumer)
      try options.secrets.remove()
      await disconnect()
      board.change { $0 = SyncState() }
      return isTold
    }
  }
}

extension LogMemory {
  /// The notes of a device that has just started sharing.
  var notesOfBeginning: [Replica.Note] {
    var notes = [identityNote, chainNote]
    notes += devices.keys.sorted().map { deviceNote($0) }
    let end = chain.end
    notes.append(Replica.Note(Self.linkKey(end.position), end.link.bytes))
    if floorMoved != nil { notes.append(floorNote) }
    return notes
  }
}
