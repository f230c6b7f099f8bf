import ArgumentParser

/// `daybook rate`: lists and manages exchange rates.
struct RateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rate", abstract: "List, record, import and apply exchange rates.",
    subcommands: [
      RateListCommand.self, RateAddCommand.self, RateRemoveCommand.self, RateImportCommand.self,
      RateConvertCommand.self,
    ], defaultSubcommand: RateListCommand.self)
}
