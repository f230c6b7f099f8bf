import Entities

/// A piece of a commit: the content of one entry of the log.
///
/// Most commits are one part. The parts of a commit follow each other in their replica's push numbers, others'
/// entries may stand between them; the commit is folded at the position of its last part.
public struct CommitPart: Hashable, Sendable {
  /// Which part it is, from 0.
  public var index: Int
  /// How many parts the commit has.
  public var count: Int
  /// Its piece of the commit's bytes.
  public var piece: [UInt8]

  /// Bytes of a commit in one part; what stands before a piece fits beside it.
  static let pieceByteCountMax = WireLimits.contentByteCountMax - 16

  /// Cuts a commit's bytes into parts.
  ///
  /// - Throws: ``WireError`` where it has more than ``WireLimits/commitByteCountMax`` bytes, or holds what no
  ///   reader takes.
  public static func parts(of commit: WireCommit) throws(WireError) -> [CommitPart] {
    try commit.check()
    return try parts(of: commit.bytes, pieceByteCount: pieceByteCountMax)
  }

  static func parts(of bytes: [UInt8], pieceByteCount: Int) throws(WireError) -> [CommitPart] {
    let count = (bytes.count + pieceByteCount - 1) / pieceByteCount
    guard bytes.count <= WireLimits.commitByteCountMax, count <= WireLimits.partCountMax else {
      throw WireError(
        .tooLarge,
        "a commit of \(bytes.count) bytes; \(WireLimits.commitByteCountMax) are allowed")
    }
    return (0..<count).map { index in
      let start = index * pieceByteCount
      let piece = Array(bytes[start..<min(start + pieceByteCount, bytes.count)])
      return CommitPart(index: index, count: count, piece: piece)
    }
  }

  /// The part's bytes: what is sealed.
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

  /// Reads a part.
  ///
  /// - Throws: ``WireError``; any bytes are safe to give.
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

/// Puts the parts of one replica's commits together, as they come.
public struct CommitAssembler: Sendable {
  private var pieces: [UInt8] = []
  private var next = 0
  private var count = 0

  /// Nothing has come yet.
  public init() {}

  /// Whether parts of a commit are there and others are to come.
  public var isWithinCommit: Bool { next > 0 }

  /// Takes the replica's next part.
  ///
  /// A first part begins anew: its author was interrupted, and cut the commit again.
  ///
  /// - Returns: The commit, where this was its last part.
  /// - Throws: ``WireError`` where the part is not the next one, or the commit cannot be read.
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
