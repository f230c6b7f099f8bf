import ArgumentParser
import Foundation

/// A command as argument-parser describes it: what its help is made of.
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

  /// The whole tree, of this command itself.
  static func whole() throws -> CommandDescription {
    let text = DaybookCommand._dumpHelp()
    return try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command
  }

  /// The words that call it: `daybook accounts create`.
  var words: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

  /// The commands below it that people see.
  var visible: [CommandDescription] {
    (subcommands ?? []).filter { ($0.shouldDisplay ?? true) && $0.commandName != "help" }
  }
}
