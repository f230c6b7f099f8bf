import ArgumentParser

/// Amounts below zero among the arguments, which the parser would take for options: `opening Card -384.20`.
enum NegativeNumbers {
  /// Parses the arguments; where that fails, with the negative numbers written so that they are no options.
  static func parse<Root: AsyncParsableCommand>(
    _ arguments: [String], as root: Root.Type
  ) async throws -> any ParsableCommand {
    do {
      return try await root.asyncParseAsRoot(arguments)
    } catch {
      var complaint: (any Error)?
      for rewritten in rewritten(arguments) {
        do {
          return try await root.asyncParseAsRoot(rewritten)
        } catch let second {
          complaint = complaint ?? second
        }
      }
      // The first complaint stands, unless it was about a number.
      guard let complaint, isAboutNumber(Root.message(for: error)) else { throw error }
      throw complaint
    }
  }

  /// The ways to write negative numbers so that they are taken for numbers.
  ///
  /// That is behind the option before them, with `=`, or behind `--`, which ends the options. None where there are
  /// none, or the end is marked already.
  static func rewritten(_ arguments: [String]) -> [[String]] {
    guard !arguments.contains("--"), arguments.contains(where: isNegative) else { return [] }
    var joined: [String] = []
    var rest: [String] = []
    for argument in arguments {
      if !isNegative(argument) {
        joined.append(argument)
      } else if let last = joined.last, last.hasPrefix("--"), !last.contains("=") {
        joined[joined.count - 1] = "\(last)=\(argument)"
      } else {
        rest.append(argument)
      }
    }
    let moved = arguments.filter { !isNegative($0) } + ["--"] + arguments.filter(isNegative)
    return [rest.isEmpty ? joined : joined + ["--"] + rest, moved]
  }

  /// Whether it is a minus and a digit, perhaps with a decimal point between them.
  static func isNegative(_ argument: String) -> Bool {
    guard argument.hasPrefix("-") else { return false }
    let rest = argument.dropFirst()
    let digit = rest.hasPrefix(".") ? rest.dropFirst().first : rest.first
    return digit?.isASCII == true && digit?.isNumber == true
  }

  /// Whether a complaint is that a number is no option, or that an option before a number has no value.
  private static func isAboutNumber(_ message: String) -> Bool {
    if message.contains("Missing value for '-") { return true }
    return (0...9).contains { message.contains("'-\($0)") || message.contains("'-.\($0)") }
  }
}
