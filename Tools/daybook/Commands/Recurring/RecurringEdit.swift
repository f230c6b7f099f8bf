import ArgumentParser
import Daybook
import DaybookTerminal

/// `daybook recurring edit`: changes a recurring transaction and, if requested, its recorded
/// transactions.
struct RecurringEditCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a recurring transaction, and optionally its transactions.",
    discussion: """
        daybook recurring edit Rent --amount 950
        daybook recurring edit Rent --amount 950 --scope future --since 2026-03-31
        daybook recurring edit Rent --payee "Housing association" --scope all
        daybook recurring edit Loan --part Interest=110 --part-to Mortgage=390 --scope future

      Everything else stays unchanged, and transactions take over only what you change. If a new \
      schedule makes transactions no longer due, they are deleted; `daybook recurring generate` \
      records the new due dates. Due dates that were already recorded aren't recorded again. If a \
      transaction is reconciled or in a closed period, the whole change is refused.
      """)

  /// The recorded transactions that change with the recurring transaction.
  enum Scope: String, ExpressibleByArgument, CaseIterable {
    case series, future, all

    func scope(since day: Day) -> SeriesScope {
      switch self {
      case .series: .seriesOnly
      case .future: .future(from: day)
      case .all: .all(from: day)
      }
    }
  }

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var today: TodayOptions

  @Argument(help: "The recurring transaction.", completion: LedgerCompletion.series)
  var series: String

  @Option(
    help: ArgumentHelp(
      "series: change no transactions. future: change those due on or after --since. all: change "
        + "all."))
  var scope: Scope = .series

  @Option(
    help: ArgumentHelp(
      "Change transactions from this due date on, and delete those that are no longer due "
        + "(default: today).",
      valueName: "yyyy-mm-dd"))
  var since: DayArgument?

  @Option(help: "The new name.")
  var name: String?

  @Option(help: "expense, income or transfer.")
  var type: RecurringAddCommand.Kind?

  @Option(help: "The amount, such as 12.50 or \"12.50 USD\".")
  var amount: String?

  @OptionGroup var target: TargetOptions
  @OptionGroup var parts: PartOptions

  @Flag(help: "Replace the parts by a single amount, given with --amount.")
  var noParts = false

  @Flag(help: "Use no account: the money comes from or goes outside the ledger.")
  var noAccount = false

  @Flag(help: "Remove the category.")
  var noCategory = false

  @Option(
    help: ArgumentHelp(
      "For a transfer, the amount received, if in another currency (default: converted at the "
        + "day's rate)."))
  var toAmount: String?

  @Option(
    help: "The amount in the account's currency, if it differs from the amount's currency.")
  var accountAmount: String?

  @OptionGroup var schedule: ScheduleOptions

  @Option(help: ArgumentHelp("The first due date.", valueName: "yyyy-mm-dd"))
  var from: DayArgument?

  @Option(help: ArgumentHelp("The last possible due date.", valueName: "yyyy-mm-dd"))
  var until: DayArgument?

  @Flag(help: "Remove the end date.")
  var noUntil = false

  @Option(help: "The maximum number of times.")
  var count: Int64?

  @Flag(help: "Remove the limit on the number of times.")
  var noCount = false

  @Option(help: "The number of future transactions to record in advance.")
  var ahead: Int64?

  @Option(
    help: ArgumentHelp(
      "How much the amount in an imported bank file may differ.", valueName: "amount"))
  var tolerance: String?

  @OptionGroup var text: TextOptions

  @Flag(help: "Remove all tags.")
  var noTags = false

  func validate() throws {
    if since != nil, scope == .series {
      throw ValidationError("--since requires --scope future or --scope all.")
    }
    let contradictions: [(Bool, String)] = [
      (noAccount && target.account != nil, "--account or --no-account"),
      (noCategory && target.category != nil, "--category or --no-category"),
      (noUntil && until != nil, "--until or --no-until"),
      (noCount && count != nil, "--count or --no-count"),
      (noTags && !text.tag.isEmpty, "--tag or --no-tags"),
      (noParts && parts.isUsed, "--part or --no-parts"),
    ]
    try SplitParts.validate(parts.part, to: parts.partTo)
    if parts.isUsed, amount != nil || target.category != nil {
      throw ValidationError("With --part and --part-to, leave out --amount and --category.")
    }
    for (isGiven, flags) in contradictions where isGiven {
      throw ValidationError("Use either \(flags), not both.")
    }
    let texts = [
      name, amount, target.account, target.category, target.to, text.payee, text.description,
      text.note, tolerance, toAmount, accountAmount,
    ]
    let days = [from, until]
    let numbers = [count, ahead]
    let flags = [noAccount, noCategory, noUntil, noCount, noTags, noParts, parts.isUsed]
    let others = type != nil || !schedule.isEmpty || text.status != nil
    guard
      others || flags.contains(true) || !text.tag.isEmpty
        || texts.contains(where: { $0 != nil }) || days.contains(where: { $0 != nil })
        || numbers.contains(where: { $0 != nil })
    else {
      throw ValidationError(
        "Nothing to change. Add an option such as --amount 12.50 or --every 2 weeks.")
    }
  }

  func execute() async throws {
    let now = today.day
    let first = since?.day(today: now) ?? now
    let created = NewCategories()
    let (change, recorded) = try await ledger.withLedger { opened in
      let (old, new, rows) = try opened.read { snapshot in
        let old = try Lookup.series(series, in: snapshot)
        return (
          old, try changed(old, created, snapshot, today: now), try Self.rows(of: old.id, snapshot)
        )
      }
      let receipt = try await opened.append(
        created.commands + [.amendSeries(new, scope.scope(since: first))])
      let left = try opened.read { try Self.rows(of: old.id, $0) }
      return (
        Change(old: old, new: new, before: rows, after: left),
        Recorded(receipt: receipt, names: try ledger.names(in: opened))
      )
    }
    if let remark = created.remark, !ledger.json { try Output.remark(remark) }
    try ledger.answer(
      recorded,
      with: SortedMembers(["changed": change.changedCount, "removed": change.removedCount]),
      change.sentence)
  }

  private static func rows(
    of series: SeriesID, _ snapshot: borrowing Snapshot
  ) throws -> [TransactionID: Transaction] {
    var rows: [TransactionID: Transaction] = [:]
    for occurrence in try snapshot.occurrences(of: series) {
      rows[occurrence.transaction] = try snapshot.transaction(occurrence.transaction)
    }
    return rows
  }
}

