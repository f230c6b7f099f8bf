import Foundation

/// The multiline string literals in the sources of tests, which are the files that the tests read.
///
/// An interpolation of a constant in the same folder is replaced with the constant. An
/// interpolation of a helper's parameter is replaced with every other text from sources whose names
/// have the same prefix.
struct TestTexts {
  private enum Piece {
    case text(String)
    case hole(String)
  }

  private struct Block {
    var name: String
    var pieces: [Piece]
    var source: Substring
  }

  private static let given: Set<String> = ["rows", "content", "statement"]
  private var blocks: [Block] = []

  /// Reads every source in a folder.
  init(_ folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where name.hasSuffix(".swift") {
      guard let text = try? String(contentsOfFile: folder + "/" + name, encoding: .utf8) else {
        continue
      }
      read(text, name.prefix(3))
    }
  }

  /// Every text alone, wrapped in each helper, and wrapped in two helpers.
  var all: [String] {
    let plain = blocks.map { (text: filled($0, with: ""), source: $0.source) }
    let around = blocks.filter(takes)
    var whole = plain.map(\.text)
    for (text, source) in plain {
      for outer in around where outer.source == source {
        let once = filled(outer, with: text)
        whole.append(once)
        for outermost in around where outermost.source == source && outermost.name != outer.name {
          whole.append(filled(outermost, with: once))
        }
      }
    }
    return whole
  }

  private func takes(_ block: Block) -> Bool {
    block.pieces.contains {
      if case .hole(let name) = $0 { Self.given.contains(name) } else { false }
    }
  }

  private func filled(_ block: Block, with given: String, depth: Int = 0) -> String {
    block.pieces.map { piece in
      switch piece {
      case .text(let text): return text
      case .hole(let name):
        if Self.given.contains(name) { return given }
        let last = name.split(separator: ".").last.map(String.init) ?? ""
        guard depth < 4, let constant = blocks.first(where: { $0.name == last }) else { return "" }
        return filled(constant, with: "", depth: depth + 1)
      }
    }.joined()
  }

  private mutating func read(_ source: String, _ prefix: Substring) {
    var name = ""
    var lines: [Substring]?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.split(separator: " ")
      if let inside = lines {
        guard words.first?.hasPrefix("\"\"\"") == true else {
          lines?.append(line)
          continue
        }
        let indentation = line.prefix { $0 == " " }.count
        let text = inside.map { $0.dropFirst(indentation) }.joined(separator: "\n")
        blocks.append(Block(name: name, pieces: Self.pieces(text), source: prefix))
        lines = nil
        name = ""
        continue
      }
      // The last declaration before the text, a constant or a function, gives the text its name.
      if let place = words.firstIndex(where: { $0 == "let" || $0 == "func" || $0 == "var" }),
        place + 1 < words.count
      {
        name = String(words[place + 1].prefix { $0.isLetter })
      }
      if line.hasSuffix("\"\"\"") {
        lines = []
      } else if Self.given.contains(where: { line.contains("\\(\($0))") }),
        let start = line.firstIndex(of: "\""), let end = line.lastIndex(of: "\""), start < end
      {
        let text = String(line[line.index(after: start)..<end])
        blocks.append(Block(name: name, pieces: Self.pieces(text), source: prefix))
      }
    }
  }

  /// The parts of a literal with escapes resolved.
  private static func pieces(_ literal: String) -> [Piece] {
    var pieces: [Piece] = []
    var text = ""
    var rest = Substring(literal)
    while let character = rest.popFirst() {
      guard character == "\\", let escaped = rest.popFirst() else {
        text.append(character)
        continue
      }
      switch escaped {
      case "n": text.append("\n")
      case "r": text.append("\r")
      case "t": text.append("\t")
      case "\n": break
      case "(":
        var depth = 1
        let content = rest.prefix { next in
          depth += next == "(" ? 1 : next == ")" ? -1 : 0
          return depth > 0
        }
        rest = rest.dropFirst(content.count + 1)
        pieces.append(.text(text))
        pieces.append(.hole(String(content)))
        text = ""
      default: text.append(escaped)
      }
    }
    return pieces + [.text(text)]
  }
}
