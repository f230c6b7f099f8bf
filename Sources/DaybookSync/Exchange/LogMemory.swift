import DaybookEntities
import DaybookReplicas
import DaybookSyncWire

/// A device's data about the log that the fold doesn't use: the verified part of the chain, and the
/// devices.
///
/// It is stored as notes, in the same transaction as the pulled entries (``Replica/Note``):
///
/// | key | value |
/// |---|---|
/// | `i` | the ledger's id at the relay, and the replica of the copy that stored it, u64 |
/// | `c` | the chain: position u64, link 32 bytes, received zigzag, floor u64, then each replica u64 with its last push number varint |
/// | `n` | the incarnation of the relay's log in which the chain was last checked, u64 |
/// | `o` | the offset from this device's clock to the relay's, in microseconds: zigzag; missing if they agree |
/// | `l`, position u64 | the chain's link there, above the floor |
/// | `s`, position u64 | this device's digest of State there, above the floor |
/// | `d`, replica u64 | a device |
/// | `k` | the position of the newest erasure: varint |
/// | `m` | when the floor last moved, or when the first entry known to this device was placed: zigzag |
struct LogMemory {
  /// The ledger's id at its relay.
  let ledger: EntityID
  /// The replica of this copy; a restored copy gets a new replica.
  var own: UInt64
  /// The verified chain of the log.
  var chain: LogChain
  /// The devices, keyed by replica.
  var devices: [UInt64: DeviceMemory] = [:]
  /// When the relay received the newest floor or, if there is no floor, the first entry known to
  /// this device; `nil` if there is neither.
  var floorMoved: Int64?
  /// The position of the newest erasure known to this device; 0 if there is none.
  var erased: UInt64 = 0
  /// The parts of incomplete commits, by replica.
  var assemblers: [UInt64: CommitAssembler] = [:]

  /// The incarnation of the relay's log in which the chain was last checked; `nil` before the first
  /// check.
  var incarnation: UInt64?

  /// The offset from this device's clock to the relay's at the last request, in microseconds; 0 if
  /// it was less than a minute.
  var clockOffset: Int64 = 0

  /// Whether a commit is still incomplete.
  ///
  /// In that case, the chain isn't saved, so that the commit's parts are read again after a crash.
  var isWithinCommit: Bool { assemblers.values.contains(where: \.isWithinCommit) }

  /// Creates the memory of a device that starts with an empty log or with a snapshot.
  init(ledger: EntityID, own: UInt64, chain: LogChain) {
    self.ledger = ledger
    self.own = own
    self.chain = chain
  }

  /// Reads the memory that a replica saved; returns `nil` if there is none.
  init?(_ replica: Replica) async throws {
    guard let identity = try await replica.note(Self.identityKey),
      let chain = try await replica.note(Self.chainKey)
    else { return nil }
    var reader = ByteReader(identity)
    ledger = try reader.id()
    own = try reader.u64be()
    var rest = ByteReader(chain)
    let end = LogEnd(
      position: try rest.u64be(), link: Hash256(try rest.bytes(32)) ?? .zero,
      received: try rest.zigzag())
    let floor = try rest.u64be()
    var numbers: [UInt64: UInt64] = [:]
    while !rest.isAtEnd { numbers[try rest.u64be()] = try rest.varint() }
    self.chain = LogChain(from: end, floor: floor, numbers: numbers)
    if let incarnation = try await replica.note(Self.incarnationKey) {
      var reader = ByteReader(incarnation)
      self.incarnation = try reader.u64be()
    }
    if let offset = try await replica.note(Self.clockKey) {
      var reader = ByteReader(offset)
      clockOffset = try reader.zigzag()
    }
    if let moved = try await replica.note(Self.floorKey) {
      var reader = ByteReader(moved)
      floorMoved = try reader.zigzag()
    }
    if let noted = try await replica.note(Self.erasedKey) {
      var reader = ByteReader(noted)
      erased = try reader.varint()
    }
    for note in try await replica.notes([UInt8(ascii: "d")]) {
      guard let value = note.value else { continue }
      var key = ByteReader(note.key)
      _ = try key.u8()
      devices[try key.u64be()] = try DeviceMemory(value)
    }
  }

  static let identityKey = [UInt8(ascii: "i")]
  static let chainKey = [UInt8(ascii: "c")]
  static let incarnationKey = [UInt8(ascii: "n")]
  static let clockKey = [UInt8(ascii: "o")]
  static let floorKey = [UInt8(ascii: "m")]
  static let erasedKey = [UInt8(ascii: "k")]
  /// The key prefixes of all notes about the log, each one byte.
  static let notesOfLog = "icmnklsd".utf8.map { [$0] }

