import ArgumentParser

/// The command that the arguments name.
struct CommandPlace {
  var command: any ParsableCommand.Type
  /// The command's full name, such as `daybook categories create`.
  var name: String
  /// The arguments after the name.
  var rest: ArraySlice<String>

  /// Follows the command names in the arguments from the root.
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

  /// The name of a command.
  static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? command._commandName
  }

  /// The names of the subcommands.
  var subcommands: [String] { command.configuration.subcommands.map(Self.name(of:)) }

  /// The first argument, if a subcommand's name is expected in its place but it isn't one.
  var unknownWord: String? {
    guard let word = rest.first, !word.hasPrefix("-"), !subcommands.isEmpty else { return nil }
    return word
  }

  /// The command whose flags apply: the named command, or its default subcommand.
  private var asked: any ParsableCommand.Type {
    command.configuration.defaultSubcommand ?? command
  }

  /// The long flags that the command's help lists, with their dashes.
  var flags: [String] {
    let arguments = (try? CommandDescription(of: asked))?.arguments ?? []
    return arguments.filter(\.shouldDisplay).flatMap { $0.names ?? [] }
      .filter { $0.kind == "long" }.map(\.text)
  }

  /// The first argument that looks like a flag but isn't a flag of the command.
  var unknownFlag: String? {
    let known = Set(flags)
    return rest.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
      .map { String($0.prefix { $0 != "=" }) }.first { !known.contains($0) }
  }

  /// The usage of the command without its flags, such as `daybook add <kind> [<amount>] …`.
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
