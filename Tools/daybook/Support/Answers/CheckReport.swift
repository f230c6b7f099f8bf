import Daybook
import Foundation

extension VerifyReport {
  /// The report as one line of JSON, for the parent process of the check.
  var line: String { get throws { try JSONValue(self).line } }

  /// Decodes a report from its line, or returns `nil` if the line isn't a report.
  init?(line: String) {
    guard let report = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else {
      return nil
    }
    self = report
  }

  /// Sentences that say how much of each part was checked.
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
