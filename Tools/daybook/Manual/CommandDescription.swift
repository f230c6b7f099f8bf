import ArgumentParser
import Foundation

/// A command, as described by ArgumentParser's help dump.
struct CommandDescription: Decodable {
  var superCommands: [String]?
  var shouldDisplay: Bool?
  var commandName: String
  var abstract: String?
  var discussion: String?
  var subcommands: [CommandDescription]?
  var arguments: [Argument]?

  /// An argument, an option or a flag.
  struct Argument: Decodable {
    /// A name, such as `--json`.
    struct Name: Decodable {
      var kind: String
      var name: String

      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: String
    var shouldDisplay: Bool
    var sectionTitle: String?
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var defaultValue: String?
    var abstract: String?
    var discussion: String?

    var isPositional: Bool { kind == "positional" }
    var isFlag: Bool { kind == "flag" }
  }

  private struct Dump: Decodable {
    var command: CommandDescription
  }

  /// The description of `daybook` and all its subcommands.
  static func whole() throws -> CommandDescription {
    try CommandDescription(of: DaybookCommand.self)
  }

  /// The description of a command and all its subcommands.
  init(of command: any ParsableCommand.Type) throws {
    self = try JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8)).command
  }

  /// The full name of the command, such as `daybook accounts create`.
  var words: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

  /// The subcommands that the help lists.
  var visible: [CommandDescription] {
    (subcommands ?? []).filter { ($0.shouldDisplay ?? true) && $0.commandName != "help" }
  }
}
