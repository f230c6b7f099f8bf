import DaybookLMDB

/// The balances of rows that can't be read: the first one, and their number.
struct BadBalances: Sendable {
  private var first: BadLine?
  private var count = 0

  mutating func add(_ fault: BadLine) {
    first = first ?? fault
    count += 1
  }

  mutating func append(_ other: BadBalances, linesBefore lines: Int) {
    guard var fault = other.first else { return }
    fault.line += lines
    first = first ?? fault
    count += other.count
  }

  /// A notice about the balances, or `nil` if there are none.
  var notice: FileNotice? {
    first.map { fault in
      let times = count == 1 ? "" : " (\(count) times in the file)"
      return FileNotice(line: fault.line, "Skipped the balance of a row\(times): \(fault.reason)")
    }
  }
}

/// The result of applying a mapping to a part of a file, and the position of the next record.
struct MappedPart: Sendable {
  var rows: [StatementRow] = []
  /// The bad lines, at most `MappedFile.badLineCountMax`.
  var badLines: [BadLine] = []
  var badLineCount = 0
  var skippedCount = 0
  /// The balances that can't be read.
  private(set) var badBalances = BadBalances()
  private(set) var reader: CSVReader
  private var mapper: RowMapper

  init(_ reader: CSVReader, _ mapper: RowMapper) {
    self.reader = reader
    self.mapper = mapper
  }

  /// Reads all remaining records.
  ///
  /// A second thread reads the second half of a long file concurrently, starting at a line that is
  /// likely to be the start of a record. The second half is read again, and the thread's result is
  /// discarded, if the first half doesn't end at that line, if the halves have different numbers of
  /// columns, or if the second half has bad lines. For bad lines this is necessary because their
  /// messages may contain line numbers, which depend on the first half.
  ///
  /// - Parameters:
  ///   - other: An equal mapper for the other thread, created separately. If the mappers shared
  ///     arrays, the threads would wait for each other at every row to update reference counts.
  ///   - aheadByteCountMin: The minimum number of remaining bytes for using a second thread.
  /// - Returns: Whether the second thread's result was used.
  mutating func readRest(
    of bytes: [UInt8], with other: RowMapper, aheadByteCountMin: Int,
    _ progress: ((Double) -> Void)?
  ) -> Bool {
    let start = reader.offset
    rows.reserveCapacity(MappedPart.rowCount(of: bytes.count - start))
    if bytes.count - start >= max(aheadByteCountMin, 2) {
      let ahead = CSVReader(
        format: reader.format, lineAfter: start + (bytes.count - start) / 2, in: bytes.span)
      let split = ahead.offset
      let begun = MappedPart(ahead, other)
      let second = Ahead {
        var part = begun
        part.rows.reserveCapacity(MappedPart.rowCount(of: bytes.count - part.reader.offset))
        part.read(until: bytes.count, of: bytes, nil)
        return part
      }
      read(until: split, of: bytes, progress)
      if reader.offset != split {
        second.drop()
      } else if let part = second.wait(), part.badLineCount == 0,
        part.mapper.columnCount == mapper.columnCount
      {
        append(part)
        return true
      }
    }
    read(until: bytes.count, of: bytes, progress)
    return false
  }

  /// Estimates the number of rows in a number of bytes.
  fileprivate static func rowCount(of byteCount: Int) -> Int { min(byteCount / 48, 1 << 20) }

  /// Reads records until one begins at or after an offset.
  fileprivate mutating func read(
    until end: Int, of bytes: [UInt8], _ progress: ((Double) -> Void)?
  ) {
    let bytes = bytes.span
    var record = CSVRecord()
    var count = 0
    while reader.offset < end {
      do {
        guard try reader.next(&record, in: bytes) else { return }
      } catch {
        note(error)
        reader.skipLine(in: bytes)
        continue
      }
      do {
        if let row = try mapper.row(record, in: bytes) {
          rows.append(row)
          if let fault = mapper.badBalance { badBalances.add(fault) }
        } else {
          skippedCount += 1
        }
      } catch {
        var line = error
        line.hasMoney = mapper.hasMoney(record, in: bytes)
        note(line)
      }
      count += 1
      if let progress, count % 4_096 == 0 {
        progress(Double(reader.offset) / Double(bytes.count))
      }
    }
  }

  /// Appends the second thread's result, whose line numbers start from 1.
  private mutating func append(_ part: MappedPart) {
    let lines = reader.line - 1
    rows.reserveCapacity(rows.count + part.rows.count)
    for var row in part.rows {
      row.line += lines
      rows.append(row)
    }
    skippedCount += part.skippedCount
    badBalances.append(part.badBalances, linesBefore: lines)
    reader = part.reader
  }

  private mutating func note(_ line: BadLine) {
    badLineCount += 1
    if badLines.count < MappedFile.badLineCountMax { badLines.append(line) }
  }
}
