// Goal: the tables of Docs/CommandLine.md write commands as `add NAME [--first | --after RULE]`; other
// files run them. Method: each is read into the command lines that it allows: one without anything that
// may be left out, and one for each thing that may be added.
import Foundation
import Testing

/// A command as a document writes it.
struct CommandSynopsis: CustomTestStringConvertible {
  let text: String
  var testDescription: String { text }

  private enum Part {
    case words([String])
    /// What may be left out, each way of saying it.
    case optional([[String]])
    /// What must be said, each way of saying it.
    case either([[String]])
  }

  init(_ text: String) { self.text = text }

  /// The command lines, still with placeholders such as `NAME`.
  var lines: [[String]] {
    let parts = parts
    func line(adding place: Int?, _ choice: [String]) -> [String] {
      parts.enumerated().flatMap { index, part -> [String] in
        if index == place { return choice }
        switch part {
        case .words(let words): return words
        case .optional: return []
        case .either(let choices): return choices[0]
        }
      }
    }
    var lines = [line(adding: nil, [])]
    for (index, part) in parts.enumerated() {
      switch part {
      case .words: continue
      case .optional(let choices): lines += choices.map { line(adding: index, $0) }
      case .either(let choices): lines += choices.dropFirst().map { line(adding: index, $0) }
      }
    }
    return lines
  }

  private var parts: [Part] {
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "[") {
      let close = rest[open...].firstIndex(of: "]") ?? rest.index(before: rest.endIndex)
      parts += Self.required(String(rest[..<open]))
      parts.append(.optional(Self.choices(String(rest[rest.index(after: open)..<close]))))
      rest = rest[rest.index(after: close)...]
    }
    return parts + Self.required(String(rest))
  }

  /// What stands outside of brackets; from a choice between flags on it is one choice.
  private static func required(_ text: String) -> [Part] {
    // What may be repeated or goes on.
    let words = Self.words(text).filter { $0 != "…" }
    guard let first = words.firstIndex(where: { $0.contains("|-") }) else {
      return words.map { word in
        let choices = word.split(separator: "|").map { [String($0)] }
        return choices.count > 1 && !word.hasPrefix("\"") ? .either(choices) : .words([word])
      }
    }
    let choices = Self.choices(words[first...].joined(separator: " "))
    return [.words(Array(words[..<first])), .either(choices)]
  }

  /// Flags parted by `|`, or values parted by it behind one flag.
  private static func choices(_ text: String) -> [[String]] {
    let parts = text.replacing(" | ", with: "|").replacing("|--", with: "\n--").split(
      separator: "\n")
    return parts.flatMap { part -> [[String]] in
      var words = Self.words(String(part))
      // Behind a value it says that more may be given; behind a flag it stands for the value.
      if words.count > 2, words.last == "…", !words[words.count - 2].hasPrefix("--") {
        words.removeLast()
      }
      guard let last = words.last, last.contains("|"), !last.hasPrefix("\"") else { return [words] }
      return last.split(separator: "|").map { words.dropLast() + [String($0)] }
    }
  }

  /// The words of a line; those in quotes are one, and an ellipsis behind a word says nothing.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      if index % 2 == 1 {
        words.append(String(part))
        continue
      }
      for word in part.split(separator: " ") {
        let word = word.count > 1 && word.last == "…" ? word.dropLast() : word
        words.append(String(word))
      }
    }
    return words
  }
}

/// The commands that a document shows.
struct CommandDocument {
  let text: String

  init?(_ name: String) {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    guard let text = try? String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
    else { return nil }
    self.text = text
  }

  /// The commands in the first columns of tables whose heading is `command`.
  var synopses: [CommandSynopsis] {
    var synopses: [CommandSynopsis] = []
    var isInTable = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("| command |") { isInTable = true }
      if !line.hasPrefix("|") { isInTable = false }
      guard isInTable, !line.hasPrefix("| command |"), !line.hasPrefix("|--") else { continue }
      let cell = line.replacing("\\|", with: "\u{1}").split(separator: "|")[0]
      for (index, span) in cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      where index % 2 == 1 {
        synopses.append(CommandSynopsis(String(span).replacing("\u{1}", with: "|")))
      }
    }
    return synopses
  }

  /// A command of a block, and what the block says that it prints.
  struct Example {
    var command: String
    var output: String
  }

  /// The commands of blocks, block by block.
  var blocks: [[Example]] {
    text.components(separatedBy: "\n```\n").enumerated().filter { $0.offset % 2 == 1 }
      .map { block in
        var examples: [Example] = []
        for line in block.element.split(separator: "\n", omittingEmptySubsequences: false) {
          if line.hasPrefix("daybook ") {
            examples.append(Example(command: String(line.dropFirst(8)), output: ""))
          } else if !examples.isEmpty {
            examples[examples.count - 1].output += line + "\n"
          }
        }
        return examples
      }
  }
}
