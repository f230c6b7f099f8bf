internal import Entities
internal import Journal
internal import LMDB

extension EventStore {
  /// Compares views with others that were built from the journal up to the same commit.
  func compare(
    _ view: borrowing View, _ live: ViewsStore, _ rebuilt: ViewsStore,
    _ report: inout VerificationReport, progress: (Double) throws -> Void
  ) throws {
    let fresh = try rebuilt.environment.beginRead()
    var pairs = StatePart.allCases.map { TablePair($0, live, rebuilt) }
    for entry in rebuilt.registered {
      // What a newer program keeps, or what has just been set aside, cannot be compared.
      guard try rebuilt.currentHandle(of: entry, in: fresh.view) != nil else { continue }
      guard let old = live.registered.first(where: { $0.name == entry.name }),
        let handle = try live.currentHandle(of: old, in: view.transaction.view)
      else {
        report.findings.append(.doesNotAnswer(entry.name))
        continue
      }
      pairs += entry.type.tables.indices.map { TablePair(entry, table: $0, handle) }
    }
    for entry in live.registered
    where !rebuilt.registered.contains(where: { $0.name == entry.name }) {
      report.findings.append(.doesNotAnswer(entry.name))
    }
    var differences: [RowDifference] = []
    for (index, pair) in pairs.enumerated() {
      try progress(Double(index) / Double(pairs.count))
      var mine = try view.transaction.cursor(in: pair.live)
      var other = try fresh.cursor(in: pair.rebuilt)
      let difference = try firstDifference(of: pair, &mine, &other, &report.rowCount)
      if let difference { differences.append(difference) }
    }
    report.findings += explain(
      differences, in: view.open.journal, through: view.checkpoint.sequence)
  }

  private func firstDifference(
    of pair: TablePair, _ live: inout Cursor, _ rebuilt: inout Cursor, _ rowCount: inout Int
  ) throws -> RowDifference? {
    func difference(_ key: RawSpan, _ what: String) -> RowDifference {
      RowDifference(
        table: pair.name, what: "the row with key \(hexadecimal(key)) \(what)",
        place: pair.place(key))
    }
    var mine = try live.first()
    var other = try rebuilt.first()
    while true {
      guard let left = mine else {
        guard let right = other else { return nil }
        return difference(right.key, "is missing")
      }
      guard let right = other else { return difference(left.key, "should not be there") }
      let order = left.key.compared(to: right.key)
      if order < 0 { return difference(left.key, "should not be there") }
      if order > 0 { return difference(right.key, "is missing") }
      if left.value.compared(to: right.value) != 0 {
        return difference(
          left.key,
          "holds \(hexadecimal(left.value)) where history gives \(hexadecimal(right.value))")
      }
      rowCount += 1
      mine = try live.next()
      other = try rebuilt.next()
    }
  }
}

extension VerificationReport.Finding {
  static func doesNotAnswer(_ projection: String) -> Self {
    Self(message: "The projection “\(projection)” does not answer: rebuild.", sequence: nil)
  }
}

func hexadecimal(_ span: RawSpan) -> String {
  var text = ""
  for byte in span.copied().prefix(40) {
    let digits = String(byte, radix: 16)
    text += digits.count == 1 ? "0" + digits : digits
  }
  return span.byteCount > 40 ? text + "…" : text
}
