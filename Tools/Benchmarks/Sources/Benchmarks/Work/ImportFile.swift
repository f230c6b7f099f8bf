import Foundation

/// A bank's export of the work, which all engines import: a header, and one line for each
/// transaction.
///
/// The columns are `date,account,group,category,currency,amount,description`. Expenses are
/// negative. Transfers are left out.
enum ImportFile {
  static let header = "date,account,group,category,currency,amount,description\n"

  /// Writes a file with `count` lines.
  static func write(_ count: Int, to path: String) throws {
    var generator = WorkGenerator(seed: 2, size: count)
    var text = header
    var written = 0
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let file = FileHandle(forWritingAtPath: path) else {
      throw BenchmarkError("cannot write \(path)")
    }
    while written < count {
      guard case .record(let transaction) = generator.next(), transaction.kind != .transfer else {
        continue
      }
      written += 1
      text += line(of: transaction)
      if text.utf8.count > 1 << 20 {
        try file.write(contentsOf: Data(text.utf8))
        text = ""
      }
    }
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  private static func line(of transaction: WorkTransaction) -> String {
    let cents = transaction.amount % 100
    let sign = transaction.kind == .expense ? "-" : ""
    let amount = "\(sign)\(transaction.amount / 100).\(cents < 10 ? "0" : "")\(cents)"
    let currency = Work.currencies[transaction.currency]
    let group = Work.parent(ofSubcategory: transaction.counter)
    return "\(Work.text(ofDay: transaction.day)),\(Work.name(ofAccount: transaction.account)),"
      + "\(Work.name(ofCategory: group)),\(Work.name(ofCategory: transaction.counter)),"
      + "\(currency),\(amount),\"\(transaction.description)\"\n"
  }
}

/// Reads an import file with minimal effort, as a hand-written import into GRDB would.
struct ImportFileReader {
  private let bytes: Data
  private var at: Int
  private var index: UInt64 = 0

  init(_ bytes: Data) {
    self.bytes = bytes
    at = ImportFile.header.utf8.count
  }

  /// The next `count` rows as events, or `nil` at the end.
  mutating func next(_ count: Int) throws -> ArraySlice<WorkEvent>? {
    var events: [WorkEvent] = []
    events.reserveCapacity(count)
    try bytes.withUnsafeBytes { buffer in
      while events.count < count, at < buffer.count {
        let end = buffer[at...].firstIndex(of: UInt8(ascii: "\n")) ?? buffer.count
        events.append(.record(try Self.transaction(buffer[at..<end], index)))
        index += 1
        at = end + 1
      }
    }
    return events.isEmpty ? nil : events[...]
  }

  private static func transaction(
    _ line: Slice<UnsafeRawBufferPointer>, _ index: UInt64
  ) throws -> WorkTransaction {
    let fields = line.split(separator: UInt8(ascii: ","), maxSplits: 6)
    guard fields.count == 7, fields[0].count == 10 else {
      throw BenchmarkError("line \(index + 2) is not of the file's form")
    }
    let date = fields[0].split(separator: UInt8(ascii: "-")).map(number)
    let firstDay = Work.firstDay(ofMonth: Int(date[0]) * 12 + Int(date[1]) - 1)
    let amount = number(fields[5])
    let text = fields[6].dropFirst().dropLast()
    return WorkTransaction(
      id: WorkID(
        high: (1_700_000_000_000 + index) << 16 | 0x7000, low: index &* 0x9e37_79b9_7f4a_7c15),
      day: firstDay + Int(date[2]) - 1,
      kind: fields[5].first == UInt8(ascii: "-") ? .expense : .income,
      account: Int(number(fields[1])), counter: Int(number(fields[3])), amount: amount,
      description: String(decoding: text, as: UTF8.self))
  }

  /// The number formed by a field's digits.
  ///
  /// Other characters are ignored.
  private static func number(_ field: Slice<UnsafeRawBufferPointer>) -> Int64 {
    field.reduce(0) { result, byte in
      byte >= 0x30 && byte <= 0x39 ? result * 10 + Int64(byte - 0x30) : result
    }
  }
}
