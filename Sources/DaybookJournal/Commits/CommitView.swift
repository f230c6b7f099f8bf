public import DaybookEntities

/// A commit in the journal, read in place; only requested values are copied.
public struct CommitView: ~Escapable {
  /// The commit's number in the ledger's history.
  public let sequence: UInt64
  /// The complete commit: link and body.
  let bytes: RawSpan
  let schema: Schema
  let flags: UInt8
  /// The hybrid logical clock.
  public let hlc: UInt64
  /// The wall-clock time of the writing device, in microseconds since 1970 (UTC).
  public let wallMicroseconds: Int64
  /// The replica that first wrote the commit.
  public let replica: UInt64
  /// The commit's sequence on the replica that first wrote it.
  public let originSequence: UInt64
  /// The number of changes.
  public let changeCount: Int
  let sourceRange: Range<Int>
  let kindsStart: Int
  let kindCount: Int
  let privateStart: Int
  let changesStart: Int

  /// Creates a view of a stored commit.
  ///
  /// - Throws: `JournalError` if the bytes are damaged, or have a format, kind or version that this
  ///   process doesn't support. Kinds and versions aren't checked if `checkingKinds` is `false`.
  @_lifetime(copy bytes)
  package init(
    _ bytes: RawSpan, sequence: UInt64, schema: Schema, checkingKinds: Bool = true
  ) throws(JournalError) {
    self.sequence = sequence
    self.bytes = bytes
    self.schema = schema
    do {
      var reader = ByteReader(bytes)
      _ = try reader.skip(Hash256.byteCount)
      let version = try reader.u8()
      guard version == Layout.bodyVersion else { throw ViewFault.version(version) }
      flags = try reader.u8()
      guard flags < 3 else { throw ViewFault.decoding(.invalidValue("header flags \(flags)")) }
      hlc = try reader.u64be()
      wallMicroseconds = Int64(bitPattern: try reader.u64be())
      replica = try reader.u64be()
      originSequence = try reader.varint()
      let sourceByteCount = try reader.count()
      let sourceStart = try reader.skip(sourceByteCount)
      sourceRange = sourceStart..<sourceStart + sourceByteCount
      changeCount = try reader.count()
      kindCount = try reader.count()
      kindsStart = reader.offset
      var last = -1
      for _ in 0..<kindCount {
        let kind = try reader.u8()
        let version = try reader.u8()
        guard Int(kind) > last else {
          throw ViewFault.decoding(.invalidValue("kind \(kind) after \(last)"))
        }
        last = Int(kind)
        if checkingKinds {
          guard let known = schema[EntityKind(rawValue: kind)]?.newestVersion else {
            throw ViewFault.kind(kind)
          }
          guard version <= known, version > 0 else { throw ViewFault.kindVersion(kind, version) }
        }
        let tagCount = try reader.u8()
        _ = try reader.skip(Int(tagCount))
      }
      privateStart = reader.offset
      try CommitView.skipPrivate(flags, &reader)
      changesStart = reader.offset
    } catch let fault as ViewFault {
      throw fault.error(at: sequence, schema)
    } catch let fault as DecodingFault {
      throw ViewFault.decoding(fault).error(at: sequence, schema)
    } catch {
      throw JournalError(.damagedCommit, "Commit \(sequence) can't be read.", cause: error)
    }
  }

  private static func skipPrivate(_ flags: UInt8, _ reader: inout ByteReader) throws {
    if flags & Layout.headerErased != 0 {
      _ = try reader.skip(Hash256.byteCount)
    } else if flags & Layout.headerPrivate != 0 {
      _ = try reader.skip(Layout.saltByteCount)
      let author = try reader.count()
      _ = try reader.skip(author)
      let key = try reader.varint()
      guard key > 0 else { return }
      guard key - 1 <= UInt64(reader.span.byteCount) else {
        throw DecodingFault.truncated(atByte: reader.offset)
      }
      _ = try reader.skip(Int(key - 1))
      _ = try reader.skip(Hash256.byteCount)
    }
  }

  /// The commit's link in the hash chain.
  public var link: Hash256 {
    get throws {
      var reader = ByteReader(bytes)
      return try reader.hash()
    }
  }

  /// The commit's metadata.
  public var header: CommitHeader {
    get throws {
      do {
        var reader = ByteReader(bytes)
        let link = try reader.hash()
        reader.offset = sourceRange.lowerBound
        let source = try reader.text(sourceRange.count)
        var header = CommitHeader(
          sequence: sequence, wallMicroseconds: wallMicroseconds, hlc: hlc, author: nil,
          source: source, replica: replica, originSequence: originSequence, idempotencyKey: nil,
          requestDigest: nil, isErased: flags & Layout.headerErased != 0,
          changeCount: changeCount, link: link)
        guard flags & Layout.headerPrivate != 0 else { return header }
        reader.offset = privateStart + Layout.saltByteCount
        let author = try reader.string()
        header.author = author.isEmpty ? nil : author
        let key = try reader.varint()
        if key > 0 {
          header.idempotencyKey = try reader.bytes(Int(truncatingIfNeeded: key - 1))
          header.requestDigest = try reader.hash()
        }
        return header
      } catch {
        throw ViewFault.decoding(error).error(at: sequence, schema)
      }
    }
  }

  /// The kinds of the commit's changes, in ascending order.
  public var kinds: [EntityKind] {
    get throws {
      var kinds: [EntityKind] = []
      var reader = ByteReader(bytes)
      reader.offset = kindsStart
      for _ in 0..<kindCount {
        kinds.append(EntityKind(rawValue: try reader.u8()))
        _ = try reader.u8()
        let tagCount = try reader.u8()
        _ = try reader.skip(Int(tagCount))
      }
      return kinds
    }
  }
}

/// A fault in a commit's bytes.
enum ViewFault: Error {
  case version(UInt8)
  case kind(UInt8)
  case kindVersion(UInt8, UInt8)
  case decoding(DecodingFault)

  func error(at sequence: UInt64, _ schema: Schema) -> JournalError {
    switch self {
    case .version(let version):
      JournalError(
        .newerFormat,
        "Commit \(sequence) has format \(version), but this version of Daybook supports only "
          + "formats up to \(Layout.bodyVersion). Use the newer version that wrote it.",
        sequence: sequence)
    case .kind(let kind):
      unknownKind(kind, name: nil, sequence)
    case .kindVersion(let kind, let version):
      newerKind(kind, version, schema, sequence)
    case .decoding(let fault):
      JournalError(
        .damagedCommit,
        "Commit \(sequence) is damaged: run verify, and restore from a backup.",
        sequence: sequence, cause: fault)
    }
  }
}

func unknownKind(_ kind: UInt8, name: String?, _ sequence: UInt64) -> JournalError {
  let named = name.map { "\(kind) (\($0))" } ?? "\(kind)"
  return JournalError(
    .unknownKind,
    "Unknown kind \(named) at sequence \(sequence): written by a newer version or another app; "
      + "opened read-only. Use a version that knows the kind.", sequence: sequence)
}

func newerKind(
  _ kind: UInt8, _ version: UInt8, _ schema: Schema, _ sequence: UInt64
) -> JournalError {
  let known = schema[EntityKind(rawValue: kind)]
  return JournalError(
    .unknownKind,
    "Kind \(kind) (\(known?.name ?? "?")) has version \(version) at sequence \(sequence), but "
      + "this process knows only versions 1 to \(known?.newestVersion ?? 0): written by a newer "
      + "version; opened read-only. Update to that version.", sequence: sequence)
}
