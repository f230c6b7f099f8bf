// Goal: a journal with the worst of names and notes is accepted by hledger and by ledger, and both
// compute what the ledger says. Method: a ledger with something of everything is exported, and each
// program lists the balances of its accounts; skipped where a program is not installed.

import Daybook
import DaybookInterchange
import Foundation
import Testing

struct JournalExportTests {
  static func program(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  static func run(_ path: String, _ arguments: [String]) throws -> (text: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["LC_ALL"] = "C.UTF-8"
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: text, as: UTF8.self), process.terminationStatus)
  }

  /// What every account and category holds at the end of time, as "1234.56 KZT", without zeros.
  static func expected(_ home: Home) throws -> [String] {
    let end = day("2199-01-01")
    return try home.ledger.read { snapshot throws in
      var sums = try snapshot.balances(on: end, includingDeleted: true).map(\.balance)
      for kind in CategoryKind.allCases {
        for total in try snapshot.breakdown(in: always, kind: kind, today: end) {
          sums += total.totals.map {
            Total(units: kind == .income ? -$0.units : $0.units, currency: $0.currency)
          }
        }
      }
      return sums.filter { $0.units != 0 }.map(\.description).sorted()
    }
  }

  static func balances(_ program: String, _ tool: String, _ path: String) throws -> [String] {
    let arguments =
      program == "hledger"
      ? ["-f", path, "balance", "--flat", "-N", "-O", "csv", "--layout=bare", "not:Equity"]
      : [
        "-f", path, "balance", "--flat", "--no-total", "not", "Equity", "--format",
        "%(account)\t%(join(scrub(display_amount)))\n",
      ]
    let (text, status) = try run(tool, arguments)
    #expect(status == 0, "\(text)")
    var found: [String] = []
    for line in text.split(separator: "\n") {
      if program == "hledger" {
        try CSVFile(String(line)).forEachRecord { record, bytes in
          let amount = record.text(2, in: bytes)
          if amount.contains(where: { ("1"..."9").contains($0) }) {
            found.append("\(amount) \(record.text(1, in: bytes))")
          }
          return true
        }
      } else if let amounts = line.split(separator: "\t").last {
        found += amounts.replacing("\\n", with: "\n").split(separator: "\n").map {
          String($0.replacing("\"", with: ""))
        }.filter { $0 != "0" }
      }
    }
    return found.sorted()
  }

  @Test("a journal of everything balances the same", arguments: ["hledger", "ledger"])
  func balances(program: String) async throws {
    guard let tool = Self.program(program) else {
      print("\(program) is not installed (Debian: apt-get install \(program)): skipped")
      return
    }
    let home = try await RoundTripTests.household()
    let path = home.path + ".journal"
    try await Exporter.export(home.ledger, as: .journal, toFile: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let found = try Self.balances(program, tool, path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(found == (try Self.expected(home)), "\(text)")
    try await home.end()
  }

  @Test("labels are tags, and nothing else is")
  func tags() async throws {
    let home = try await Home()
    let labels = [
      "trip", "late-2026", "summer trip", "a,b", "date", "50% [off]; now", "x:y", "Zażółć", "旅行",
      "semi;colon", "a|b", "tag", "🎉",
    ]
    let new = NewAccount(name: "A", currency: iso("EUR"))
    let account = try #require(
      try await home.ledger.append(.openAccount(new)).accounts.first)
    var draft = Draft.expense(
      Money(minorUnits: 100, currency: iso("EUR")), from: account,
      on: day("2026-01-01"), note: "see: the date:2026-02-02 at 12:30, http://x", tags: labels)
    draft.payee = "P"
    try await home.ledger.append(.record(draft))
    let path = home.path + ".journal"
    try await Exporter.export(home.ledger, as: .journal, toFile: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    // Whatever the label, it can be had back from the text.
    var found: [String] = []
    for line in text.split(separator: "\n") where line.hasPrefix("    ; ") {
      let comment = line.dropFirst(6)
      if comment.hasPrefix("see ") || comment.hasPrefix("commodity ") { continue }
      if comment.hasPrefix("tag: ") {
        found.append(String(comment.dropFirst(5)).removingPercentEncoding ?? "?")
      } else {
        let isName = comment.hasSuffix(":")
        #expect(isName || comment.contains(": "), "\(line)")
        let label = String(comment).replacing(": ", with: ":")
        found.append(isName ? String(label.dropLast()) : label)
      }
    }
    #expect(found == labels, "\(text)")
    if let tool = Self.program("hledger") {
      let names = try Self.run(tool, ["-f", path, "tags"])
      #expect(names.status == 0, "\(names.text)")
      #expect(
        Set(names.text.split(separator: "\n").map(String.init))
          == ["trip", "late-2026", "Zażółć", "旅行", "tag", "x"], "\(names.text)\n\(text)")
      let values = try Self.run(tool, ["-f", path, "tags", "--values", "tag"]).text
      #expect(
        Set(values.split(separator: "\n").map { $0.removingPercentEncoding ?? "" })
          == [
            "summer trip", "a,b", "date", "50% [off]; now", "semi;colon", "a|b", "🎉",
          ])
      #expect(try Self.run(tool, ["-f", path, "print", "date:2026-01-01"]).text.contains("P"))
    }
    if let tool = Self.program("ledger") {
      let names = try Self.run(tool, ["-f", path, "tags"])
      #expect(names.status == 0 && names.text.contains("late-2026"), "\(names.text)")
    }
    try await home.end()
  }

  @Test("an export replaces its file when it is complete, and leaves it where it fails")
  func wholeFile() async throws {
    let home = try await Home()
    let path = home.path + ".csv"
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    let missing = home.path + "/no/such/folder.csv"
    let error = try await #require(throws: InterchangeError.self) {
      try await Exporter.export(home.ledger, as: .csv, toFile: missing)
    }
    #expect(error.code == .notMade)
    try await Exporter.export(home.ledger, as: .csv, toFile: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("transaction,day,"))
    #expect(!FileManager.default.fileExists(atPath: path + ".partial"))
    try FileManager.default.removeItem(atPath: path)
    try await home.end()
  }
}
