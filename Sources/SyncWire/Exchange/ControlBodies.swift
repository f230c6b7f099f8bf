public import Entities

// What travels as JSON beside `LogStatus`, `PushAnswer` and `RelayRefusal`, and the one other body of bytes.

/// What a ring answers: the position of the log's last entry.
public struct RingAnswer: Hashable, Sendable, Codable {
  /// The position.
  public var head: UInt64

  /// An answer.
  public init(head: UInt64) { self.head = head }
}

/// What a device says of another one that it lets in.
public struct NewDevice: Hashable, Sendable, Codable {
  /// What the relay is to call it.
  public var name: String

  /// A device by its name.
  public init(name: String) { self.name = name }
}

/// What it is answered: the token that the new device shows, which is not kept.
public struct NewDeviceAnswer: Hashable, Sendable, Codable {
  /// The token (``DeviceToken``).
  public var token: String

  /// An answer.
  public init(token: String) { self.token = token }
}

/// A manifest as it is sent: before it the digests of its chunks, for the relay, which cannot open it.
public struct ManifestBody: Hashable, Sendable {
  /// The manifest.
  public var manifest: SealedEntry
  /// The digests of its chunks, in order.
  public var chunks: [Hash256]

  /// A body.
  public init(_ manifest: SealedEntry, chunks: [Hash256]) {
    self.manifest = manifest
    self.chunks = chunks
  }

  /// Its bytes: count u32, the digests, the manifest's entry.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 64 + chunks.count * Hash256.byteCount)
    writer.u32be(UInt32(chunks.count))
    for chunk in chunks { writer.hash(chunk) }
    writer.raw(manifest.bytes)
    return writer.bytes
  }

  /// Reads a body.
  ///
  /// - Throws: ``WireError``; any bytes are safe to give.
  public init(bytes: [UInt8]) throws(WireError) {
    var reader = WireReader(bytes)
    let count = Int(try reader.u32())
    guard count <= WireLimits.chunkCountMax else {
      throw WireError(
        .tooLarge, at: 0, "\(count) chunks; a snapshot has at most \(WireLimits.chunkCountMax)")
    }
    var chunks: [Hash256] = []
    for _ in 0..<count { chunks.append(try reader.hash()) }
    self.init(try SealedEntry(bytes: try reader.raw(reader.rest)), chunks: chunks)
  }
}
