import DaybookEntities
import DaybookReplicas
import DaybookSyncWire

extension LedgerSync {
  /// Returns the address of the relay.
  ///
  /// - Throws: ``SyncError`` with `notShared` or `secrets`.
  public func relay() throws -> String {
    guard let secrets = try options.secrets.load() else {
      throw SyncError(
        .notShared, "This ledger isn't shared.",
        remedy:
          "Share it with `daybook sync start`, or join another device's ledger with `daybook sync "
          + "join`."
      )
    }
    return secrets.relay
  }

  /// Continues with the same log at another address, after the relay moved or its log was copied to
  /// another relay.
  ///
  /// Before this method saves the address or sends changes, it checks that the relay has the log
  /// that this device has already seen. Until then, the relay receives only this device's token.
  /// ``run()`` ends if the old relay refuses this device; start it again then.
  ///
  /// - Parameter relay: The relay's address, such as `https://relay.example:8481`. It must come
  ///   from a person, never from a relay's response.
  /// - Throws: ``SyncError``; in this case, the address is unchanged.
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

  /// Returns the devices' names, keyed by the replicas in commit headers; empty if the ledger isn't
  /// shared.
  public func deviceNames() async -> [UInt64: String] {
    guard (try? await isShared()) == true, let exchange = try? await connected() else { return [:] }
    return await exchange.memory.devices.mapValues(\.name)
  }

  /// Revokes a device: the relay refuses its requests, and the device can't decrypt later entries.
  ///
  /// - Throws: ``SyncError`` with `unknownDevice` if no device or more than one device has this
  ///   name, or if it is the name of this device.
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
  /// Checks that another relay has the log of this relay, or a continuation of it.
  ///
  /// - Throws: ``SyncError`` with `otherLedger`, or `ProofFault`.
  fileprivate func check(_ other: any SyncTransport) async throws {
    let status = try await other.status()
    guard status.ledger == memory.ledger else {
      throw SyncError(
        .otherLedger,
        "Couldn't change the relay's address: the relay there has another ledger's log for this "
          + "device.",
        remedy: "Check the relay's address.")
    }
    var chain = memory.chain
    guard status.end.position >= chain.end.position else {
      throw ProofFault.rolledBack(seen: chain.end.position, head: status.end.position)
    }
    do {
      try chain.append(try await other.pull(after: chain.end.position))
    } catch let refusal as RelayRefusal where refusal.code == .trimmed {
      // The log starts after this device's position, because the device was offline for too long.
      // Rejoining will then read the relay's snapshot, which can be opened only with the ledger's
      // key.
    }
  }

  /// Revokes a device: sends a new key wrapped for all remaining devices, and then makes the relay
  /// revoke the token.
  func revoke(_ name: String) async throws {
    let meant = memory.devices.filter { $0.value.name == name && !$0.value.isRevoked }
    guard meant.count == 1, let (replica, _) = meant.first, replica != own else {
      let why =
        meant.isEmpty
        ? "Couldn't find the device “\(name)”."
        : meant.count > 1
          ? "“\(name)” is ambiguous: \(meant.count) devices have this name."
          : "Couldn't revoke “\(name)”: it is this device."
      throw SyncError(
        .unknownDevice, why,
        remedy:
          "List devices with `daybook sync devices`. To remove this device, run `daybook sync "
          + "leave`."
      )
    }
    let paired = try await transport.devices()
    guard !paired.contains(where: { $0.replicas.contains(replica) && $0.replicas.contains(own) })
    else {
      throw SyncError(
        .unknownDevice,
        "Couldn't revoke “\(name)”: it has the same token as this device, because one is a "
          + "restored copy of the other.",
        remedy: "On this device, join again into a new folder, and revoke both devices from there.")
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
  /// Creates an entry with a ledger key that is wrapped for each of the given devices.
  ///
  /// - Throws: `WireError` if a device's public key is invalid.
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
