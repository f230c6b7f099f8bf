import ArgumentParser
import Daybook
import DaybookTerminal

/// The output format of a report.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case table, csv, tsv, json
}

/// The options for the output format.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "table, or csv, tsv or json for programs; --json is short for --output json.",
      valueName: "table|csv|tsv|json"))
  var output: OutputFormat?

  /// The requested format.
  ///
  /// - Throws: `CommandFailure` if `--json` and `--output` contradict each other.
  func format(json: Bool) throws -> OutputFormat {
    guard json else { return output ?? .table }
    if let output, output != .json {
      throw CommandFailure.usage(
        "--json can't be used with --output \(output.rawValue).", remedy: "Leave out one of them.")
    }
    return .json
  }
}

/// The option that repeats a report when the ledger changes.
struct FollowOptions: ParsableArguments {
  @Flag(
    help: """
      Keep running, and show the result again whenever a commit changes it: in place on a \
      terminal, otherwise one after the other. Press Ctrl-C to stop.
      """)
  var follow = false
}

/// The options of a report about one state of the ledger.
struct ReportOptions: ParsableArguments {
  @OptionGroup var form: OutputOptions
  @OptionGroup var following: FollowOptions
}

/// A command that prints a report.
protocol ReportingCommand: LedgerCommand {
  var form: OutputOptions { get }
}

extension ReportingCommand {
  var complainsInJSON: Bool { ledger.json || form.output == .json }

  /// Writes the report in the requested format.
  func write(_ report: Report) throws {
    try Output.report(report, as: form.format(json: ledger.json))
  }
}

/// A command that prints a report made from one snapshot of the ledger.
protocol ReportCommand: ReportingCommand, Sendable {
  var output: ReportOptions { get }
  /// The commit as of which the ledger is read, or `nil` for the newest.
  var asOf: UInt64? { get }
  func report(_ snapshot: borrowing Snapshot) throws -> Report
}

extension ReportCommand {
  var form: OutputOptions { output.form }
}

/// A report about the current or an earlier state of the ledger.
protocol PastReportCommand: ReportCommand {
  var past: PastOptions { get }
}

extension PastReportCommand {
  var asOf: UInt64? { past.asOf }
}

extension ReportCommand {
  var asOf: UInt64? { nil }

  func execute() async throws {
    let format = try form.format(json: ledger.json)
    if output.following.follow { return try await follow(as: format) }
    let report = try await ledger.read(asOf: asOf) { snapshot in try self.report(snapshot) }
    try Output.report(report, as: format)
    if let status = report.exitStatus { throw status.exitCode }
  }
}

/// A report in its output format.
struct WrittenReport: Sendable, Equatable {
  var text: String
  /// Remarks for standard error.
  var remarks: [String] = []

  /// Formats a report.
  ///
  /// - Parameter inOneLine: Whether to write JSON on one line, so that further states can follow.
  init(
    _ report: Report, as format: OutputFormat, for terminal: Terminal, inOneLine: Bool = false
  ) throws {
    switch format {
    case .table:
      text = report.lines(for: terminal).map { $0 + "\n" }.joined()
    case .csv, .tsv:
      text = report.records.map(format == .csv ? Self.csv : Self.tsv).joined()
      remarks = report.remarks
    case .json:
      let value = try report.json.value()
      text = (inOneLine ? value.line : value.indented) + "\n"
    }
  }

  /// A CSV record according to RFC 4180, but ending in a line feed.
  ///
  /// A record with a single empty field is quoted, so that no record is an empty line.
  static func csv(_ fields: [String]) -> String {
    let isBlank = fields == [""]
    return fields.map { field in
      let mustQuote =
        isBlank
        || field.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
      return mustQuote ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
    }.joined(separator: ",") + "\n"
  }

  /// A tab-separated record.
  ///
  /// Tabs, line ends and backslashes in fields are written as `\t`, `\n`, `\r` and `\\`.
  static func tsv(_ fields: [String]) -> String {
    fields.map { field in
      var text = String.UnicodeScalarView()
      for scalar in field.unicodeScalars {
        switch scalar {
        case "\t": text.append(contentsOf: "\\t".unicodeScalars)
        case "\n": text.append(contentsOf: "\\n".unicodeScalars)
        case "\r": text.append(contentsOf: "\\r".unicodeScalars)
        case "\\": text.append(contentsOf: "\\\\".unicodeScalars)
        default: text.append(scalar)
        }
      }
      return String(text)
    }.joined(separator: "\t") + "\n"
  }
}

extension Output {
  /// Writes a report to standard output, and its remarks to standard error if the format has no
  /// place for them.
  static func report(_ report: Report, as format: OutputFormat) throws {
    let written = try WrittenReport(report, as: format, for: .output)
    try write(written.text)
    for remark in written.remarks { try self.remark(remark) }
  }
}
