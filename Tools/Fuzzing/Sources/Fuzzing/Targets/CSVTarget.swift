@testable import DaybookInterchange

extension FuzzTarget {
  /// CSV in every encoding: reading must not trap, and rows must survive being written and read
  /// again.
  ///
  /// The first byte selects the delimiter, quote and encoding.
  static let csv = FuzzTarget(
    name: "csv",
    seeds: { files in
      let texts =
        files.banks + files.files(in: files.data + "/reckon", endings: [".csv"])
        + files.files(in: files.data + "/minsapay", endings: [".csv"])
      return texts.flatMap { text in [0x00, 0x01, 0x40].map { [$0] + text } }
    },
    run: { bytes in
      guard let choice = bytes.first else { return }
      let delimiters: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C]
      let quotes: [UInt8?] = [0x22, 0x27, nil, 0x22]
      let format = CSVFormat(
        delimiter: delimiters[Int(choice & 3)], quote: quotes[Int(choice >> 2 & 3)])
      let encodings: [TextEncoding?] =
        [.utf8, nil, .latin1, .windows1252, .windows1250, .utf16, .utf8, nil]
      let raw = RawFile(Array(bytes.dropFirst()), name: "input")
      guard let file = try? raw.text(encodings[Int(choice >> 4 & 7)]) else { return }
      let rows = read(file.bytes, format)
      guard let quote = format.quote else { return }
      let written = write(rows, format, quote)
      require(read(written, format) == rows, "rows that are written are read again")
    })

  /// The fields of all readable records.
  private static func read(_ bytes: [UInt8], _ format: CSVFormat) -> [[String]] {
    var reader = CSVReader(format: format)
    var record = CSVRecord()
    let span = bytes.span
    var rows: [[String]] = []
    var line = 0
    while reader.offset < span.count {
      let start = reader.offset
      do throws(BadLine) {
        guard try reader.next(&record, in: span) else { break }
        require(record.line > line, "line \(record.line) comes after \(line)")
        line = record.line
        rows.append((0..<record.count).map { record.text($0, in: span) })
        _ = (0..<record.count).map { record.trimmedText($0, in: span) }
      } catch {
        // The error is on this line. The next record begins after the first line of the bad one.
        require(error.line > line, "bad line \(error.line) comes after \(line)")
        reader.skipLine(in: span)
      }
      require(reader.offset > start, "every record takes bytes")
    }
    return rows
  }

  private static func write(_ rows: [[String]], _ format: CSVFormat, _ quote: UInt8) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in rows {
      for (index, field) in row.enumerated() {
        if index > 0 { bytes.append(format.delimiter) }
        bytes.append(quote)
        for byte in field.utf8 {
          if byte == quote { bytes.append(quote) }
          bytes.append(byte)
        }
        bytes.append(quote)
      }
      bytes.append(0x0A)
    }
    return bytes
  }
}
