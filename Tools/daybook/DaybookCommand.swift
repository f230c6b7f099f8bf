import ArgumentParser

@main
struct DaybookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "daybook")
}