extension RecurringEditCommand {
  /// The recurring transaction with the requested changes.
  private func changed(
    _ old: Series, _ created: NewCategories, _ snapshot: borrowing Snapshot, today: Day
  ) throws -> Series {
    var series = old
    if let name { series.name = name }
    series.template = try changed(old.template, created, snapshot)
    let rule = try schedule.rule(from: old.schedule)
    series.schedule = rule.schedule
    if let end = rule.end { series.end = end }
    if rule.countMax > 0 { series.countMax = rule.countMax }
    if let weekends = schedule.weekends { series.weekends = weekends.policy }
    if let from { series.anchor = from.day(today: today) }
    if noUntil { series.end = nil }
    if let until { series.end = until.day(today: today).adding(days: 1) }
    if noCount { series.countMax = 0 }
    if let count { series.countMax = count }
    if let ahead { series.ahead = ahead }
    if let tolerance {
      let account = try series.template.account.flatMap { try snapshot.account($0) }
      series.tolerance = try Amounts.money(
        tolerance, in: account?.currency ?? series.template.amount.currency, snapshot
      ).minorUnits
    }
    return series
  }

  private func changed(
    _ old: SeriesTemplate, _ created: NewCategories, _ snapshot: borrowing Snapshot
  ) throws -> SeriesTemplate {
    var template = old
    if let type { template.type = type.type }
    if noParts { template.parts = [] }
    if !template.parts.isEmpty, !parts.isUsed,
      amount != nil || target.category != nil || template.type == .transfer
    {
      throw CommandFailure.usage(
        "Couldn't change \(series): it is split into parts, which make up its amount.",
        remedy: "Give all parts with --part and --part-to, or add --no-parts for a single amount.")
    }
    // Only transfers have a second account, and they have no category.
    if template.type == .transfer { template.category = nil } else { template.otherAccount = nil }
    let account = try target.account.map { try Lookup.account($0, in: snapshot) }
    if noAccount { template.account = nil }
    if let account { template.account = account.id }
    if let to = target.to { template.otherAccount = try Lookup.account(to, in: snapshot).id }
    if noCategory { template.category = nil }
    if let category = target.category {
      let kind: CategoryKind = template.type == .income ? .income : .expense
      template.category = try created.id(of: category, kind: kind, in: snapshot)
    }
    if let amount {
      // Use an amount in the old account's currency as an amount in the new account's currency.
      let before = try old.account.flatMap { try snapshot.account($0)?.currency }
      let standard =
        before == old.amount.currency
        ? account?.currency ?? old.amount.currency : old.amount.currency
      template.amount = try Amounts.money(amount, in: standard, snapshot)
    }
    if parts.isUsed {
      let standard = try template.account.flatMap { try snapshot.account($0)?.currency }
      try SplitParts.read(
        parts, in: standard ?? old.amount.currency, into: &template, creating: created, snapshot)
    }
    // An amount in the account's currency is valid only for the amount and accounts for which it
    // was given.
    if template.amount != old.amount || template.account != old.account
      || template.otherAccount != old.otherAccount || template.type != old.type
    {
      template.accountAmount = nil
    }
    let isTransfer = template.type == .transfer
    guard isTransfer ? accountAmount == nil : toAmount == nil else {
      throw CommandFailure.usage(
        "A transfer has --to-amount, and an expense or income has --account-amount.",
        remedy: "Use the other option.")
    }
    if let stated = toAmount ?? accountAmount {
      template.accountAmount = try template.money(stated, snapshot)
    }
    template.payee = text.payee ?? old.payee
    template.description = text.description ?? old.description
    template.note = text.note ?? old.note
    if noTags { template.tags = [] }
    if !text.tag.isEmpty { template.tags = text.tag }
    if let status = text.status { template.isPending = status == .pending }
    return template
  }

  /// The effect of a change.
  private struct Change {
    var old: Series
    var new: Series
    var before: [TransactionID: Transaction]
    var after: [TransactionID: Transaction]

    var changedCount: Int {
      after.count { id, row in before[id].map { $0 != row } ?? false }
    }

    var removedCount: Int { before.keys.count { after[$0] == nil } }

    /// Whether the due dates changed.
    private var isMoved: Bool {
      old.schedule != new.schedule || old.anchor != new.anchor || old.end != new.end
        || old.countMax != new.countMax || old.ahead != new.ahead
    }

    var sentence: String {
      var sentence = "Changed \(new.name), \(new.dates)."
      let parts = [("changed", changedCount), ("removed", removedCount)].filter { $0.1 > 0 }
        .map { "\(Figures.count($0.1)) \($0.1 == 1 ? "transaction" : "transactions") \($0.0)" }
      if !parts.isEmpty { sentence += " " + parts.joined(separator: ", ") + "." }
      if isMoved { sentence += " To record what is due, run `daybook recurring generate`." }
      return sentence
    }
  }
}
