import DaybookBookkeeping

/// The contents of a category field: a category, another account or both, and classes, which become
/// tags.
struct QIFCategory {
  var path: CategoryPath = []
  var target: String?
  var tags: [String] = []

  /// Parses `Food:Groceries`, `[Savings]`, `Food/Holiday`, `[Savings]/Holiday` or `Food|[Savings]`.
  ///
  /// The classes after the slash are separated by colons.
  init(_ text: String) {
    for piece in text.split(separator: "|", omittingEmptySubsequences: true) {
      var rest = piece
      while rest.hasPrefix(" ") { rest.removeFirst() }
      if rest.hasPrefix("["), let end = rest.lastIndex(of: "]") {
        let name = rest[rest.index(after: rest.startIndex)..<end]
        target = Self.trimmed(name)
        let behind = rest[rest.index(after: end)...]
        if behind.hasPrefix("/") { addTags(behind.dropFirst()) }
        continue
      }
      if let stroke = rest.firstIndex(of: "/") {
        addTags(rest[rest.index(after: stroke)...])
        rest = rest[..<stroke]
      }
      let names = rest.split(separator: ":").map { Self.trimmed($0) }.filter { !$0.isEmpty }
      if path.names.isEmpty { path = CategoryPath(names) }
    }
    if target?.isEmpty == true { target = nil }
  }

  private mutating func addTags(_ text: Substring) {
    for piece in text.split(separator: ":") {
      let name = Self.trimmed(piece)
      guard !name.isEmpty, !tags.contains(name) else { continue }
      tags.append(name)
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
