import ArgumentParser
import DaybookTerminal

/// An explanation of invalid arguments, with suggestions for valid ones.
struct UsageFailure {
  private let place: CommandPlace
  private let message: String
  /// The help text of the rejected flag or argument.
  private let about: String

  /// Analyses the arguments that ArgumentParser rejected.
  ///
  /// - Parameters:
  ///   - message: ArgumentParser's message.
  ///   - full: The same message with its hints.
  init(_ message: String, full: String, _ arguments: [String]) {
    place = CommandPlace(arguments, from: DaybookCommand.self)
    self.message = message
    let hint = full.split(separator: "\n").first { $0.hasPrefix("Help:") } ?? ""
    about = String(hint.dropFirst("Help:".count).drop { $0 == " " })
  }

  /// The failure to print.
  var failure: CommandFailure {
    let quoted = message.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    let subject = quoted.count > 1 ? quoted[1] : ""
    let isExtra = message.contains("nexpected argument")
    if let word = place.unknownWord, isExtra || meant(word) != nil { return unknownCommand(word) }
    if message.hasPrefix("Unknown option") { return unknownFlag(subject) }
    if isExtra { return extra(subject) }
    if message.hasPrefix("Missing value for") {
      return usage("\(flag(in: subject)) needs a value.", "\(explanation)\(help)")
    }
    if message.hasPrefix("Missing expected argument") {
      // The usage line shows the order of arguments, which doesn't help if a flag is missing.
      let form = subject.hasPrefix("-") ? "" : "Usage: \(place.shortUsage)\n"
      return usage("\(subject) is missing.", "\(explanation)\(form)\(help)")
    }
    if message.hasPrefix("The value '"), let range = message.firstRange(of: "' is invalid for '") {
      let value = String(message[..<range.lowerBound].dropFirst("The value '".count))
      return badValue(value, String(message[range.upperBound...]))
    }
    // A missing argument was often given under another flag's name.
    if let stray = place.unknownFlag { return unknownFlag(stray) }
    return usage(message.hasSuffix(".") ? message : message + ".", help)
  }

  private func usage(_ message: String, _ remedy: String) -> CommandFailure {
    .usage(message, remedy: remedy)
  }

  private var help: String { "See: \(place.name) --help" }
  private var explanation: String { about.isEmpty ? "" : "\(about)\n" }

  // MARK: - Commands

  private func meant(_ word: String) -> String? {
    Self.nearest(word.lowercased(), among: place.subcommands, Synonyms.commands)
  }

  private func unknownCommand(_ word: String) -> CommandFailure {
    let remedy =
      meant(word).map { "Did you mean: \(place.name) \($0)" }
      ?? (place.subcommands.count <= 12
        ? "The commands are: \(place.subcommands.joined(separator: ", "))." : "")
    return usage(
      "There is no command “\(place.name) \(word)”.",
      remedy.isEmpty ? help : "\(remedy)\n\(help)")
  }

  // MARK: - Flags

  private func unknownFlag(_ flag: String) -> CommandFailure {
    let what = "“\(place.name)” has no flag \(flag)."
    guard flag.hasPrefix("--") else { return shortFlag(flag, what) }
    let flags = place.flags.map { String($0.dropFirst(2)) }
    let word = String(flag.dropFirst(2)).lowercased()
    if place.shortUsage.contains("<\(word)>") {
      return usage(what, "<\(word)> is an argument, not a flag: \(place.shortUsage)\n\(help)")
    }
    if let near = Self.nearest(word, among: flags, Synonyms.flags) {
      return usage(what, "Did you mean --\(near)?\n\(help)")
    }
    // The flag may be in front of its subcommand.
    if let later = place.rest.first(where: { place.subcommands.contains($0) }) {
      return usage(
        what, "Write flags after the command: \(place.name) \(later) \(flag) …")
    }
    return usage(what, help)
  }

  private func shortFlag(_ flag: String, _ what: String) -> CommandFailure {
    let letters = flag.drop { $0 == "-" }
    if letters.first?.isNumber == true {
      return usage(
        "\(flag) starts with a dash and is read as a flag.",
        "Write amounts without a sign if the command determines their direction. For a negative "
          + "amount, write -- before it.\n\(help)")
    }
    let near = place.flags.filter { $0.dropFirst(2).first == letters.first }
    let list = near.isEmpty ? "" : ": \(near.joined(separator: ", "))"
    return usage(what, "Write the full name of the flag\(list).\n\(help)")
  }

  /// Returns the name that a word stands for: Daybook's name for a synonym, a name with this
  /// prefix, or the most similar name.
  private static func nearest(
    _ word: String, among names: [String], _ synonyms: [String: [String]]
  ) -> String? {
    if let synonym = synonyms[word]?.first(where: names.contains) { return synonym }
    let longer = names.filter { $0.hasPrefix(word) }
    if longer.count == 1 || word.count >= 3, let first = longer.first { return first }
    if let near = Suggestion.nearest(to: word, among: names) { return near }
    return names.first { $0.count >= 4 && word.hasPrefix($0) }
  }

  // MARK: - Values

  private func extra(_ word: String) -> CommandFailure {
    if place.flags.contains("--\(word)") {
      return usage("Unexpected argument “\(word)”.", "Did you mean --\(word)?\n\(help)")
    }
    return usage(
      "Unexpected argument “\(word)”.",
      "Put names with spaces in quotes, such as \"Dollar account\".\nUsage: "
        + "\(place.shortUsage)\n\(help)")
  }

  private func badValue(_ value: String, _ rest: String) -> CommandFailure {
    let parts = rest.split(separator: "'", maxSplits: 1, omittingEmptySubsequences: false)
    let name = flag(in: String(parts.first ?? ""))
    let more = parts.count > 1 ? parts[1].drop { ":. ".contains($0) } : ""
    if let complaint = ArgumentComplaints.complaint(about: value) {
      return usage("Invalid value “\(value)” for \(name): \(complaint.reason).", complaint.remedy)
    }
    let what = "Invalid value “\(value)” for \(name)."
    let options = more.split(separator: "'").enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
    guard !options.isEmpty else {
      return usage(what, "\(explanation)\(more.isEmpty ? "" : "\(more)\n")\(help)")
    }
    let near = Self.nearest(value.lowercased(), among: options, [:])
    let list = "Valid values are \(options.joined(separator: ", "))."
    return usage(what, near.map { "Did you mean \($0)? \(list)" } ?? list)
  }

  /// Returns the flag without the placeholder of its value, or the argument's name.
  private func flag(in text: String) -> String {
    text.hasPrefix("-") ? String(text.split(separator: " ").first ?? "") : text
  }
}

extension DaybookCommand {
  /// Runs the command named in the arguments.
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      var command = try await NegativeNumbers.parse(arguments, as: Self.self)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      // An exit code without a message comes from a command that has already reported its failure.
      guard !(error is ExitCode), exitCode(for: error) == .validationFailure else {
        exit(withError: error)
      }
      let failure = UsageFailure(
        message(for: error), full: fullMessage(for: error, columns: 10_000), arguments
      ).failure
      Output.complain(failure, json: arguments.contains("--json"))
      exit(withError: failure.status.exitCode)
    }
  }
}
