import ArgumentParser
import Daybook
import Terminal

/// In which form a report is written.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case table, csv, tsv, json
}

/// How a report is written.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "table, or csv, tsv or json for programs; --json is short for --output json.",
      valueName: "table|csv|tsv|json"))
  var output: OutputFormat?

  /// The form asked for; `--json` and another one contradict each other.
  func format(json: Bool) throws -> OutputFormat {
    guard json else { return output ?? .table }
    if let output, output != .json {
      throw CommandFailure.usage(
        "--json can't be used with --output \(output.rawValue).", remedy: "Leave out one of them.")
    }
    return .json
  }
}

/// Whether a report is made again when the ledger changes.
struct FollowOptions: ParsableArguments {
  @Flag(
    help: """
      Keep running, and show the result again whenever a commit changes it: in place on a \
      terminal, otherwise one after the other. Press Ctrl-C to stop.
      """)
  var follow = false
}

/// How a report of one state of the ledger is written, and whether it is followed.
struct ReportOptions: ParsableArguments {
  @OptionGroup var form: OutputOptions
  @OptionGroup var following: FollowOptions
}

/// A command that answers with a report.
protocol ReportingCommand: LedgerCommand {
  var form: OutputOptions { get }
}

extension ReportingCommand {
  var complainsInJSON: Bool { ledger.json || form.output == .json }

  /// Writes the report in the form asked for.
  func write(_ report: Report) throws {
    try Output.report(report, as: form.format(json: ledger.json))
  }
}

/// A command that answers with a report, made from one state of the ledger.
protocol ReportCommand: ReportingCommand, Sendable {
  var output: ReportOptions { get }
  /// The commit after which the ledger is looked at; nothing for the newest.
  var asOf: UInt64? { get }
  func report(_ snapshot: borrowing Snapshot) throws -> Report
}

extension ReportCommand {
  var form: OutputOptions { output.form }
}

/// A report that can be asked of the past.
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

/// A report in the form asked for.
struct WrittenReport: Sendable, Equatable {
  var text: String
  /// What goes to standard error beside it.
  var remarks: [String] = []

  /// - Parameter inOneLine: Whether JSON takes one line, so that another may follow.
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

  /// A record as RFC 4180 has it, but with the line end of the system.
  ///
  /// A record of one empty field is quoted, so that no record is an empty line.
  static func csv(_ fields: [String]) -> String {
    let isBlank = fields == [""]
    return fields.map { field in
      let mustQuote =
        isBlank
        || field.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
      return mustQuote ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
    }.joined(separator: ",") + "\n"
  }

  /// A record between tabs; a tab, a line end or a backslash in a field is `\t`, `\n`, `\r` or `\\`.
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
  /// Writes a report in a form.
  static func report(_ report: Report, as format: OutputFormat) throws {
    let written = try WrittenReport(report, as: format, for: .output)
    try write(written.text)
    for remark in written.remarks { try self.remark(remark) }
  }
}
