import Entities
import Replicas
import SyncWire

extension LedgerSync {
  /// The address of the relay.
  ///
  /// - Throws: ``SyncError`` with `notShared` or `secrets`.
  public func relay() throws -> String {
    guard let secrets = try options.secrets.load() else {
      throw SyncError(
        .notShared, "This ledger is not shared.",
        remedy:
          "Share it with `daybook sync start`, or join another device's ledger with `daybook sync join`."
      )
    }
    return secrets.relay
  }

  /// Continues with the same log at another address: the relay has another name, or its log was copied to another relay.
  ///
  /// What answers there has to show the log that was seen here; only then the address is kept, and anything sent. Until
  /// then it is shown this device's token alone. ``run()`` ends if the old relay refuses this device; start it again.
  ///
  /// - Parameter relay: Where the relay is: `https://relay.example:8481`. From a person, not from what a relay says.
  /// - Throws: ``SyncError``; the address stays as it was.
  public func use(relay: String) async throws {
    let exchange = try await connected()
    try await translated(at: relay) {
      guard var secrets = try options.secrets.load() else { throw ReplicaFault.notShared }
      let transport = try options.connect(relay, secrets.token)
      try await exchange.alone { try await $0.check(transport) }
      secrets.relay = relay
      try options.secrets.save(secrets)
    }
    await disconnect()
  }

  /// What the devices are called, by the replicas that commits name; empty where the ledger is not shared.
  public func deviceNames() async -> [UInt64: String] {
    guard (try? await isShared()) == true, let exchange = try? await connected() else { return [:] }
    return await exchange.memory.devices.mapValues(\.name)
  }

  /// Turns a device away: it gets and sends nothing more, and cannot read what is recorded from now on.
  ///
  /// - Throws: ``SyncError`` with `unknownDevice` where none, or more than one, is called so, or it is this one.
  public func revoke(deviceName: String) async throws {
    try await exchangeOnce()
    let exchange = try await connected()
    try await translated {
      try await exchange.alone { exchange in
        try await exchange.revoke(deviceName)
        try await exchange.exchangeAgain()
      }
    }
  }
}

extension Exchange {
  /// Returns where another relay shows the log that was seen at this one, or what it became since.
  fileprivate func check(_ other: any SyncTransport) async throws {
    let status = try await other.status()
    guard status.ledger == memory.ledger else {
      throw SyncError(
        .otherLedger, "What answers there lets this device to another ledger.",
        remedy: "Check the relay's address.")
    }
    var chain = memory.chain
    guard status.end.position >= chain.end.position else {
      throw ProofFault.rolledBack(seen: chain.end.position, head: status.end.position)
    }
    do {
      try chain.append(try await other.pull(after: chain.end.position))
    } catch let refusal as RelayRefusal where refusal.code == .trimmed {
      // Away for so long that the log begins later: its snapshot opens with the ledger's key, or not.
    }
  }

  /// Turns a device away: a new key, wrapped for all that stay, and the relay is told.
  func revoke(_ name: String) async throws {
    let meant = memory.devices.filter { $0.value.name == name && !$0.value.isRevoked }
    guard meant.count == 1, let (replica, _) = meant.first, replica != own else {
      let why =
        meant.isEmpty
        ? "There is no device “\(name)”."
        : meant.count > 1
          ? "\(meant.count) devices are called “\(name)”." : "“\(name)” is this device."
      throw SyncError(
        .unknownDevice, why,
        remedy: "`sync devices` lists them; this one leaves with `sync leave`.")
    }
    let paired = try await transport.devices()
    guard !paired.contains(where: { $0.replicas.contains(replica) && $0.replicas.contains(own) })
    else {
      throw SyncError(
        .unknownDevice,
        "“\(name)” has the token of this device: one is a restored copy of the other.",
        remedy: "Join again on this one, into a new folder; then turn both away from there.")
    }
    let (epoch, _) = try newestKey()
    let stay = memory.devices.filter { !$0.value.isRevoked && $0.key != replica }
    let entry = try EpochEntry(
      LedgerKey(), of: epoch + 1, ledger: memory.ledger, for: stay, revoked: [replica])
    var page = OutgoingPage(of: own)
    try await add(
      entry.bytes, .epoch, base: memory.chain.end.position, clock: now(), to: &page)
    try await send(&page)
    for device in paired where device.replicas.contains(replica) && !device.isRevoked {
      try await transport.revokeDevice(device.tokenHash)
    }
  }
}

extension EpochEntry {
  /// A key, wrapped for each of some devices.
  ///
  /// - Throws: `WireError` where a device's public key is none.
  init(
    _ key: LedgerKey, of epoch: UInt32, ledger: EntityID, for devices: [UInt64: DeviceMemory],
    revoked: [UInt64]
  ) throws(WireError) {
    var wraps: [KeyWrap] = []
    for (replica, device) in devices {
      wraps.append(
        try KeyWrap(key, epoch: epoch, ledger: ledger, replica: replica, for: device.publicKey))
    }
    self.init(epoch: epoch, wraps: wraps, revoked: revoked)
  }
}
