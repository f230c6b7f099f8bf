import ArgumentParser
import Daybook

/// `daybook envelopes fill`: assigns what goals need, or the previous month's amounts.
struct EnvelopesFillCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "fill",
    abstract: "Assign what goals still need, or last month's amounts, to all envelopes.",
    discussion: """
        daybook envelopes fill
        daybook envelopes fill --category Holidays --month 2026-03
        daybook envelopes fill --last-month --dry-run

      With --last-month, the amounts of the month before are assigned to the categories and cards \
      to which nothing is assigned yet. Everything is recorded as one commit.
      """)

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var month: EnvelopeMonthOptions
  @OptionGroup var rehearsal: EnvelopeRehearsalOptions

  @Flag(help: "Repeat the amounts of the month before, instead of filling goals.")
  var lastMonth = false

  @Option(help: "Only this category.", completion: LedgerCompletion.categories)
  var category: String?

  func execute() async throws {
    let chosen = month.chosen
    let commands: (borrowing Snapshot) throws -> [Command] = { snapshot in
      let only = try category.map { try Lookup.category($0, kind: .expense, in: snapshot).id }
      let months = try snapshot.envelopes(
        over: chosen.adding(-1)..<chosen.adding(1), today: month.today.day)
      return lastMonth
        ? months[1].commandsRepeating(months[0], of: only) : months[1].commandsForGoals(of: only)
    }
    if rehearsal.dryRun { return try await ledger.rehearseEnvelopes(month.today.day, commands) }
    var count = 0
    let recorded = try await ledger.record { snapshot in
      let commands = try commands(snapshot)
      count = commands.count
      return commands
    }
    let done =
      count > 0
      ? "Assigned money to \(Figures.counted(count, "envelope")) in \(chosen)."
      : lastMonth
        ? "Nothing to repeat: nothing was assigned in \(chosen.adding(-1)) that isn't in \(chosen)."
        : "Nothing to assign: no goal needs more in \(chosen)."
    try ledger.answer(recorded, done)
  }
}
