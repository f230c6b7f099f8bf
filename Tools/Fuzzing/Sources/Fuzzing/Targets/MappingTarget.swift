import DaybookBookkeeping
import Foundation

@testable import DaybookInterchange

extension FuzzTarget {
  /// A mapping and a file.
  ///
  /// Mappings, whether read or guessed for the file, must survive being written and read again, and
  /// must give the same rows with one and two threads. The input is the mapping's JSON, a NUL byte
  /// and the file's text. Without JSON, only the guess is tested.
  static let mapping = FuzzTarget(
    name: "mapping",
    seeds: { files in
      var seeds = files.files(in: files.project + "/Tests/OutsideData/mappings", endings: [".json"])
      for bank in files.banks {
        seeds.append([0] + bank)
        guard let sample = try? RawFile(bank, name: "bank").sample(),
          let guess = try? ImportMapping.guess(sample: sample)
        else { continue }
        // The rows after the first ones add nothing new for a mapping.
        let lines = sample.split(separator: 0x0A).prefix(guess.mapping.skipLines + 5)
        seeds.append(try [UInt8](guess.mapping.json()) + [0] + lines.joined(separator: [0x0A]))
      }
      return seeds
    },
    words: { files in files.words(of: "Interchange/Mapping") },
    run: { bytes in
      let end = bytes.firstIndex(of: 0) ?? bytes.count
      let text = Array(bytes[min(end + 1, bytes.count)...])
      let file = RawFile(text, name: "input")
      if end > 0, let mapping = try? ImportMapping(json: Data(bytes[..<end])) {
        written(mapping)
        apply(mapping, to: file)
      }
      if !text.isEmpty, let sample = try? file.sample(), sample.count <= 4_096,
        let guess = try? ImportMapping.guess(sample: sample)
      {
        written(guess.mapping)
        apply(guess.mapping, to: file)
      }
    })

  private static func written(_ mapping: ImportMapping) {
    let json = try? mapping.json()
    require(json != nil, "a mapping can be written")
    let again = json.flatMap { try? ImportMapping(json: $0) }
    require(again == mapping, "a mapping that is written is read again")
  }

  private static func apply(_ mapping: ImportMapping, to raw: RawFile) {
    _ = try? ImportLook(of: raw, mapping)
    guard let file = try? raw.text(mapping.encoding),
      let alone = try? MappedFile(file, mapping: mapping, aheadByteCountMin: .max)
    else { return }
    let ahead = try? MappedFile(file, mapping: mapping, aheadByteCountMin: 0)
    require(
      ahead?.rows == alone.rows && ahead?.badLines == alone.badLines
        && ahead?.badLineCount == alone.badLineCount
        && ahead?.skippedCount == alone.skippedCount,
      "two threads read what one reads")
  }
}
