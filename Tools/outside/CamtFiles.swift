import DaybookBookkeeping
import DaybookInterchange
import Foundation

/// Compares CAMT messages with the output of another parser, genkgo/camt.
struct CamtFiles {
  let folder: String

  /// Companions that lack entries of their files, with the reasons.
  static let cutCompanions = [
    "camt053.v2.multi.statement": "its dump has the entry of the first statement only"
  ]

  init(_ places: Places) throws { folder = try places.outside("camt") }

  /// The names of the messages, without their extensions.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".xml") }.map { String($0.dropLast(4)) }.sorted()
  }

  func check(_ name: String) throws -> String {
    let file = try RawFile(path: "\(folder)/\(name).xml")
    try expect("formats", FileFormats.candidates(file).map { $0.name }, ["camt"])
    let companion = "\(folder)/\(name).json"
    guard FileManager.default.fileExists(atPath: companion) else {
      // Messages without a companion are those that the other parser rejects.
      do {
        _ = try CAMT.read(file, ReadingOptions())
      } catch {
        return "refused: \(error.message)"
      }
      throw Wrong("it is read, and the other parser refuses it")
    }
    let contents = try CAMT.read(file, ReadingOptions())
    try expect("bad lines", contents.badLineCount, 0)
    let data = try Data(contentsOf: URL(fileURLWithPath: companion))
    let message = try JSONSerialization.jsonObject(with: data)
    var objects = Companion()
    objects.collect(message)
    let records = (message as? [String: Any])?["getRecords"] as? [Any] ?? []
    try expect("statements", contents.statements.count, records.count)
    try checkRows(contents, objects.entries, hasAll: CamtFiles.cutCompanions[name] == nil)
    try checkStatements(contents, objects.records)
    let rows = contents.statements.flatMap(\.rows)
    return "\(rows.count) rows, \(rows.map(\.amount.description).joined(separator: ", "))"
  }

  /// The companion's objects by class.
  ///
  /// Each object is written only once, at its first occurrence.
  private struct Companion {
    var entries: [[String: Any]] = []
    var records: [[String: Any]] = []

    mutating func collect(_ value: Any) {
      for element in value as? [Any] ?? [] { collect(element) }
      guard let object = value as? [String: Any] else { return }
      let kind = (object["__CLASS__"] as? String)?.split(separator: "\\").last
      if kind == "Entry" { entries.append(object) }
      if kind == "Statement" || kind == "Report" || kind == "Notification" {
        records.append(object)
      }
      for (_, member) in object.sorted(by: { $0.key < $1.key }) { collect(member) }
    }
  }

  private func checkRows(
    _ contents: FileContents, _ entries: [[String: Any]], hasAll: Bool
  ) throws {
    let account = contents.statements.first?.account
    let own = [account?.iban ?? "", account?.number ?? ""]
    let rows = contents.statements.flatMap(\.rows)
    if hasAll { try expect("rows", rows.count, entries.count) }
    // The entries aren't in the file's order, so they are matched by amount, reference and text.
    var left = rows
    for entry in entries {
      let details = entry["getTransactionDetail"] as? [String: Any]
      let references = details?["getReference"] as? [String: Any]
      let reference =
        entry["getAccountServicerReference"] as? String
        ?? references?["getAccountServicerReference"] as? String ?? ""
      let (units, currency) = try amount(entry["getAmount"])
      guard
        let index = left.firstIndex(where: {
          $0.amount.minorUnits == units && $0.reference == "camt:" + reference
            && contains(words(of: details), in: $0)
        })
      else { throw Wrong("no row is \(units) with the reference “\(reference)”") }
      let row = left.remove(at: index)
      try expect("currency", row.amount.currency.code, currency)
      if let booked = day(entry["getBookingDate"]) { try expect("day", row.day, booked) }
      if let value = day(entry["getValueDate"]) {
        try expect("value day", row.valueDay ?? row.day, value)
      }
      try expect("pending", row.isPending, entry["getStatus"] as? String == "PDNG")
      // If several details differ, the note contains their texts.
      guard (entry["getTransactionDetails"] as? [Any])?.count == 1 else { continue }
      if let code = references?["getEndToEndId"] as? String, code != "NOTPROVIDED" {
        try expect("code", row.code, code)
      }
      try checkTexts(row, details, own)
    }
  }

  private func words(of details: [String: Any]?) -> [String] {
    let remittance = details?["getRemittanceInformation"] as? [String: Any]
    let blocks = remittance?["getUnstructuredBlocks"] as? [Any] ?? []
    return blocks.compactMap { ($0 as? [String: Any])?["getMessage"] as? String }
  }

  private func contains(_ words: [String], in row: StatementRow) -> Bool {
    words.allSatisfy { $0.isEmpty || "\(row.description) \(row.note)".contains($0) }
  }

  private func checkTexts(
    _ row: StatementRow, _ details: [String: Any]?, _ own: [String]
  ) throws {
    let parties = details?["getRelatedParties"] as? [[String: Any]] ?? []
    let names = parties.compactMap { party -> String? in
      // The holder of the statement's account isn't the payee.
      let account = (party["getAccount"] as? [String: Any])?["getIdentification"] as? String
      if let account, parties.count == 1, own.contains(account) { return nil }
      return (party["getRelatedPartyType"] as? [String: Any])?["getName"] as? String
    }
    if !row.payee.isEmpty, !names.contains(row.payee) {
      throw Wrong("“\(row.payee)” is none of \(names)")
    }
    if row.payee.isEmpty, !names.isEmpty { throw Wrong("none of \(names) is the payee") }
  }

  private func checkStatements(_ contents: FileContents, _ records: [[String: Any]]) throws {
    for record in records {
      let account = (record["getAccount"] as? [String: Any])?["getIdentification"] as? String
      let stated = record["getBalances"] as? [[String: Any]] ?? []
      func balance(_ type: String) throws -> (Int64, String, Day?)? {
        guard let found = stated.first(where: { $0["getType"] as? String == type }) else {
          return nil
        }
        let (units, currency) = try amount(found["getAmount"])
        return (units, currency, day(found["getDate"]))
      }
      let opening = try balance("opening")
      let closing = try balance("closing")
      let isThere = contents.statements.contains { statement in
        let first = statement.rows.filter { !$0.isPending }.map(\.day).min()
        func fits(_ found: StatedBalance?, _ told: (Int64, String, Day?)?, from: Day?) -> Bool {
          guard let told else { return true }
          guard let found, let day = told.2 else { return false }
          return found.amount.minorUnits == told.0 && found.amount.currency.code == told.1
            && found.day == max(day, from ?? day)
        }
        return [statement.account.iban, statement.account.number].contains(account ?? "")
          && fits(statement.opening, opening, from: first)
          && fits(statement.closing, closing, from: nil)
      }
      guard isThere else {
        throw Wrong("no statement has account, opening and closing of \(account ?? "none")")
      }
    }
  }

  private func amount(_ value: Any?) throws -> (Int64, String) {
    guard let object = value as? [String: Any], let text = object["getAmount"] as? String,
      let units = Int64(text),
      let code = (object["getCurrency"] as? [String: Any])?["getCode"] as? String
    else { throw Wrong("the companion has no amount") }
    return (units, code)
  }

  private func day(_ value: Any?) -> Day? {
    ((value as? [String: Any])?["0"] as? String).flatMap { Day($0.prefix(10)) }
  }
}
