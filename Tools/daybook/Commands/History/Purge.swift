import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook purge`: deletes old history according to the retention policy.
struct PurgeCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge", abstract: "Delete old history according to the retention policy.",
    discussion: """
      Current data and totals don't change; only the record of who changed what, with the old \
      values, is deleted. History that a required consumer hasn't read yet is kept. The freed \
      space is reused for new commits; `daybook compact` returns it to the file system.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var policy: PolicyOptions

  @Flag(help: "Show the history that would be deleted, and which consumers still need it.")
  var dryRun = false

  @Flag(help: "Purge even if the clock is far ahead of the newest commit.")
  var trustClock = false

  private struct Content: Encodable, Sendable {
    var policy: RetentionPolicy
    var commitCount: UInt64
  }

  func execute() async throws {
    var options = PurgeOptions()
    options.policy = try policy.policy
    options.isDryRun = dryRun
    options.trustsClock = trustClock
    let asked = options
    let bar = dryRun ? nil : SharedProgress("Purging")
    let (report, held) = try await ledger.withLedger { opened in
      if asked.policy == nil, try opened.retention() == .keepEverything {
        throw CommandFailure.notFound(
          "Couldn't purge: this ledger keeps all history.",
          remedy: "Set a policy with `daybook retention`, or add one, such as --keep-days 7.")
      }
      return (try await opened.purge(asked) { bar?.update($0) }, try opened.retention())
    }
    bar?.finish()
    if ledger.json {
      let more = Content(policy: asked.policy ?? held, commitCount: report.commitCount)
      return try Output.json(JSONAnswer(Joined(report, more)))
    }
    let verb = dryRun ? "Would purge" : "Purged"
    let count = Figures.count(report.commitCount)
    try Output.line(
      report.commitCount == 0
        ? "Nothing to purge. History starts after commit \(report.floor)."
        : "\(verb) \(count) \(report.commitCount == 1 ? "commit" : "commits") "
          + "(\(Figures.bytes(UInt64(report.byteCount)))). History "
          + "\(dryRun ? "would start" : "starts") after commit \(report.floor)."
    )
    for holder in report.holders {
      try Output.line(
        "Later commits are kept for \(holder.name.printable), which has read up to commit "
          + "\(holder.sequence).")
    }
  }
}

/// The options that limit how much history is kept.
struct PolicyOptions: ParsableArguments {
  @Option(help: "Keep commits of this many days.")
  var keepDays: Int?

  @Option(help: "The number of newest commits to keep.")
  var keepCommits: Int?

  @Option(help: "Keep this many megabytes of the newest commits.")
  var keepMegabytes: Int?

  func validate() throws {
    let given = [keepDays, keepCommits, keepMegabytes].compactMap { $0 }
    guard given.count <= 1 else { throw ValidationError("Use only one of the --keep options.") }
    guard given.allSatisfy({ (0...1_000_000_000).contains($0) }) else {
      throw ValidationError("The value of a --keep option must be from 0 to 1000000000.")
    }
  }

  /// The requested policy, or `nil` if none was given.
  var policy: RetentionPolicy? {
    get throws {
      if let keepDays { return .age(seconds: Int64(keepDays) * 86_400) }
      if let keepCommits { return .count(keepCommits) }
      return keepMegabytes.map { .bytes($0 << 20) }
    }
  }

  /// A policy in words.
  static func text(_ policy: RetentionPolicy) -> String {
    switch policy {
    case .keepEverything: "all commits"
    case .age(let seconds): "commits of the last \(Self.days(seconds))"
    case .count(let count): "the newest \(Figures.count(count)) commits"
    case .bytes(let count): "the newest \(Figures.bytes(UInt64(count))) of commits"
    }
  }

  private static func days(_ seconds: Int64) -> String {
    seconds % 86_400 == 0
      ? seconds == 86_400 ? "day" : "\(seconds / 86_400) days" : "\(seconds) seconds"
  }
}

/// `daybook retention`: shows or sets how much history is kept.
struct RetentionCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention", abstract: "Show or set how much history is kept.",
    discussion: "Nothing is deleted until you run `daybook purge` or `daybook maintain`.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var policy: PolicyOptions

  @Flag(help: "Keep all history (the initial policy).")
  var keepEverything = false

  private struct Reader: Encodable, Sendable {
    var name: String
    var required: Bool
    var sequence: UInt64
    var lastSeen: Moment

    init(_ consumer: Consumer) {
      name = consumer.name
      required = consumer.kind == .required
      sequence = consumer.sequence
      lastSeen = Moment(microseconds: consumer.lastSeen)
    }
  }

  private struct Content: Encodable, Sendable {
    var policy: RetentionPolicy
    var consumers: [Reader]
  }

  func execute() async throws {
    let asked = try keepEverything ? .keepEverything : policy.policy
    let (policy, consumers) = try await ledger.withLedger { opened in
      if let asked { try await opened.setRetention(asked) }
      return (try opened.retention(), try opened.consumers())
    }
    if ledger.json {
      let content = Content(policy: policy, consumers: consumers.map { Reader($0) })
      return try Output.json(JSONAnswer(content))
    }
    try Output.line("Retention policy: keep \(PolicyOptions.text(policy)).")
    for consumer in consumers {
      let kind = consumer.kind == .required ? "required" : "best effort"
      try Output.line(
        "\(consumer.name.printable) (\(kind)) has read up to commit \(consumer.sequence); last "
          + "seen "
          + "\(Time.text(consumer.lastSeen)).")
    }
  }
}
