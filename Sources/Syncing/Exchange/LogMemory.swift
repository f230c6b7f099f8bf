import Entities
import Replicas
import SyncWire

/// What a device remembers of the log that the fold does not read: how far its chain was checked, and the devices.
///
/// It is noted together with what was pulled (``Replica/Note``):
///
/// | key | value |
/// |---|---|
/// | `i` | the ledger's id at the relay, and the name of the copy that noted it, u64 |
/// | `c` | the chain: position u64, link 32 bytes, received zigzag, floor u64, then each replica u64 with its last push number varint |
/// | `n` | the incarnation of the relay's log up to where the chain was checked, u64 |
/// | `o` | what is added to this device's clock to have the relay's, in microseconds: zigzag; missing where they agree |
/// | `l`, position u64 | the chain's link there, above the floor |
/// | `s`, position u64 | this device's digest of State there, above the floor |
/// | `d`, replica u64 | a device |
/// | `k` | the position of the newest erasure: varint |
/// | `m` | when the floor was last moved, or the first entry was placed that this device knows of: zigzag |
struct LogMemory {
  /// The ledger's identity at its relay.
  let ledger: EntityID
  /// What this copy is called among the replicas; another name once it is found to be a restored one.
  var own: UInt64
  /// The reader of the log.
  var chain: LogChain
  /// The devices by their replicas.
  var devices: [UInt64: DeviceMemory] = [:]
  /// When the relay took the newest floor, or the first entry that is known here; `nil` before there was one.
  var floorMoved: Int64?
  /// The position of the newest erasure that is known here; 0 for none.
  var erased: UInt64 = 0
  /// Parts of commits that are not whole yet.
  var assemblers: [UInt64: CommitAssembler] = [:]

  /// The incarnation of the relay's log in which the chain was checked last; `nil` before it was.
  var incarnation: UInt64?

  /// What was added to this device's clock to have the relay's when it was asked last, in microseconds; 0 where they
  /// agreed to a minute.
  var clockOffset: Int64 = 0

  /// Whether some commit is not whole yet: then the chain is not noted, so that its parts are read again after a
  /// crash.
  var isWithinCommit: Bool { assemblers.values.contains(where: \.isWithinCommit) }

  /// A device that begins with a log, or with a snapshot.
  init(ledger: EntityID, own: UInt64, chain: LogChain) {
    self.ledger = ledger
    self.own = own
    self.chain = chain
  }

  /// What a replica noted, or `nil` where it noted nothing.
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
  /// What begins the keys of all that is known of the log.
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

  /// Which ledger it is, and whose.
  var identityNote: Replica.Note {
    var writer = ByteWriter(reserving: 24)
    writer.id(ledger)
    writer.u64be(own)
    return Replica.Note(Self.identityKey, writer.bytes)
  }

  /// How far the chain was checked.
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

  /// In which incarnation of the relay's log the chain was checked.
  static func incarnationNote(_ incarnation: UInt64) -> Replica.Note {
    var writer = ByteWriter(reserving: 8)
    writer.u64be(incarnation)
    return Replica.Note(incarnationKey, writer.bytes)
  }

  /// How far the clocks are apart.
  static func clockNote(_ offset: Int64) -> Replica.Note {
    var writer = ByteWriter(reserving: 10)
    writer.zigzag(offset)
    return Replica.Note(clockKey, offset == 0 ? nil : writer.bytes)
  }

  /// When the floor was moved.
  var floorNote: Replica.Note {
    var writer = ByteWriter(reserving: 10)
    if let floorMoved { writer.zigzag(floorMoved) }
    return Replica.Note(Self.floorKey, floorMoved == nil ? nil : writer.bytes)
  }

  /// Where the newest erasure is.
  var erasedNote: Replica.Note {
    var writer = ByteWriter(reserving: 10)
    writer.varint(erased)
    return Replica.Note(Self.erasedKey, writer.bytes)
  }

  /// What is known of a device.
  func deviceNote(_ replica: UInt64) -> Replica.Note {
    Replica.Note(Self.deviceKey(replica), devices[replica]?.bytes)
  }
}

/// What the log says of a device.
struct DeviceMemory: Hashable, Sendable {
  /// What its owner calls it.
  var name: String
  /// What keys are wrapped for.
  var publicKey: DevicePublicKey
  /// Up to which position it had seen the log when it last wrote.
  var base: UInt64 = 0
  /// When the relay took its last entry, in microseconds since 1970.
  var received: Int64 = 0
  /// Whether it was turned away.
  var isRevoked = false
  /// Where it last said what its State is, and whether that was equal to this device's.
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
