import ArgumentParser

/// `daybook accounts`: lists and manages accounts.
struct AccountsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts", abstract: "List, create and change accounts.",
    subcommands: [
      AccountsListCommand.self, AccountsCreateCommand.self, AccountsRenameCommand.self,
      AccountsEditCommand.self, AccountsNumbersCommand.self, AccountsTermsCommand.self,
      AccountsCorrectCommand.self, AccountsCloseCommand.self,
      AccountsReopenCommand.self,
      AccountsDeleteCommand.self, AccountsMergeCommand.self,
    ], defaultSubcommand: AccountsListCommand.self)
}
