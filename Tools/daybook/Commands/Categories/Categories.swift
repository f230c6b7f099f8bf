import ArgumentParser

/// `daybook categories`: lists and manages categories.
struct CategoriesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "categories",
    abstract: "List, create and change categories, and show their totals.",
    subcommands: [
      CategoriesListCommand.self, CategoriesTopCommand.self, CategoriesTrendCommand.self,
      CategoriesCreateCommand.self, CategoriesRenameCommand.self, CategoriesMoveCommand.self,
      CategoriesEditCommand.self,
      CategoriesDeleteCommand.self, CategoriesMergeCommand.self,
    ], defaultSubcommand: CategoriesListCommand.self)
}
