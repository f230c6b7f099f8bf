import ArgumentParser

/// Which command the arguments lead to, as far as they name one.
struct CommandPlace {
  /// The command.
  var command: any ParsableCommand.Type
  /// Its name with those above it: `daybook categories create`.
  var name: String
  /// The arguments after its name.
  var rest: ArraySlice<String>

  /// Follows the names of commands from the root.
  init(_ arguments: [String], from root: any ParsableCommand.Type) {
    command = root
    name = root.configuration.commandName ?? "daybook"
    rest = arguments[...]
    while let word = rest.first,
      let below = command.configuration.subcommands.first(where: { Self.name(of: $0) == word })
    {
      command = below
      name += " " + word
      rest = rest.dropFirst()
    }
  }

  /// What a command is called.
  static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? command._commandName
  }

  /// The names of the commands below this one.
  var subcommands: [String] { command.configuration.subcommands.map(Self.name(of:)) }

  /// The first argument, where it stands where the name of a command below could.
  var unknownWord: String? {
    guard let word = rest.first, !word.hasPrefix("-"), !subcommands.isEmpty else { return nil }
    return word
  }

  /// The command whose flags count: this one, or the one that stands for it where none is named.
  private var asked: any ParsableCommand.Type {
    command.configuration.defaultSubcommand ?? command
  }

  /// The flags of the command, with their dashes.
  var flags: [String] {
    var flags: [String] = []
    for line in asked.helpMessage(columns: 10_000).split(separator: "\n") {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("-"), text.startIndex != line.startIndex else { continue }
      // The names stand before two spaces, and several have a comma or a slash between them.
      let names = String(text).split(separator: "  ").first ?? text
      for word in names.split(whereSeparator: { " ,/".contains($0) }) where word.hasPrefix("--") {
        flags.append(String(word))
      }
    }
    return flags
  }

  /// The first argument that looks like a flag and is none of the command's.
  var unknownFlag: String? {
    let known = Set(flags)
    return rest.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
      .map { String($0.prefix { $0 != "=" }) }.first { !known.contains($0) }
  }

  /// How the command is written, its flags left out: `daybook add <kind> [<amount>] …`.
  var shortUsage: String {
    let usage = asked.usageString().split(separator: "\n").joined(separator: " ")
    var parts: [String] = []
    var depth = 0
    var part = ""
    var expectsValue = false
    func finish() {
      defer { part = "" }
      guard !part.isEmpty else { return }
      if part.hasPrefix("[-") || part.contains("<options>") { return }
      if part.hasPrefix("-") {
        expectsValue = true
        return
      }
      if expectsValue, part.hasPrefix("<") {
        expectsValue = false
        return
      }
      expectsValue = false
      if part.hasPrefix("<") || part.hasPrefix("[<") { parts.append(part) }
    }
    for character in usage {
      if character == "[" || character == "<" { depth += 1 }
      if character == "]" || character == ">" { depth -= 1 }
      if character == " ", depth == 0 { finish() } else { part.append(character) }
    }
    finish()
    return ([name] + parts).joined(separator: " ") + (flags.isEmpty ? "" : " [flags]")
  }
}
