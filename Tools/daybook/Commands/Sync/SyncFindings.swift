import ArgumentParser
import Daybook
import Syncing
import Terminal

/// `daybook sync findings`: what merging did to what somebody recorded.
struct SyncFindings: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "findings",
    abstract: "Show where two devices changed the same, and what became of it.",
    discussion: """
      Of two values of one property one holds; the other is kept here until somebody has looked at it. \
      To have the other one after all, record it again (`daybook edit`), then put the finding aside \
      with --dismiss. What was changed in a period that another device had closed counts nowhere: \
      --take records it, on another day (--on) or once the period is reopened.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Option(
    help: ArgumentHelp(
      "Put a finding aside: the first digits of its name, or all.", valueName: "name"))
  var dismiss: String?

  @Option(
    help: ArgumentHelp(
      "Record what is held anew: the first digits of the finding's name, or all.",
      valueName: "name"))
  var take: String?

  @Option(help: ArgumentHelp("With --take: another day for it.", valueName: "day"))
  var on: DayArgument?

  @OptionGroup var today: TodayOptions

  private struct Answer: Encodable, Sendable {
    var findings: [SyncFinding.Form]
  }

  func validate() throws {
    if on != nil, take == nil { throw ValidationError("--on says on which day to --take it.") }
  }

  func execute() async throws {
    let (findings, names, rows, answer) = try await ledger.withLedger { opened in
      if let dismiss { try await put(aside: dismiss, opened) }
      if let take { try await record(take, opened) }
      let findings = try await opened.sync.findings()
      let rows = try opened.read { snapshot in
        try findings.flatMap(\.rows).compactMap { try snapshot.transaction($0) }
      }
      let answer = try opened.read { Answer(findings: try SyncFinding.forms(of: findings, in: $0)) }
      return (findings, try opened.read { try Names($0) }, rows, answer)
    }
    if ledger.json { return try Output.json(JSONAnswer(answer, names)) }
    if findings.isEmpty { return try Output.line("Nothing waits for you.") }
    let texts = Dictionary(
      rows.map { ($0.id.rawValue, Deed.text(of: $0, names)) },
      uniquingKeysWith: { first, _ in first })
    try Output.lines(findings.flatMap { Self.lines($0, names, texts) })
  }

  private func put(aside text: String, _ opened: Ledger) async throws {
    let all = try await opened.sync.findings()
    for finding in text == "all" ? all : [try Self.one(text, of: all)] {
      try await opened.sync.dismiss(finding.id)
    }
  }

  private func record(_ text: String, _ opened: Ledger) async throws {
    let held = try await opened.sync.findings().filter { $0.rule == .held }
    for finding in text == "all" ? held : [try Self.one(text, of: held)] {
      try await opened.sync.take(finding.id, on: on?.day(today: today.day))
    }
  }

  private static func one(_ text: String, of all: [SyncFinding]) throws -> SyncFinding {
    let meant = all.filter { $0.id.hasPrefix(text.lowercased()) }
    guard meant.count == 1 else {
      throw CommandFailure.notFound(
        meant.isEmpty
          ? "No finding's name begins with “\(text)”."
          : "\(meant.count) findings' names begin with “\(text)”.",
        remedy: "`daybook sync findings` lists them; give more of its digits.")
    }
    return meant[0]
  }

  private static func lines(
    _ finding: SyncFinding, _ names: Names, _ rows: [EntityID: String]
  ) -> [String] {
    func text(_ kind: EntityKind, _ id: EntityID) -> String {
      "\(kind.name) \(names.name(of: id) ?? rows[id] ?? "\(id)")".printable
    }
    let new = finding.newRow(names)
    let what = finding.kind == .settings ? "a period" : new ?? text(finding.kind, finding.entity)
    let happened =
      switch finding.rule {
      case .valueLost: "was changed on two devices"
      case .deletionStands: "was deleted on one device and changed on another; it is deleted"
      case .clash: "was changed on two devices in ways that do not go together"
      case .cycle: "would have become its own ancestor"
      case .held:
        "was \(new == nil ? "changed" : "recorded") in a period that another device had closed; "
          + "it counts nowhere until you --take it"
      case .closedUnseen: "was closed without having seen:"
      case .locked:
        "was reconciled on one device and changed on another; it is as it was reconciled"
      case .tooLate: "was changed here too late: this device was away for long"
      case .balanced: "was divided on two devices; what is left is uncategorised"
      case .sameName:
        "has the name of another: rename one, or make them one with `daybook "
          + "\(finding.kind == .account ? "accounts" : "categories") merge`, by their ids:"
      case .closedAccount:
        "is closed or deleted, and does not come to zero: look at its rows with `daybook register`"
      }
    let head = "\(finding.id.prefix(8))  \(what) \(happened)" + (finding.asks ? " (choose)" : "")
    // Those of one name are told apart by their ids.
    let listed =
      finding.rule == .sameName
      ? ([finding.entity] + finding.unseen.map(\.entity)).map { "          \($0)" }
      : finding.unseen.map { "          \(text($0.kind, $0.entity))" }
    return [head]
      + finding.values.map { value in
        let lost = value.lost.map { names.text(of: $0) } ?? "nothing"
        let holds = value.holds.map { names.text(of: $0) } ?? "nothing"
        let by = { (device: String?) in device.map { " (\($0))" } ?? "" }
        let sides =
          switch finding.rule {
          case .held: "\(lost)\(by(value.lostBy)) in the place of \(holds)"
          case .closedAccount: holds
          default: "\(holds)\(by(value.heldBy)) holds; \(lost)\(by(value.lostBy)) lost"
          }
        return "          \(value.property): \(sides)".printable
      }
      + listed
  }
}

extension SyncFinding {
  /// A row that is held and is nowhere else, in words; `nil` where it is no such.
  fileprivate func newRow(_ names: Names) -> String? {
    guard rule == .held, kind == .transaction, values.allSatisfy({ $0.holds == nil }) else {
      return nil
    }
    let known = Dictionary(values.map { ($0.property, $0.lost) }, uniquingKeysWith: { $1 })
    let words = ["payee", "description", "day"].compactMap { name in
      known[name].flatMap { $0 }.map { names.text(of: $0) }
    }
    return "a new transaction (\(words.joined(separator: ", ")))".printable
  }

  /// The rows it speaks of.
  fileprivate var rows: [TransactionID] {
    let listed = unseen.filter { $0.kind == .transaction }.map(\.entity)
    return (kind == .transaction ? [entity] : listed).map { TransactionID($0) }
  }
}
