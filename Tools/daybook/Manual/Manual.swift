import ArgumentParser
import Daybook

/// `daybook manual`: prints or writes the pages for `man`.
struct ManualCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print a page of the manual for man, or write all of them.",
    discussion: """
      `make install` puts the pages where man looks. By hand:

        daybook manual list | man -l -
        daybook manual --folder ~/.local/share/man/man1
      """)

  @Argument(help: "The command, such as list; the whole of daybook if left out.")
  var command: String?

  @Option(
    help: ArgumentHelp("Write all pages into this folder, which is made.", valueName: "path"),
    completion: .directory)
  var folder: String?

  func validate() throws {
    if command != nil, folder != nil {
      throw ValidationError("Give a command to print its page, or --folder to write all.")
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
      throw ValidationError("There is no command “\(command)”; `daybook help` lists them.")
    }
    try Output.write(ManualPage(found, version: version).text)
  }
}
