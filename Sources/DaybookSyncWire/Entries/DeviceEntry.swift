import DaybookEntities

/// A device's name and public key, which form its replica's first entry in the log.
public struct DeviceEntry: Hashable, Sendable {
  /// The name that the device's owner chose, such as "Anna's phone".
  public var name: String
  /// The public key for which other devices wrap ledger keys.
  public var publicKey: DevicePublicKey

  /// Creates a device entry.
  public init(name: String, publicKey: DevicePublicKey) {
    self.name = name
    self.publicKey = publicKey
  }

  /// The encoded entry, which is the content to seal.
  ///
  /// - Throws: ``WireError`` if the name has more than ``WireLimits/nameByteCountMax`` bytes.
  public var bytes: [UInt8] {
    get throws(WireError) {
      guard name.utf8.count <= WireLimits.nameByteCountMax else {
        throw WireError(
          .tooLarge,
          "a device's name of \(name.utf8.count) bytes exceeds \(WireLimits.nameByteCountMax)")
      }
      var writer = ByteWriter(reserving: 64)
      writer.u8(WireLimits.version)
      writer.string(name)
      writer.raw(publicKey.bytes)
      return writer.bytes
    }
  }

  /// Decodes a device entry.
  ///
  /// - Throws: ``WireError``; untrusted bytes are safe to pass.
  public init(bytes: [UInt8]) throws(WireError) {
    self = try decodeAll(bytes) { (reader) throws(WireError) in
      try reader.version()
      let name = try reader.text("a device's name", most: WireLimits.nameByteCountMax)
      let key = DevicePublicKey(unchecked: try reader.raw(DevicePublicKey.byteCount))
      return DeviceEntry(name: name, publicKey: key)
    }
  }
}

/// An entry that revokes devices by introducing a new key, which is wrapped for each remaining
/// device.
///
/// The entry is sealed with the key of the previous epoch. A revoked device can read it, but the
/// entry contains no key for that device.
public struct EpochEntry: Hashable, Sendable {
  /// The new epoch, which is one more than the previous epoch.
  public var epoch: UInt32
  /// The new key for each remaining device, in ascending order of replicas.
  public var wraps: [KeyWrap]
  /// The replicas whose devices are revoked, in ascending order.
  public var revoked: [UInt64]

  /// Creates an epoch entry.
  public init(epoch: UInt32, wraps: [KeyWrap], revoked: [UInt64]) {
    self.epoch = epoch
    self.wraps = wraps
    self.revoked = revoked
  }

  /// The encoded entry, which is the content to seal.
  ///
  /// Both lists are written in ascending order.
  ///
  /// - Throws: ``WireError`` if a replica is listed twice, if a list is too long, or if the epoch
  ///   is the first epoch.
  public var bytes: [UInt8] {
    get throws(WireError) {
      let named = wraps.map(\.replica) + revoked
      guard epoch >= 2, Set(named).count == named.count,
        max(wraps.count, revoked.count) <= WireLimits.deviceCountMax
      else {
        throw WireError(
          .invalid, "epoch \(epoch) names a replica twice, or too many, or is the first")
      }
      var writer = ByteWriter(reserving: 16 + wraps.count * KeyWrap.byteCount)
      writer.u8(WireLimits.version)
      writer.u32be(epoch)
      writer.varint(UInt64(wraps.count))
      for wrap in wraps.sorted(by: { $0.replica < $1.replica }) { wrap.write(to: &writer) }
      writer.varint(UInt64(revoked.count))
      for replica in revoked.sorted() { writer.u64be(replica) }
      return writer.bytes
    }
  }

  /// Decodes an epoch entry.
  ///
  /// - Throws: ``WireError``; untrusted bytes are safe to pass.
  public init(bytes: [UInt8]) throws(WireError) {
    self = try decodeAll(bytes) { (reader) throws(WireError) in
      try reader.version()
      let epoch = try reader.u32()
      guard epoch >= 2 else { throw WireError(.invalid, at: 1, "epoch \(epoch) cannot be new") }
      var wraps: [KeyWrap] = []
      let most = WireLimits.deviceCountMax
      for _ in 0..<(try reader.count("wraps", most: most, eachAtLeast: KeyWrap.byteCount)) {
        wraps.append(try KeyWrap(&reader))
      }
      let place = reader.offset
      var revoked: [UInt64] = []
      for _ in 0..<(try reader.count("revoked devices", most: most, eachAtLeast: 8)) {
        revoked.append(try reader.u64())
      }
      let stay = wraps.map(\.replica)
      guard zip(stay, stay.dropFirst()).allSatisfy(<),
        zip(revoked, revoked.dropFirst()).allSatisfy(<), Set(stay).isDisjoint(with: revoked)
      else { throw WireError(.invalid, at: place, "devices are not in order, or named twice") }
      return EpochEntry(epoch: epoch, wraps: wraps, revoked: revoked)
    }
  }
}
