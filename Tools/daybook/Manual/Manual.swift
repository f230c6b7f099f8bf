import ArgumentParser
import Daybook

/// `daybook manual`: prints or writes the pages for `man`.
struct ManualCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print a manual page, or write all of them.",
    discussion: """
      `make install` installs the pages. To view or install them by hand:

        daybook manual list | man -l -
        daybook manual --folder ~/.local/share/man/man1
      """)

  @Argument(help: "The command, such as list (default: daybook itself).")
  var command: String?

  @Option(
    help: ArgumentHelp(
      "Write all pages to this folder, creating it if necessary.", valueName: "path"),
    completion: .directory)
  var folder: String?

  func validate() throws {
    if command != nil, folder != nil {
      throw ValidationError(
        "Use either a command, to print its page, or --folder, to write all pages.")
    }
  }

  func run() async throws {
    let whole = try CommandDescription.whole()
    let version = DaybookCommand.configuration.version
    if let folder {
      let pages =
        [ManualPage(whole: whole, version: version)]
        + whole.visible.map { ManualPage($0, version: version) }
      if !FileSystem.exists(folder) { try FileSystem.makeFolder(folder) }
      for page in pages { try FileSystem.replace("\(folder)/\(page.name).1", page.text) }
      return try Output.line("Wrote \(pages.count) pages to \(folder).")
    }
    guard let command else {
      return try Output.write(ManualPage(whole: whole, version: version).text)
    }
    guard let found = whole.visible.first(where: { $0.commandName == command }) else {
      throw ValidationError(
        "There is no command “\(command)”. For a list of commands, run `daybook help`.")
    }
    try Output.write(ManualPage(found, version: version).text)
  }
}
