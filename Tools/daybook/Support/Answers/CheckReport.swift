import Daybook

extension VerifyReport {
  /// The report as one line, for the process that asked for the check.
  var line: String {
    let parts = coverage.map {
      "\($0.part.rawValue):\($0.checked):\($0.total):\($0.isCutShort ? 1 : 0)"
    }
    let figures = "\(commitCount):\(rowCount)"
    return ([figures, parts.joined(separator: ",")] + findings).map {
      $0.replacing("\n", with: " ").replacing("\u{1f}", with: " ")
    }.joined(separator: "\u{1f}")
  }

  /// A report from its line; `nil` where it is none.
  init?(line: String) {
    let fields = line.split(separator: "\u{1f}", omittingEmptySubsequences: false)
    guard fields.count >= 2 else { return nil }
    let figures = fields[0].split(separator: ":").compactMap { UInt64($0) }
    guard figures.count == 2 else { return nil }
    self.init(
      commitCount: figures[0], rowCount: figures[1], findings: fields.dropFirst(2).map(String.init))
    for text in fields[1].split(separator: ",") {
      let parts = text.split(separator: ":")
      guard parts.count == 4, let part = VerificationCoverage.Part(rawValue: String(parts[0])),
        let checked = UInt64(parts[1]), let total = UInt64(parts[2])
      else { return nil }
      coverage.append(
        VerificationCoverage(part, checked: checked, of: total, isCutShort: parts[3] == "1"))
    }
  }

  /// How much was looked at, in a sentence each.
  var coverageLines: [String] {
    coverage.map { part in
      let what =
        switch part.part {
        case .commits: "commits have their place in the chain"
        case .seals: "rows that the chain does not vouch for carry their seal"
        case .entities: "entities are what history says"
        case .rows: "entities have their rows in every list"
        case .totals: "totals are the sum of their entities"
        case .derived: "rows of budgets are what their categories add up to"
        case .rules: "entities keep to double entry and name what is there"
        }
      return "\(Figures.count(part.checked)) of \(Figures.count(part.total)) \(what)"
        + (part.isCutShort ? "; there was no time for more" : "")
    }
  }

  /// The members of a report as `--json` tells them.
  var members: [(String, JSON)] {
    var members: [(String, JSON)] = [
      ("sound", .bool(isSound)), ("commits", .count(commitCount)), ("rows", .count(rowCount)),
      ("findings", .array(findings.map { .string($0) })),
    ]
    if !coverage.isEmpty {
      members.append(
        (
          "sample",
          .array(
            coverage.map {
              .object(of: [
                ("part", .string($0.part.rawValue)), ("checked", .count($0.checked)),
                ("of", .count($0.total)), ("cutShort", .bool($0.isCutShort)),
              ])
            })
        ))
    }
    return members
  }
}
