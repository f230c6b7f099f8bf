import ArgumentParser

/// The `daybook` command and its subcommands.
@main
struct DaybookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook",
    abstract: "Keeps a household's books: every figure a function of what was recorded.",
    discussion: """
      The ledger is a folder: --ledger, or $DAYBOOK_LEDGER, or Household.daybook in the current \
      folder. Every command answers scripts with --json. Exit codes: 0 done; 1 refused or not \
      found; 2 damaged; 64 wrong usage; 65 bad data; 66 not there; 69 not ready; 73 exists \
      already; 74 disk; 75 try again; 77 read only; 130 \
      interrupted.
      """,
    version: "0.1.0",
    groupedSubcommands: [
      CommandGroup(
        name: "Ledger",
        subcommands: [
          InitCommand.self, SettingsCommand.self, InfoCommand.self, SampleCommand.self,
          ServeCommand.self,
        ]),
      CommandGroup(
        name: "Recording",
        subcommands: [
          AddCommand.self, EditCommand.self, DeleteCommand.self, ImportCommand.self,
          MappingsCommand.self, AccountsCommand.self,
          CategoriesCommand.self, OpeningCommand.self, RateCommand.self, ReconcileCommand.self,
          AssertionsCommand.self,
          RulesCommand.self, RecurringCommand.self, BudgetCommand.self, CloseCommand.self,
          ReopenCommand.self,
        ]),
      CommandGroup(
        name: "Asking",
        subcommands: [
          ListCommand.self, RegisterCommand.self, SearchCommand.self, ShowCommand.self,
          BalanceCommand.self,
          NetWorthCommand.self,
          MonthsCommand.self,
          InsightsCommand.self, PayeesCommand.self, TagsCommand.self, DuplicatesCommand.self,
        ]),
      CommandGroup(
        name: "History",
        subcommands: [
          HistoryCommand.self, UndoCommand.self, RedoCommand.self, UndeleteCommand.self,
          RetentionCommand.self,
          PurgeCommand.self, EraseCommand.self,
        ]),
      CommandGroup(name: "Several devices", subcommands: [SyncCommand.self]),
      CommandGroup(
        name: "Safekeeping",
        subcommands: [
          VerifyCommand.self, RebuildCommand.self, CompactCommand.self,
          MaintainCommand.self, BackupCommand.self,
          RestoreCommand.self, ExportCommand.self,
        ]),
      CommandGroup(
        name: "The shell", subcommands: [CompletionsCommand.self, ManualCommand.self]),
    ])
}
