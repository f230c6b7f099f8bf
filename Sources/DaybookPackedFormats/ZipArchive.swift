import DaybookFormats

/// The files of a zip archive, which are listed in the central directory at its end.
struct ZipArchive {
  private struct Entry {
    var name: ArraySlice<UInt8>
    var isEncrypted: Bool
    var method: Int
    var checksum: UInt32
    var packedByteCount: Int
    var byteCount: Int
    var headerOffset: Int
  }

  private let bytes: [UInt8]
  private let path: String
  private var entries: [Entry] = []

  /// Returns whether the bytes begin with the signature of a zip archive.
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

  /// Reads the central directory.
  /// - Throws: `InterchangeError` with code `format`.
  init(_ file: RawFile) throws(InterchangeError) {
    bytes = file.bytes
    path = file.name
    guard let end = endOfList() else {
      throw fault("The zip has no list of files at its end.", "It was truncated: get it again.")
    }
    guard let count = number(end + 10, 2), let offset = number(end + 16, 4),
      count != 0xFFFF, offset != 0xFFFF_FFFF
    else {
      throw fault(
        "The zip has the format for very large files, which isn't supported.", "Unpack it.")
    }
    var place = offset
    for _ in 0..<count {
      guard let entry = entry(&place) else {
        throw fault("The zip’s list of files is damaged.", "Get the file again.")
      }
      entries.append(entry)
    }
  }

  /// Returns the contents of the first file with the given name, in any folder, or `nil` if there
  /// is none.
  /// - Throws: `InterchangeError` with code `format` if the file is damaged, encrypted or too
  ///   large.
  func content(_ name: String, byteCountMax: Int) throws(InterchangeError) -> [UInt8]? {
    let wanted = Array(name.utf8)
    let found = entries.first {
      $0.name.suffix(wanted.count).elementsEqual(wanted)
        && ($0.name.count == wanted.count || $0.name.dropLast(wanted.count).last == 0x2F)
    }
    guard let entry = found else { return nil }
    guard !entry.isEncrypted else {
      throw fault("“\(name)” in the zip is encrypted.", "Export it without a password.")
    }
    // The lengths in the local header may differ from those in the central directory.
    guard number(entry.headerOffset, 4) == 0x0403_4B50,
      let nameCount = number(entry.headerOffset + 26, 2),
      let extraCount = number(entry.headerOffset + 28, 2)
    else { throw damaged(name) }
    let start = entry.headerOffset + 30 + nameCount + extraCount
    guard start <= bytes.count, entry.packedByteCount <= bytes.count - start else {
      throw damaged(name)
    }
    let packed = bytes[start..<start + entry.packedByteCount]
    let content: [UInt8]
    switch entry.method {
    case 0: content = Array(packed)
    case 8:
      do {
        let limit = min(entry.byteCount, byteCountMax)
        content = try Inflater.inflate(packed, .none, byteCountMax: limit)
      } catch {
        throw error.refusal("“\(name)” in the zip", path: path)
      }
    default:
      throw fault(
        "“\(name)” in the zip uses an unknown compression method (\(entry.method)).",
        "Compress it again with a common method.")
    }
    guard content.count == entry.byteCount, Inflater.checksum(content) == entry.checksum else {
      throw damaged(name)
    }
    return content
  }

  private func damaged(_ name: String) -> InterchangeError {
    fault("“\(name)” in the zip is damaged.", "Get the file again.")
  }

  private func fault(_ message: String, _ remedy: String) -> InterchangeError {
    InterchangeError(.format, message, remedy: remedy, path: path)
  }

  /// Returns the offset of the end record of the central directory, which may be followed by a
  /// comment of up to 64 KiB.
  private func endOfList() -> Int? {
    var place = bytes.count - 22
    let least = max(0, place - 0xFFFF)
    while place >= least {
      if number(place, 4) == 0x0605_4B50, let comment = number(place + 20, 2),
        place + 22 + comment <= bytes.count
      {
        return place
      }
      place -= 1
    }
    return nil
  }

  private func entry(_ place: inout Int) -> Entry? {
    guard number(place, 4) == 0x0201_4B50, let flags = number(place + 8, 2),
      let method = number(place + 10, 2), let checksum = number(place + 16, 4),
      let packed = number(place + 20, 4), let byteCount = number(place + 24, 4),
      let nameCount = number(place + 28, 2), let extraCount = number(place + 30, 2),
      let commentCount = number(place + 32, 2), let offset = number(place + 42, 4),
      place + 46 + nameCount <= bytes.count
    else { return nil }
    let name = bytes[place + 46..<place + 46 + nameCount]
    place += 46 + nameCount + extraCount + commentCount
    return Entry(
      name: name, isEncrypted: flags & 1 != 0, method: method, checksum: UInt32(checksum),
      packedByteCount: packed, byteCount: byteCount, headerOffset: offset)
  }

  /// Returns a little-endian number, or `nil` if the file is too short.
  private func number(_ place: Int, _ byteCount: Int) -> Int? {
    guard place >= 0, place <= bytes.count - byteCount else { return nil }
    var value = 0
    for index in 0..<byteCount { value |= Int(bytes[place + index]) << (8 * index) }
    return value
  }
}
