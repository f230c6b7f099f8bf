import ArgumentParser

/// Serves a ledger to browsers and programs on this machine.
@main
struct DaybookServe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook-serve", abstract: "Serve a ledger over HTTP, on this machine.")
}
