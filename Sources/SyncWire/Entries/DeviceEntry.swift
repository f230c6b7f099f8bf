import Entities

/// A device's name and public key: its replica's first entry in the log.
public struct DeviceEntry: Hashable, Sendable {
  /// What its owner calls it: "Anna's phone".
  public var name: String
  /// What others wrap keys for.
  public var publicKey: DevicePublicKey

  /// A device.
  public init(name: String, publicKey: DevicePublicKey) {
    self.name = name
    self.publicKey = publicKey
  }

  /// Its bytes: what is sealed.
  ///
  /// - Throws: ``WireError`` where the name has more than ``WireLimits/nameByteCountMax`` bytes.
  public var bytes: [UInt8] {
    get throws(WireError) {
      guard name.utf8.count <= WireLimits.nameByteCountMax else {
        throw WireError(
          .tooLarge,
          "a device's name of \(name.utf8.count) bytes; \(WireLimits.nameByteCountMax) are allowed")
      }
      var writer = ByteWriter(reserving: 64)
      writer.u8(WireLimits.version)
      writer.string(name)
      writer.raw(publicKey.bytes)
      return writer.bytes
    }
  }

  /// Reads a device.
  ///
  /// - Throws: ``WireError``; any bytes are safe to give.
  public init(bytes: [UInt8]) throws(WireError) {
    self = try decodeAll(bytes) { (reader) throws(WireError) in
      try reader.version()
      let name = try reader.text("a device's name", most: WireLimits.nameByteCountMax)
      let key = DevicePublicKey(unchecked: try reader.raw(DevicePublicKey.byteCount))
      return DeviceEntry(name: name, publicKey: key)
    }
  }
}

/// A new key, wrapped for each device that stays: what revokes a device.
///
/// The entry is sealed with the key of the epoch before. A revoked device can read it, and finds no wrap.
public struct EpochEntry: Hashable, Sendable {
  /// The new epoch: one more than the one before.
  public var epoch: UInt32
  /// The new key for each device that stays, in ascending order of replicas.
  public var wraps: [KeyWrap]
  /// The replicas whose devices are revoked, ascending.
  public var revoked: [UInt64]

  /// A new epoch.
  public init(epoch: UInt32, wraps: [KeyWrap], revoked: [UInt64]) {
    self.epoch = epoch
    self.wraps = wraps
    self.revoked = revoked
  }

  /// Its bytes: what is sealed.
  ///
  /// Both lists are written in order.
  ///
  /// - Throws: ``WireError`` where a replica is named twice, a list is too long, or the epoch is the first.
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

  /// Reads a new epoch.
  ///
  /// - Throws: ``WireError``; any bytes are safe to give.
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
