public import DaybookEntities

// JSON bodies other than `LogStatus`, `PushAnswer` and `RelayRefusal`, and the binary body of a
// manifest.

/// The response to a long poll: the position of the log's last entry.
public struct LongPollAnswer: Hashable, Sendable, Codable {
  /// The position of the log's last entry.
  public var head: UInt64

  /// Creates a response.
  public init(head: UInt64) { self.head = head }
}

/// A request to add a device.
public struct NewDevice: Hashable, Sendable, Codable {
  /// The device's name at the relay.
  public var name: String

  /// Creates a request.
  public init(name: String) { self.name = name }
}

/// The response to a request to add a device: the new device's token, of which the relay stores
/// only a hash.
public struct NewDeviceAnswer: Hashable, Sendable, Codable {
  /// The token (``DeviceToken``).
  public var token: String

  /// Creates a response.
  public init(token: String) { self.token = token }
}

/// A manifest with the digests of its chunks, which the relay can't read from the sealed manifest.
public struct ManifestBody: Hashable, Sendable {
  /// The manifest.
  public var manifest: SealedEntry
  /// The digests of the snapshot's chunks, in order.
  public var chunks: [Hash256]

  /// Creates a body.
  public init(_ manifest: SealedEntry, chunks: [Hash256]) {
    self.manifest = manifest
    self.chunks = chunks
  }

  /// The encoded body: the number of digests (u32), the digests, and the manifest's entry.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: 64 + chunks.count * Hash256.byteCount)
    writer.u32be(UInt32(chunks.count))
    for chunk in chunks { writer.hash(chunk) }
    writer.raw(manifest.bytes)
    return writer.bytes
  }

  /// Decodes a body.
  ///
  /// - Throws: ``WireError``; untrusted bytes are safe to pass.
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
