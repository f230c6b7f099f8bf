import DaybookEntities

/// A part of a commit: the content of one entry of the log.
///
/// Most commits have one part. The parts of a commit have consecutive push numbers, but entries of
/// other replicas may lie between them in the log. The commit is folded at the position of its last
/// part.
public struct CommitPart: Hashable, Sendable {
  /// The part's index, starting at 0.
  public var index: Int
  /// The number of parts of the commit.
  public var count: Int
  /// The part's piece of the commit's bytes.
  public var piece: [UInt8]

  /// The maximum size of a piece in bytes, which leaves room for the fields before it.
  static let pieceByteCountMax = WireLimits.contentByteCountMax - 16

  /// Splits a commit into parts.
  ///
  /// - Throws: ``WireError`` if the commit has more than ``WireLimits/commitByteCountMax`` bytes,
  ///   or contains a value that readers refuse.
  public static func parts(of commit: WireCommit) throws(WireError) -> [CommitPart] {
    try commit.check()
    return try parts(of: commit.bytes, pieceByteCount: pieceByteCountMax)
  }

  static func parts(of bytes: [UInt8], pieceByteCount: Int) throws(WireError) -> [CommitPart] {
    let count = (bytes.count + pieceByteCount - 1) / pieceByteCount
    guard bytes.count <= WireLimits.commitByteCountMax, count <= WireLimits.partCountMax else {
      throw WireError(
        .tooLarge,
        "a commit of \(bytes.count) bytes exceeds the limit of \(WireLimits.commitByteCountMax)")
    }
    return (0..<count).map { index in
      let start = index * pieceByteCount
      let piece = Array(bytes[start..<min(start + pieceByteCount, bytes.count)])
      return CommitPart(index: index, count: count, piece: piece)
    }
  }

  /// The encoded part, which is the content to seal.
  public var bytes: [UInt8] {
    var writer = ByteWriter(reserving: piece.count + 16)
    writer.u8(WireLimits.version)
    writer.varint(UInt64(index))
    writer.varint(UInt64(count))
    writer.raw(piece)
    return writer.bytes
  }

  private init(index: Int, count: Int, piece: [UInt8]) {
    self.index = index
    self.count = count
    self.piece = piece
  }

  /// Decodes a part.
  ///
  /// - Throws: ``WireError``; untrusted bytes are safe to pass.
  public init(bytes: [UInt8]) throws(WireError) {
    var reader = WireReader(bytes)
    try reader.version()
    let index = try reader.varint()
    let count = try reader.varint()
    guard count <= UInt64(WireLimits.partCountMax), index < count else {
      throw WireError(.invalid, at: 1, "part \(index) of \(count)")
    }
    guard reader.rest > 0 else {
      throw WireError(.truncated, at: reader.offset, "a part without bytes")
    }
    self.init(index: Int(index), count: Int(count), piece: try reader.raw(reader.rest))
  }
}

/// Assembles one replica's commits from their parts, in order.
public struct CommitAssembler: Sendable {
  private var pieces: [UInt8] = []
  private var next = 0
  private var count = 0

  /// Creates an assembler without any parts.
  public init() {}

  /// Whether a commit is incomplete: some of its parts have been added, and others are missing.
  public var isWithinCommit: Bool { next > 0 }

  /// Adds the replica's next part.
  ///
  /// A commit's first part discards any earlier parts: the author was interrupted, and split the
  /// commit again.
  ///
  /// - Returns: The commit, if `part` was its last part.
  /// - Throws: ``WireError`` if the part isn't the next one, or the commit can't be decoded.
  public mutating func take(_ part: CommitPart) throws(WireError) -> WireCommit? {
    if part.index == 0 { self = CommitAssembler() }
    guard part.index == next, next == 0 || part.count == count else {
      throw WireError(
        .invalid, "part \(part.index) of \(part.count) came where \(next) of \(count) was due")
    }
    guard pieces.count + part.piece.count <= WireLimits.commitByteCountMax else {
      throw WireError(
        .tooLarge, "a commit of more than \(WireLimits.commitByteCountMax) bytes")
    }
    pieces += part.piece
    count = part.count
    next += 1
    guard next == count else { return nil }
    let bytes = pieces
    self = CommitAssembler()
    return try WireCommit(bytes: bytes)
  }
}
