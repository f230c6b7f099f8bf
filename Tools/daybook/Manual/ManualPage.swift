import DaybookEntities

/// A manual page in the markup language of `man`.
///
/// There is a page for `daybook` itself, `daybook(1)`, and for each of its direct subcommands, such
/// as `daybook-list(1)`. Nested subcommands are sections on their parent's page.
struct ManualPage {
  /// The page's name without its section, such as `daybook-list`.
  let name: String
  /// The page's source text.
  private(set) var text: String

  /// Creates the page of the root command.
  init(whole command: CommandDescription, version: String) {
    name = command.commandName
    text = Self.head(name, version)
    section("NAME")
    paragraph("\(name) \\- \(Self.phrase(command.abstract))", isPlain: false)
    section("SYNOPSIS")
    paragraph("\\fB\(name)\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]", isPlain: false)
    section("DESCRIPTION")
    discuss(command.discussion)
    section("COMMANDS")
    for below in command.visible {
      term("\\fB\(Self.escaped("\(name)-\(below.commandName)"))\\fR(1)", below.abstract)
    }
    section("ENVIRONMENT")
    term("\\fBDAYBOOK_LEDGER\\fR", "The ledger's folder, unless --ledger is given.")
    term("\\fBNO_COLOR\\fR", "If set, output has no colours.")
    term("\\fBCOLUMNS\\fR", "The line width, if output isn't a terminal.")
    section("EXIT STATUS")
    for (status, meaning) in [
      ("0", "Success."), ("1", "Refused or not found."), ("2", "The ledger is damaged."),
      ("64", "Incorrect usage."), ("65", "Invalid data."), ("66", "A file to read doesn't exist."),
      ("69", "Not ready."), ("73", "A file or folder already exists."),
      ("74", "Input/output error."), ("75", "Temporary failure; try again."),
      (
        "77",
        "The ledger is read-only."
      ),
    ] { term("\\fB\(status)\\fR", meaning) }
    section("EXAMPLES")
    for example in [
      "daybook init --base EUR", "daybook accounts create Checking",
      "daybook import statement.csv --guess --account Checking",
      "daybook add expense 23.50 --account Checking --category Food:Groceries --payee Rewe",
      "daybook register Checking",
    ] { verbatim(example) }
  }

  /// Creates the page of a subcommand.
  init(_ command: CommandDescription, version: String) {
    name = command.words.replacing(" ", with: "-")
    text = Self.head(name, version)
    section("NAME")
    paragraph("\(Self.escaped(name)) \\- \(Self.phrase(command.abstract))", isPlain: false)
    section("SYNOPSIS")
    let leaves = Self.leaves(of: command)
    for leaf in leaves {
      paragraph(Self.synopsis(of: leaf), isPlain: false)
    }
    if let discussion = command.discussion, !discussion.isEmpty {
      section("DESCRIPTION")
      discuss(discussion)
    }
    if command.visible.isEmpty {
      options(of: command)
    } else {
      for leaf in leaves {
        section(leaf.words)
        paragraph(leaf.abstract ?? "")
        discuss(leaf.discussion)
        options(of: leaf, isBelow: true)
      }
    }
    section("SEE ALSO")
    paragraph("\\fBdaybook\\fR(1)", isPlain: false)
  }

  private static func leaves(of command: CommandDescription) -> [CommandDescription] {
    command.visible.isEmpty ? [command] : command.visible.flatMap { leaves(of: $0) }
  }

  // MARK: Parts

  private static func head(_ name: String, _ version: String) -> String {
    ".TH \"\(escaped(name.uppercased()))\" 1 \"\" \"Daybook \(escaped(version))\" \"Daybook\"\n"
      + ".nh\n.ad l\n"
  }

  private static func synopsis(of command: CommandDescription) -> String {
    var parts = ["\\fB\(escaped(command.words))\\fR"]
    let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
    for argument in arguments where argument.isPositional {
      var text = "\\fI\(escaped(argument.valueName ?? "value"))\\fR"
      if argument.isRepeating { text += " ..." }
      parts.append(argument.isOptional ? "[\(text)]" : text)
    }
    if arguments.contains(where: { !$0.isPositional }) { parts.append("[\\fIOPTIONS\\fR]") }
    return parts.joined(separator: " ")
  }

  private mutating func options(of command: CommandDescription, isBelow: Bool = false) {
    let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
    var titles: [String] = []
    for argument in arguments.filter(\.isPositional) + arguments {
      let title = Self.title(of: argument)
      if !titles.contains(title) { titles.append(title) }
    }
    for title in titles {
      text += isBelow ? ".SS \"\(Self.escaped(title))\"\n" : ".SH \"\(Self.escaped(title))\"\n"
      for argument in arguments where Self.title(of: argument) == title {
        let value = "\\fI\(Self.escaped(argument.valueName ?? "value"))\\fR"
        let names = (argument.names ?? []).map { "\\fB\(Self.escaped($0.text))\\fR" }
        var head = argument.isPositional ? value : names.joined(separator: ", ")
        if !argument.isPositional, !argument.isFlag { head += " \(value)" }
        var words = [argument.abstract, argument.discussion].compactMap { $0 }
          .filter { !$0.isEmpty }.joined(separator: " ")
        if let value = argument.defaultValue, !argument.isFlag { words += " (default: \(value))" }
        term(head, words)
      }
    }
  }

  private static func title(of argument: CommandDescription.Argument) -> String {
    argument.isPositional ? "ARGUMENTS" : (argument.sectionTitle ?? "Options").uppercased()
  }

  // MARK: Markup

  private mutating func section(_ title: String) {
    text += ".SH \"\(Self.escaped(title))\"\n"
  }

  private mutating func term(_ head: String, _ words: String?) {
    text += ".TP\n\(head)\n"
    let words = words ?? ""
    text += words.isEmpty ? "\\&\n" : Self.lines(words)
  }

  private mutating func paragraph(_ words: String, isPlain: Bool = true) {
    if words.isEmpty { return }
    text += ".PP\n" + (isPlain ? Self.lines(words) : words + "\n")
  }

  private mutating func verbatim(_ line: String) {
    text += ".PP\n.nf\n.RS\n\(Self.line(line))\n.RE\n.fi\n"
  }

  /// Adds paragraphs.
  ///
  /// Indented lines are set verbatim.
  private mutating func discuss(_ discussion: String?) {
    guard let discussion, !discussion.isEmpty else { return }
    var flowing: [Substring] = []
    for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("  ") || line.isEmpty {
        paragraph(flowing.joined(separator: " "))
        flowing = []
        if !line.isEmpty { verbatim(String(line.drop { $0 == " " })) }
      } else {
        flowing.append(line)
      }
    }
    paragraph(flowing.joined(separator: " "))
  }

  private static func phrase(_ abstract: String?) -> String {
    var words = abstract ?? ""
    if words.hasSuffix(".") { words.removeLast() }
    return escaped(words.replacing("\n", with: " "))
  }

  private static func lines(_ words: String) -> String {
    words.split(separator: "\n").map { line(String($0)) }.joined(separator: "\n") + "\n"
  }

  /// Returns an escaped line that `man` can't mistake for a request.
  private static func line(_ text: String) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-", "−": escaped += "\\-"
      case "\"": escaped += "\\(dq"
      case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
      default:
        // The code point, which is independent of the page's encoding.
        escaped += "\\[u" + hexText(scalar.value, digits: 4).uppercased() + "]"
      }
    }
    return escaped
  }
}
