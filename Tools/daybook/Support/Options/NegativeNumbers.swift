import ArgumentParser

/// The handling of negative amounts, as in `opening Card -384.20`, which the parser mistakes for
/// options.
enum NegativeNumbers {
  /// Parses the arguments; if that fails, tries again with negative numbers rewritten as values.
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
      // Throw the first error, unless it was about a number.
      guard let complaint, isAboutNumber(Root.message(for: error)) else { throw error }
      throw complaint
    }
  }

  /// Returns the ways to rewrite negative numbers as values.
  ///
  /// A number is joined to the preceding option with `=`, or moved after `--`, which ends the
  /// options. The result is empty if there are no negative numbers or the arguments contain `--`.
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

  /// Returns whether the argument is a minus followed by a digit, or by a decimal point and a
  /// digit.
  static func isNegative(_ argument: String) -> Bool {
    guard argument.hasPrefix("-") else { return false }
    let rest = argument.dropFirst()
    let digit = rest.hasPrefix(".") ? rest.dropFirst().first : rest.first
    return digit?.isASCII == true && digit?.isNumber == true
  }

  /// Returns whether an error reports that a number isn't an option, or that the option before a
  /// number has no value.
  private static func isAboutNumber(_ message: String) -> Bool {
    if message.contains("Missing value for '-") { return true }
    return (0...9).contains { message.contains("'-\($0)") || message.contains("'-.\($0)") }
  }
}
