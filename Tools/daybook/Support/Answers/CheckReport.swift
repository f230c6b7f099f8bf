import Daybook
import DaybookTerminal
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

  /// The report for people.
  var lines: [String] {
    var lines: [String] = []
    if commitCount > 0 || isSound {
      lines.append(
        "Checked \(Figures.counted(commitCount, "commit")) and compared "
          + "\(Figures.counted(rowCount, "row")) of views."
      )
      if isSound { lines.append("No problems found.") }
    }
    return lines + findings.map { "DIFFERS: \($0.printable)" }
  }
}
