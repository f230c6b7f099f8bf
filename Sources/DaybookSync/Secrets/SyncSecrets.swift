public import DaybookEntities
public import DaybookSyncWire

/// The secrets with which a device accesses and decrypts a shared ledger.
public struct SyncSecrets: Hashable, Sendable {
  /// The ledger's id at its relay.
  public var ledger: EntityID
  /// The relay's address, such as `https://relay.example:8481`.
  public var relay: String
  /// The token that authenticates this device to the relay.
  public var token: String
  /// This device's name, which its owner chose.
  public var deviceName: String
  /// The private key of the device's key pair: 32 bytes.
  public var deviceKey: [UInt8]
  /// The ledger's keys by epoch.
  public var keys: KeyRing

  /// Creates a device's secrets.
  public init(
    ledger: EntityID, relay: String, token: String, deviceName: String, deviceKey: [UInt8],
    keys: KeyRing
  ) {
    self.ledger = ledger
    self.relay = relay
    self.token = token
    self.deviceName = deviceName
    self.deviceKey = deviceKey
    self.keys = keys
  }
}

extension SyncSecrets {
  /// Adds the key of an epoch if it was wrapped for this device and isn't in the key ring yet.
  ///
  /// - Parameter names: The replica names that this device has had, the current one first.
  /// - Throws: `WireError` if the key was wrapped for another device key.
  mutating func take(_ entry: EpochEntry, as names: [UInt64]) throws(WireError) {
    guard keys[entry.epoch] == nil,
      let wrap = names.lazy.compactMap({ name in entry.wraps.first { $0.replica == name } }).first,
      let key = DeviceKey(secret: deviceKey)
    else { return }
    keys[entry.epoch] = try key.unwrap(wrap, epoch: entry.epoch, ledger: ledger)
  }
}

extension SyncSecrets: CustomStringConvertible {
  /// The device name and relay, without any secret.
  public var description: String { "SyncSecrets(\(deviceName) at \(relay))" }
}

extension SyncSecrets: Codable {
  private enum CodingKeys: String, CodingKey {
    case ledger, relay, token, deviceName, deviceKey, keys
  }

  /// Decodes the secrets from JSON, in which keys are hexadecimal digits, by epoch.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    var ring = KeyRing()
    for (epoch, text) in try box.decode([String: Hash256].self, forKey: .keys) {
      guard let number = UInt32(epoch), number > 0, let key = LedgerKey(bytes: text.bytes) else {
        throw DecodingError.dataCorruptedError(
          forKey: .keys, in: box, debugDescription: "“\(epoch)” isn't an epoch")
      }
      ring[number] = key
    }
    self.init(
      ledger: try box.decode(EntityID.self, forKey: .ledger),
      relay: try box.decode(String.self, forKey: .relay),
      token: try box.decode(String.self, forKey: .token),
      deviceName: try box.decode(String.self, forKey: .deviceName),
      deviceKey: try box.decode(Hash256.self, forKey: .deviceKey).bytes, keys: ring)
  }

  /// Encodes the secrets as JSON.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: CodingKeys.self)
    try box.encode(ledger, forKey: .ledger)
    try box.encode(relay, forKey: .relay)
    try box.encode(token, forKey: .token)
    try box.encode(deviceName, forKey: .deviceName)
    try box.encode(Hash256(deviceKey) ?? .zero, forKey: .deviceKey)
    var texts: [String: Hash256] = [:]
    for epoch in keys.epochs { texts[String(epoch)] = keys[epoch].flatMap { Hash256($0.bytes) } }
    try box.encode(texts, forKey: .keys)
  }
}
