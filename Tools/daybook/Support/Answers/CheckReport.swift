import Daybook
import Foundation

extension VerifyReport {
  /// The report as one line, for the process that asked for the check.
  var line: String { get throws { try JSONValue(self).line } }

  /// A report from its line; `nil` where it is none.
  init?(line: String) {
    guard let report = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else {
      return nil
    }
    self = report
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
}
