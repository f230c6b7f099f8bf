// Goal: OFX and QIF that are written say of every account what the ledger says. Method: a ledger with
// something of everything is exported; OFX is read again by its reader, QIF by a small parser here, and
// both have the rows and the balance of each account.

import Daybook
import DaybookInterchange
import Foundation
import Testing

struct BankExportTests {
  @Test("OFX has every row of every account, and its balance")
  func ofx() async throws {
    let home = try await RoundTripTests.household()
    let text = try home.export(.ofx)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    var options = ReadingOptions()
    options.currencies["PTS1"] = Currency(code: "PTS1", digits: 1)
    let contents = try OFX.read(RawFile(Array(text.utf8), name: "x.ofx"), options)
    #expect(contents.badLines.isEmpty)
    #expect(contents.notices.isEmpty)
    try home.ledger.read { snapshot throws in
      let accounts = try snapshot.accounts(includingDeleted: true).filter { !$0.id.isBuiltin }
      #expect(contents.statements.count == accounts.count)
      let ordered =
        accounts.filter { $0.kind != .liability } + accounts.filter { $0.kind == .liability }
      for (account, statement) in zip(ordered, contents.statements) {
        // Of two accounts of one name the deleted one gets a number.
        #expect(statement.account.number.hasPrefix(oneLine(account.name)))
        #expect(statement.account.currency == account.currency)
        #expect(statement.account.kind == (account.kind == .liability ? .liability : .asset))
        let filter = TransactionFilter(account: account.id)
        #expect(statement.rows.count == (try snapshot.count(filter)))
        let pending = statement.rows.filter(\.isPending)
        let waiting = try snapshot.transactions(filter, limit: 500).count { $0.status == .pending }
        #expect(pending.count == waiting)
        let balance = try snapshot.balance(of: account.id, on: day("2199-01-01"))
        let sum = statement.rows.reduce(account.opening.minorUnits) { $0 + $1.amount.minorUnits }
        #expect(Int128(sum) == balance.units, "\(account.name)")
        let booked = sum - pending.reduce(0) { $0 + $1.amount.minorUnits }
        #expect(statement.closing?.amount.minorUnits == booked, "\(account.name)")
      }
    }
    #expect(Set(contents.statements.flatMap(\.rows).map(\.reference)).count > 5)
    try await home.end()
  }

  @Test("QIF has the balance of every account, parts that make their rows, and is read")
  func qif() async throws {
    let home = try await RoundTripTests.household()
    let text = try home.export(.qif)
    var options = ReadingOptions()
    options.currency = kzt
    options.isDayFirst = false
    let contents = try QIF.read(RawFile(Array(text.utf8), name: "x.qif"), options)
    #expect(contents.badLines.isEmpty)
    let (sums, faults) = Self.sums(text)
    #expect(faults.isEmpty)
    try home.ledger.read { snapshot throws in
      for account in try snapshot.accounts() where !account.id.isBuiltin {
        let name = account.name.replacing(":", with: "-").replacing("/", with: "-")
        let balance = try snapshot.balance(of: account.id, on: day("2199-01-01"))
        #expect(sums[name, default: 0] == Double(balance.text), "\(account.name)")
      }
    }
    try await home.end()
  }

  /// The sum of each account's rows, and the rows whose parts make another amount.
  private static func sums(_ text: String) -> (sums: [String: Double], faults: [String]) {
    var sums: [String: Double] = [:]
    var faults: [String] = []
    var account = ""
    var header = ""
    var amount = 0.0
    var parts: [Double] = []
    for line in text.split(separator: "\n") {
      let value = String(line.dropFirst())
      switch line.first {
      case "!": header = String(line)
      case "N" where header == "!Account": account = value
      case "T" where header.hasPrefix("!Type"): amount = Double(value) ?? .nan
      case "$": parts.append(Double(value) ?? .nan)
      case "^" where header.hasPrefix("!Type:Bank") || header.hasPrefix("!Type:CCard"):
        sums[account] = ((sums[account, default: 0] + amount) * 1000).rounded() / 1000
        if !parts.isEmpty, abs(parts.reduce(0, +) - amount) > 0.0005 { faults.append("\(amount)") }
        parts = []
      default: break
      }
    }
    return (sums, faults)
  }

  private func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