  static func linkKey(_ position: UInt64) -> [UInt8] { key("l", position) }
  static func stateKey(_ position: UInt64) -> [UInt8] { key("s", position) }
  static func deviceKey(_ replica: UInt64) -> [UInt8] { key("d", replica) }

  private static func key(_ letter: Unicode.Scalar, _ number: UInt64) -> [UInt8] {
    var writer = ByteWriter(reserving: 9)
    writer.u8(UInt8(ascii: letter))
    writer.u64be(number)
    return writer.bytes
  }

  /// The note that contains the ledger's id and this copy's replica.
  var identityNote: Replica.Note {
    var writer = ByteWriter(reserving: 24)
    writer.id(ledger)
    writer.u64be(own)
    return Replica.Note(Self.identityKey, writer.bytes)
  }

  /// The note that contains the verified end of the chain.
  var chainNote: Replica.Note {
    var writer = ByteWriter(reserving: 96)
    writer.u64be(chain.end.position)
    writer.raw(chain.end.link.bytes)
    writer.zigzag(chain.end.received)
    writer.u64be(chain.floor)
    for (replica, number) in chain.numbers.sorted(by: { $0.key < $1.key }) {
      writer.u64be(replica)
      writer.varint(number)
    }
    return Replica.Note(Self.chainKey, writer.bytes)
  }

  /// Returns the note that contains the incarnation in which the chain was checked.
  static func incarnationNote(_ incarnation: UInt64) -> Replica.Note {
    var writer = ByteWriter(reserving: 8)
    writer.u64be(incarnation)
    return Replica.Note(incarnationKey, writer.bytes)
  }

  /// Returns the note that contains the clock offset.
  static func clockNote(_ offset: Int64) -> Replica.Note {
    var writer = ByteWriter(reserving: 10)
    writer.zigzag(offset)
    return Replica.Note(clockKey, offset == 0 ? nil : writer.bytes)
  }

  /// The note that contains the time at which the floor last moved.
  var floorNote: Replica.Note {
    var writer = ByteWriter(reserving: 10)
    if let floorMoved { writer.zigzag(floorMoved) }
    return Replica.Note(Self.floorKey, floorMoved == nil ? nil : writer.bytes)
  }

  /// The note that contains the position of the newest erasure.
  var erasedNote: Replica.Note {
    var writer = ByteWriter(reserving: 10)
    writer.varint(erased)
    return Replica.Note(Self.erasedKey, writer.bytes)
  }

  /// Returns the note that describes a device.
  func deviceNote(_ replica: UInt64) -> Replica.Note {
    Replica.Note(Self.deviceKey(replica), devices[replica]?.bytes)
  }
}

/// The log's data about a device.
struct DeviceMemory: Hashable, Sendable {
  /// The name that the device's owner chose.
  var name: String
  /// The device's public key, for which ledger keys are wrapped.
  var publicKey: DevicePublicKey
  /// The log position that the device had seen when it last wrote an entry.
  var base: UInt64 = 0
  /// When the relay received the device's last entry, in microseconds since 1970.
  var received: Int64 = 0
  /// Whether the device was revoked.
  var isRevoked = false
  /// The device's last proof of its State, compared with this device's State.
  var proof: StateProof?

  init(_ entry: DeviceEntry) {
    name = entry.name
    publicKey = entry.publicKey
  }

  init(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    name = try reader.string()
    guard let key = DevicePublicKey(bytes: try reader.bytes(DevicePublicKey.byteCount)) else {
      throw DecodingFault.invalidValue("a device's key")
    }
    publicKey = key
    base = try reader.varint()
    received = try reader.zigzag()
    isRevoked = try reader.u8() != 0
    if try reader.u8() != 0 {
      proof = StateProof(
        position: try reader.varint(), received: try reader.zigzag(),
        isEqual: try reader.u8() != 0)
    }
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 96)
    writer.string(name)
    writer.raw(publicKey.bytes)
    writer.varint(base)
    writer.zigzag(received)
    writer.u8(isRevoked ? 1 : 0)
    writer.u8(proof == nil ? 0 : 1)
    if let proof {
      writer.varint(proof.position)
      writer.zigzag(proof.received)
      writer.u8(proof.isEqual ? 1 : 0)
    }
    return writer.bytes
  }
}
