import DaybookInterchange

@testable import DaybookPackedFormats

extension FuzzTarget {
  /// Packed files: gzip and zip must be unpacked or rejected, and packed data must be unpacked
  /// unchanged.
  static let packed = FuzzTarget(
    name: "packed",
    seeds: { _ in
      let text = Array(String(repeating: "2026-01-01,1.00,Bread\n", count: 90).utf8)
      let files = [
        (name: "a/db.sqlite", bytes: text), (name: "metadata.json", bytes: [0x7B, 0x7D]),
      ]
      let gzip = Packing.deflate(text, gzip: true)
      return [
        gzip, gzip + gzip, gzip + [0, 0], Packing.zip(files), Packing.zip(files, stores: true),
        Packing.zip(files, flags: 1), Packing.zip(files, comment: "a comment"), text,
      ]
    },
    run: { bytes in
      let file = RawFile(bytes, name: "input")
      let unpacked = try? PackedFile.unpacked(file)
      if !bytes.starts(with: [0x1F, 0x8B]) {
        require(unpacked?.bytes == bytes, "a file that is not packed stays as it is")
      }
      if let zip = try? ZipArchive(file) {
        for name in ["db.sqlite", "metadata.json"] {
          let content = try? zip.content(name, byteCountMax: 1 << 22)
          require((content?.count ?? 0) <= max(1 << 22, bytes.count), "what is unpacked is bounded")
        }
      }
      let packed = RawFile(Packing.deflate(bytes, gzip: true), name: "input")
      require((try? PackedFile.unpacked(packed))?.bytes == bytes, "gzip is unpacked as it was")
      let again = try? ZipArchive(RawFile(Packing.zip([("a", bytes)]), name: "input"))
        .content("a", byteCountMax: 1 << 24)
      require(again == bytes, "a zip is unpacked as it was")
    })
}
