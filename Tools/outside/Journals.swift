import Daybook
import Foundation
import Interchange

/// Lets `hledger` and `ledger` compute the balances of an exported journal.
struct Journals {
  let places: Places

  static let programs = ["hledger", "ledger"]

  /// Exports a ledger and compares what a program says of it.
  func check(_ ledger: Ledger, _ name: String, with program: String) async throws -> String {
    let tool = try Self.find(program)
    let path = places.scratch + "/" + name + ".journal"
    if !FileManager.default.fileExists(atPath: path) {
      try await Exporter.export(ledger, as: .journal, toFile: path)
    }
    let output = try Self.run(
      tool,
      program == "hledger"
        ? ["-f", path, "balance", "--flat", "--no-elide", "-E", "-N", "-O", "csv", "--layout=bare"]
        : [
          "-f", path, "balance", "--flat", "--no-total", "--empty",
          "--format", "%(account)\t%(join(scrub(display_amount)))\n",
        ])
    let found = program == "hledger" ? Self.hledger(output) : Self.ledger(output)
    let expected = try ledger.read { snapshot in
      var sums: [String: Int128] = [:]
      for balance in try snapshot.balances(on: Day.max, includingDeleted: true) {
        let top = "\(balance.account.kind)"
        sums["\(top) \(balance.balance.currency.code)", default: 0] += balance.balance.units
      }
      return sums.filter { $0.value != 0 }
    }
    try compare(found, expected)
    let accounts = try ledger.read { snapshot in
      try snapshot.balances(on: Day.max, includingDeleted: true)
    }
    for one in accounts where one.account.kind == .asset {
      let plain = "Assets:\(one.account.name.replacing("#", with: "#"))"
      let key = "\(plain) \(one.balance.currency.code)"
      try expect(key, found[key] ?? 0, one.balance.units)
    }
    return "\(accounts.count) accounts balance the same"
  }

  private func compare(_ found: [String: Int128], _ expected: [String: Int128]) throws {
    let tops = ["Assets": "asset", "Liabilities": "liability"]
    var sums: [String: Int128] = [:]
    for (key, units) in found {
      guard let colon = key.firstIndex(of: ":"), let kind = tops[String(key[..<colon])] else {
        continue
      }
      let code = key.split(separator: " ").last.map(String.init) ?? ""
      sums["\(kind) \(code)", default: 0] += units
    }
    for (key, units) in expected where !key.hasPrefix("equity") {
      try expect("the sum of \(key)", sums[key] ?? 0, units)
    }
  }

  // MARK: - Running

  static func find(_ program: String) throws -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for folder in folders {
      let path = "\(folder)/\(program)"
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw Skipped(reason: "\(program) is not installed (Debian: apt-get install \(program))")
  }

  static func run(_ tool: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["LC_ALL"] = "C.UTF-8"
    process.environment = environment
    let output = Pipe()
    let faults = Pipe()
    process.standardOutput = output
    process.standardError = faults
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = faults.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Wrong(
        "\(tool) refuses the journal: \(String(decoding: complaint.prefix(600), as: UTF8.self))")
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Balances by "account commodity", from the CSV of hledger in its bare layout.
  private static func hledger(_ text: String) -> [String: Int128] {
    var found: [String: Int128] = [:]
    let file = CSVFile(text)
    // What hledger writes is well-formed; a fault shows as missing balances.
    try? file.forEachRecord { record, bytes in
      guard record.count == 3 else { return true }
      let amount = record.text(2, in: bytes)
      let code = record.text(1, in: bytes)
      if let units = minorUnits(amount, code) {
        found["\(record.text(0, in: bytes)) \(code)"] = units
      }
      return true
    }
    return found
  }

  /// Balances by "account commodity", from `ledger`: amounts of an account are joined by `\n`.
  private static func ledger(_ text: String) -> [String: Int128] {
    var found: [String: Int128] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2 else { continue }
      for amount in parts[1].replacing("\\n", with: "\n").split(separator: "\n") {
        let words = amount.split(separator: " ")
        guard words.count == 2 else { continue }
        let code = String(words[1])
        if let units = minorUnits(String(words[0]), code) { found["\(parts[0]) \(code)"] = units }
      }
    }
    return found
  }

  private static func minorUnits(_ text: String, _ code: String) -> Int128? {
    guard let currency = Currency.iso(code) else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let decimals = parts.count > 1 ? String(parts[1]) : ""
    guard decimals.count <= currency.digits else { return nil }
    let zeros = String(repeating: "0", count: currency.digits - decimals.count)
    return Int128(parts[0] + decimals + zeros)
  }
}
