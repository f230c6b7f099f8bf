import ArgumentParser

/// The `daybook` command and its subcommands.
@main
struct DaybookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook",
    abstract: "Personal accounting in which every total is derived from recorded history.",
    discussion: """
      The ledger is a folder, set by --ledger or $DAYBOOK_LEDGER (default: Household.daybook in \
      the current folder). With --json, every command prints JSON for scripts. Exit codes: 0 \
      success; 1 refused or not found; 2 damaged ledger; 64 incorrect usage; 65 invalid data; 66 \
      file doesn't exist; 69 not ready; 73 already exists; 74 input/output error; 75 try again; 77 \
      read-only; 130 interrupted.
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
          AddCommand.self, EditCommand.self, DeleteCommand.self, AttachmentsCommand.self,
          TransfersCommand.self, ImportCommand.self,
          MappingsCommand.self, AccountsCommand.self,
          CategoriesCommand.self, OpeningCommand.self, RateCommand.self, ReconcileCommand.self,
          AssertionsCommand.self,
          RulesCommand.self, RecurringCommand.self, HolidaysCommand.self, BudgetCommand.self,
          EnvelopesCommand.self, InterestCommand.self, LoanCommand.self, CloseCommand.self,
          ReopenCommand.self,
        ]),
      CommandGroup(
        name: "Reports",
        subcommands: [
          ListCommand.self, RegisterCommand.self, SearchCommand.self, ShowCommand.self,
          BalanceCommand.self,
          NetWorthCommand.self,
          MonthsCommand.self,
          InsightsCommand.self, PayeesCommand.self, TagsCommand.self, DuplicatesCommand.self,
          InboxCommand.self,
        ]),
      CommandGroup(
        name: "History",
        subcommands: [
          HistoryCommand.self, UndoCommand.self, RedoCommand.self, UndeleteCommand.self,
          RetentionCommand.self,
          PurgeCommand.self, EraseCommand.self,
        ]),
      CommandGroup(name: "Sync", subcommands: [SyncCommand.self]),
      CommandGroup(
        name: "Backup and maintenance",
        subcommands: [
          VerifyCommand.self, RebuildCommand.self, RecoverCommand.self, CompactCommand.self,
          MaintainCommand.self, BackupCommand.self,
          RestoreCommand.self, ExportCommand.self,
        ]),
      CommandGroup(
        name: "Shell", subcommands: [CompletionsCommand.self, ManualCommand.self]),
    ])
}
